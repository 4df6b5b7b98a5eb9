import { readableAddress } from '@kopilka/text/readable-address.ts'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useState } from 'react'
import { noteOf, wholeAddress } from '../items/given-content.ts'
import { useIdempotencyKey } from '../items/idempotency-key.ts'
import { saveQuickly } from '../items/quick-save.ts'
import { t } from '../messages/lazy-messages.ts'
import { Dialog, type OverlayProps } from '../ui/dialog.tsx'
import classes from './quick-add.module.css'

/** What was pasted or dropped on the page; each time an object of its own. */
export interface GivenText {
  text: string
}

interface QuickAddProps extends OverlayProps {
  given?: GivenText | undefined
}

/** One field for an address or a text: Enter saves it as a link or a note. What was typed stays when it is closed. */
export function QuickAdd({ opened, onClose, given }: QuickAddProps) {
  const [text, setText] = useState('')
  const [isTyped, setTyped] = useState(false)
  const [taken, setTaken] = useState<GivenText>()
  const [saving, setSaving] = useState(false)
  /** How many were saved: the same text saved again is another item. */
  const [saved, setSaved] = useState(0)
  const queryClient = useQueryClient()
  const keyFor = useIdempotencyKey()
  if (given !== undefined && given !== taken) {
    setTaken(given)
    // What was typed by hand and not saved is not thrown away for it.
    setText(isTyped && text.trim() !== '' ? `${text.trimEnd()}\n${given.text}` : given.text)
  }
  const save = async () => {
    if (saving || text.trim() === '') return
    setSaving(true)
    const isSaved = await saveQuickly(queryClient, text, keyFor([text, saved]))
    setSaving(false)
    if (!isSaved) return
    setSaved(saved + 1)
    setText('')
    setTyped(false)
    onClose()
  }
  return (
    <Dialog opened={opened} title={t('quickAdd.title')} width={560} onClose={onClose}>
      <QuickAddForm
        text={text}
        saving={saving}
        onChange={(typed) => {
          setText(typed)
          setTyped(true)
        }}
        onSave={() => void save()}
        onClose={onClose}
      />
    </Dialog>
  )
}

interface QuickAddFormProps {
  text: string
  saving: boolean
  onChange: (text: string) => void
  onSave: () => void
  onClose: () => void
}

function QuickAddForm({ text, saving, onChange, onSave, onClose }: QuickAddFormProps) {
  const hint = useId()
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (!event.repeat) onSave()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSave()
      }}
    >
      <Stack gap="sm">
        <textarea
          data-autofocus
          className={classes.text}
          rows={text.includes('\n') ? 5 : 1}
          dir="auto"
          aria-label={t('quickAdd.title')}
          aria-describedby={hint}
          placeholder={t('quickAdd.placeholder')}
          autoComplete="off"
          value={text}
          onChange={({ currentTarget: { value } }) => onChange(value)}
          onKeyDown={onKeyDown}
        />
        <Text id={hint} size="sm" c="dimmed" role="status" className={classes.hint ?? ''}>
          {hintOf(text)}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('items.cancel')}
          </Button>
          <Button type="submit" loading={saving} disabled={text.trim() === ''}>
            {t('items.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** What the text will become. */
const hintOf = (text: string): string => {
  if (text.trim() === '') return t('quickAdd.hint')
  const address = wholeAddress(text)
  if (address === undefined) return t('quickAdd.asNote', { title: noteOf(text).title })
  return t('quickAdd.asLink', { address: readableAddress(address) })
}
