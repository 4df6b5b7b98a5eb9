import { translateField } from '@kopilka/contract/field-messages.ts'
import { tagNames } from '@kopilka/contract/fields.ts'
import { Button, Group, Stack } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import * as z from 'zod/mini'
import { language } from '../messages/language.ts'
import { type LazyMessageId, t } from '../messages/lazy-messages.ts'
import { Dialog, type OverlayProps } from '../ui/dialog.tsx'
import { TagsField } from '../ui/tags-field.tsx'
import { useTagSuggestions } from './use-tag-suggestions.ts'

interface BulkTagsDialogProps extends OverlayProps {
  busy: boolean
  onApply: (change: { add_tags: string[]; remove_tags: string[] }) => void
}

/** Asks which tags the selected items get and lose. */
export function BulkTagsDialog({ opened, busy, onApply, onClose }: BulkTagsDialogProps) {
  return (
    <Dialog opened={opened} title={t('selection.tags.title')} width={500} onClose={onClose}>
      <TagsForm busy={busy} onApply={onApply} onClose={onClose} />
    </Dialog>
  )
}

function TagsForm({ busy, onApply, onClose }: Omit<BulkTagsDialogProps, 'opened'>) {
  const [added, setAdded] = useState<string[]>([])
  const [removed, setRemoved] = useState<string[]>([])
  const isBlank = added.length === 0 && removed.length === 0
  const isValid = [added, removed].every((names) => errorOf(names) === undefined)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isBlank && isValid) onApply({ add_tags: added, remove_tags: removed })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Names label="selection.tags.add" value={added} onChange={setAdded} />
        <Names label="selection.tags.remove" value={removed} onChange={setRemoved} />
        <Group justify="flex-end">
          <Button variant="default" disabled={busy} onClick={onClose}>
            {t('items.cancel')}
          </Button>
          <Button type="submit" loading={busy} disabled={isBlank || !isValid}>
            {t('selection.tags.apply')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** What is wrong with names of tags. */
const errorOf = (names: string[]): string | undefined =>
  z.safeParse(tagNames, names).error?.issues.map(({ message }) => translateField(message, language()))[0]

interface NamesProps {
  label: LazyMessageId
  value: string[]
  onChange: (names: string[]) => void
}

const Names = ({ label, value, onChange }: NamesProps) => (
  <TagsField
    label={t(label)}
    value={value}
    onChange={onChange}
    error={errorOf(value)}
    {...useTagSuggestions()}
  />
)
