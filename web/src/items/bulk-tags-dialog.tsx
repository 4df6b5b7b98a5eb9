import { translateField } from '@kopilka/contract/field-messages.ts'
import { tagNameKey, tagNames } from '@kopilka/contract/fields.ts'
import { Button, Group, Stack } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import * as z from 'zod/mini'
import { language } from '../messages/language.ts'
import { type LazyMessageId, t } from '../messages/lazy-messages.ts'
import { useBackCloses } from '../navigation/use-back-closes.ts'
import { Dialog, type OverlayProps } from '../ui/dialog.tsx'
import { TagsField } from '../ui/tags-field.tsx'
import { useTagSuggestions } from './use-tag-suggestions.ts'

interface BulkTagsDialogProps extends OverlayProps {
  busy: boolean
  onApply: (change: { add_tags: string[]; remove_tags: string[] }) => void
}

/** Asks which tags the selected items get and lose. */
export function BulkTagsDialog({ opened, busy, onApply, onClose }: BulkTagsDialogProps) {
  const [isBlank, setBlank] = useState(true)
  const close = () => {
    setBlank(true)
    onClose()
  }
  useBackCloses(opened, close)
  return (
    <Dialog
      opened={opened}
      title={t('selection.tags.title')}
      width={500}
      // A slip of the finger must not drop what was chosen.
      closeOnClickOutside={isBlank}
      onClose={close}
    >
      <TagsForm
        busy={busy}
        onBlank={setBlank}
        onApply={(change) => {
          setBlank(true)
          onApply(change)
        }}
        onClose={close}
      />
    </Dialog>
  )
}

interface TagsFormProps extends Omit<BulkTagsDialogProps, 'opened'> {
  /** Called with whether nothing is chosen. */
  onBlank: (isBlank: boolean) => void
}

function TagsForm({ busy, onBlank, onApply, onClose }: TagsFormProps) {
  const [{ added, removed }, setNames] = useState<Names>({ added: [], removed: [] })
  // Enables the button while a name is typed: its press takes the focus from the field, which then adds the name.
  const [isTyping, setTyping] = useState(false)
  const isBlank = isEmpty({ added, removed })
  const both = added.find((name) => removed.some((other) => tagNameKey(other) === tagNameKey(name)))
  const isValid = both === undefined && [added, removed].every((names) => errorOf(names) === undefined)
  const change = (part: Partial<Names>) => {
    const names = { added, removed, ...part }
    setNames(names)
    onBlank(isEmpty(names))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isBlank && isValid) onApply({ add_tags: added, remove_tags: removed })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <NamesField
          label="selection.tags.add"
          value={added}
          onChange={(added) => change({ added })}
          onTyping={setTyping}
        />
        <NamesField
          label="selection.tags.remove"
          value={removed}
          onTyping={setTyping}
          error={both === undefined ? undefined : t('selection.tags.both', { name: both })}
          onChange={(removed) => change({ removed })}
        />
        <Group justify="flex-end">
          <Button variant="default" disabled={busy} onClick={onClose}>
            {t('items.cancel')}
          </Button>
          <Button type="submit" loading={busy} disabled={(isBlank && !isTyping) || !isValid}>
            {t('selection.tags.apply')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface Names {
  added: string[]
  removed: string[]
}

const isEmpty = ({ added, removed }: Names): boolean => added.length === 0 && removed.length === 0

/** What is wrong with names of tags. */
const errorOf = (names: string[]): string | undefined =>
  z.safeParse(tagNames, names).error?.issues.map(({ message }) => translateField(message, language()))[0]

interface NamesFieldProps {
  label: LazyMessageId
  value: string[]
  /** What is wrong with them beside the others. */
  error?: string | undefined
  onChange: (names: string[]) => void
  /** Called with whether a name is being typed. */
  onTyping: (isTyping: boolean) => void
}

function NamesField({ label, value, error, onChange, onTyping }: NamesFieldProps) {
  const suggestions = useTagSuggestions()
  const search = (text: string) => {
    onTyping(text.trim() !== '')
    suggestions.onSearch(text)
  }
  return (
    <TagsField
      label={t(label)}
      value={value}
      onChange={onChange}
      error={errorOf(value) ?? error}
      isInDialog
      {...suggestions}
      onSearch={search}
    />
  )
}
