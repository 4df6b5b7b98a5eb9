import type { LinkSummary } from '@kopilka/contract/links.ts'
import { readableAddress } from '@kopilka/text/readable-address.ts'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type ClipboardEvent, type KeyboardEvent, useId, useState } from 'react'
import { useExistingLink } from '../items/existing-link.tsx'
import { noteOf, wholeAddress } from '../items/given-content.ts'
import { useIdempotencyKey } from '../items/idempotency-key.ts'
import { findExistingLink, saveQuickly } from '../items/quick-save.ts'
import { formatDate } from '../lib/format-date.ts'
import { useReachable } from '../lib/network.ts'
import { t } from '../messages/lazy-messages.ts'
import { useBackCloses } from '../navigation/use-back-closes.ts'
import { Dialog, type OverlayProps } from '../ui/dialog.tsx'
import classes from './quick-add.module.css'

/** What was pasted or dropped on the page; each time an object of its own. */
export interface GivenText {
  text: string
}

interface QuickAddProps extends OverlayProps {
  given?: GivenText | undefined
  /** Takes files that are pasted into the field. */
  onFiles: (files: File[]) => void
}

/** One field for an address or a text: Enter saves it as a link or a note. What was typed stays when it is closed. */
export function QuickAdd({ opened, onClose, given, onFiles }: QuickAddProps) {
  useBackCloses(opened, onClose)
  const [text, setText] = useState('')
  const [isTyped, setTyped] = useState(false)
  const [taken, setTaken] = useState<GivenText>()
  const [saving, setSaving] = useState(false)
  /** How many were saved: the same text saved again is another item. */
  const [saved, setSaved] = useState(0)
  const queryClient = useQueryClient()
  // Closed, it asks for nothing: its link may be deleted meanwhile.
  const kept = useExistingLink(opened ? text : '')
  const router = useRouter()
  const keyFor = useIdempotencyKey()
  // What is given while the text before it is saved comes into the field that this leaves.
  if (given !== undefined && given !== taken && !saving) {
    setTaken(given)
    // What was typed by hand and not saved is not thrown away for it.
    setText(isTyped && text.trim() !== '' ? `${text.trimEnd()}\n${given.text}` : given.text)
  }
  /** Leads to the link in which the page is kept already, unless it is wanted again. */
  const save = async ({ again = false } = {}) => {
    if (saving || text.trim() === '') return
    if (kept && !again) return open(kept.id)
    setSaving(true)
    if (!again && (await findExistingLink(queryClient, text))) return setSaving(false)
    const isSaved = await saveQuickly(queryClient, text, keyFor([text, saved]))
    setSaving(false)
    if (!isSaved) return
    setSaved(saved + 1)
    clear()
  }
  const clear = () => {
    setText('')
    setTyped(false)
    onClose()
  }
  const open = (id: string) => {
    clear()
    void router.navigate({ to: '/urllinks/$id', params: { id } })
  }
  return (
    <Dialog opened={opened} title={t('quickAdd.title')} width={600} onClose={onClose}>
      <QuickAddForm
        text={text}
        saving={saving}
        onChange={(typed) => {
          setText(typed)
          setTyped(true)
        }}
        kept={kept}
        onFiles={(files) => {
          onClose()
          onFiles(files)
        }}
        onSave={() => void save()}
        onSaveAgain={() => void save({ again: true })}
        onClose={onClose}
      />
    </Dialog>
  )
}

interface QuickAddFormProps {
  text: string
  saving: boolean
  onChange: (text: string) => void
  /** The link in which the page is kept already. */
  kept: LinkSummary | undefined
  onFiles: (files: File[]) => void
  /** Saves, or leads to what is kept. */
  onSave: () => void
  onSaveAgain: () => void
  onClose: () => void
}

function QuickAddForm(props: QuickAddFormProps) {
  const { text, saving, kept, onChange, onFiles, onSave, onSaveAgain, onClose } = props
  const hint = useId()
  const isReachable = useReachable()
  const onPaste = (event: ClipboardEvent) => {
    const { files, types } = event.clipboardData
    if (saving || files.length === 0 || types.includes('text/plain')) return
    event.preventDefault()
    onFiles([...files])
  }
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
          readOnly={saving}
          value={text}
          onChange={({ currentTarget: { value } }) => onChange(value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        <Text id={hint} size="sm" c="dimmed" role="status" className={classes.hint ?? ''}>
          {kept
            ? t('quickAdd.kept', { title: kept.title, at: formatDate(kept.created_at) })
            : hintOf(text, isReachable)}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('items.cancel')}
          </Button>
          {kept && (
            <Button variant="default" loading={saving} onClick={onSaveAgain}>
              {t('quickAdd.again')}
            </Button>
          )}
          <Button type="submit" loading={saving} disabled={text.trim() === ''}>
            {t(kept ? 'quickAdd.openKept' : 'items.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** What the text will become. */
const hintOf = (text: string, isReachable: boolean): string => {
  if (text.trim() === '') return t('quickAdd.hint')
  const address = wholeAddress(text)
  if (address === undefined) return t('quickAdd.asNote', { title: noteOf(text).title })
  return t(isReachable ? 'quickAdd.asLink' : 'quickAdd.asLinkOffline', { address: readableAddress(address) })
}
