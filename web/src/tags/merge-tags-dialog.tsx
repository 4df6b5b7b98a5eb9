import { tagNameKey } from '@kopilka/contract/fields.ts'
import { type Tag, tags } from '@kopilka/contract/tags.ts'
import { Autocomplete, Button, Group, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { refreshAll } from '../api/cache.ts'
import { call, callWithEtag } from '../api/call.ts'
import { forEachExisting } from '../api/for-each-existing.ts'
import { operationProgress, progressOfCalls } from '../api/progress.ts'
import { tagListQuery } from '../api/queries.ts'
import { t } from '../messages/lazy-messages.ts'
import { ProgressText, useProgress } from '../navigation/operation-progress.tsx'
import { useBackCloses } from '../navigation/use-back-closes.ts'
import { beginChange } from '../selection/selection.ts'
import { Dialog, type OverlayProps } from '../ui/dialog.tsx'
import { ownDirection } from '../ui/own-direction.ts'
import { showMessage } from '../ui/snackbar.ts'
import { undoable } from '../undo/undoable.ts'

const SUGGEST_AFTER_MS = 150
/** Names to choose from; typing shortens the list. */
const MOST = 30

interface MergeTagsDialogProps extends OverlayProps {
  /** What happens to the tags. */
  about: string
  /** The tags that will be gone. */
  ids: readonly string[]
  /** The name to begin with. */
  into?: string
  /** Called with what takes the tags out of the selection. */
  onMerged: (into: Tag, endChange: () => void) => Promise<void> | void
}

interface Merging {
  target: Tag
  /** Gets what can be undone, also of what was merged before a failure. */
  operations: (string | undefined)[]
}

/** Asks for the tag that takes over the items of others, and merges them. */
export function MergeTagsDialog({ opened, onClose, ...form }: MergeTagsDialogProps) {
  useBackCloses(opened, onClose)
  return (
    <Dialog opened={opened} title={t('tags.merge.title')} width={500} onClose={onClose}>
      <MergeForm {...form} onClose={onClose} />
    </Dialog>
  )
}

interface MergeTagDialogProps extends Omit<MergeTagsDialogProps, 'about' | 'ids'> {
  tag: Tag
}

/** The same for one tag. */
export const MergeTagDialog = ({ tag, ...rest }: MergeTagDialogProps) => (
  <MergeTagsDialog {...rest} ids={[tag.id]} about={t('tags.merge.about', { name: tag.name })} />
)

function MergeForm({ about, ids, into = '', onMerged, onClose }: Omit<MergeTagsDialogProps, 'opened'>) {
  const queryClient = useQueryClient()
  const [name, setName] = useState(into)
  const [error, setError] = useState<string>()
  const [debounced] = useDebouncedValue(name.trim(), SUGGEST_AFTER_MS)
  const { data = [] } = useQuery(tagListQuery(debounced, MOST))
  const counter = useRef({ done: 0, total: 0 })
  const merging = useMutation({
    meta: { failure: 'tags.mergeFailure' },
    mutationFn: async ({ target, operations }: Merging) => {
      let merged = target
      const others = ids.filter((one) => one !== target.id)
      const merge = async (id: string) => {
        const response = await callWithEtag(tags.merge, { params: { id }, body: { into: target.id } })
        merged = response.value
        operations.push(response.operation)
      }
      const count = await forEachExisting(others, merge, counter.current)
      // The one into which they were to be merged may be gone as well.
      return count < others.length ? call(tags.read, { params: { id: target.id } }) : merged
    },
    onMutate: () => beginChange(ids),
    onSuccess: async (merged, { operations }, endChange) => {
      showMessage(t('tags.merged'), 'success', undoable(queryClient, ...operations))
      await onMerged(merged, endChange)
    },
    onError: (_failure, { operations }) => {
      // A success would hide what failed.
      if (operations.length > 0) showMessage(t('tags.merged'), 'info', undoable(queryClient, ...operations))
    },
    onSettled: () => refreshAll(queryClient),
  })
  const progress = useProgress(merging.isPending, () => progressOfCalls(counter.current, operationProgress))
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    const key = tagNameKey(name.trim())
    const found = await queryClient.query(tagListQuery(name.trim())).catch(() => undefined)
    // The query has reported why.
    if (!found) return
    const target = found.find((tag) => tagNameKey(tag.name) === key)
    if (!target) setError(t('tags.merge.unknown'))
    else if (ids.every((id) => id === target.id)) setError(t('tags.merge.itself'))
    else merging.mutate({ target, operations: [] })
  }
  const names = data.filter(({ id }) => ids.length > 1 || !ids.includes(id)).map((tag) => tag.name)
  // Then the options would only cover the buttons.
  const isChosen = names.some((one) => tagNameKey(one) === tagNameKey(name.trim()))
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="md">
        <Text size="sm">{about}</Text>
        <Autocomplete
          data-autofocus
          label={t('tags.merge.into')}
          placeholder={t('tags.merge.hint')}
          attributes={ownDirection}
          data={isChosen ? [] : names}
          // The server has filtered already, by its own rules of letter case.
          filter={({ options }) => options}
          // Neither at once nor below: the list would cover the buttons. Above the label, which takes 30 pixels.
          openOnFocus={false}
          comboboxProps={{ withinPortal: false, floatingStrategy: 'fixed', position: 'top', offset: 30 }}
          maxDropdownHeight={150}
          value={name}
          error={error}
          onChange={(typed) => {
            setName(typed)
            setError(undefined)
          }}
        />
        <Group justify="flex-end">
          <Text size="sm" c="dimmed" me="auto">
            <ProgressText progress={progress} />
          </Text>
          <Button variant="default" disabled={merging.isPending} onClick={onClose}>
            {t('items.cancel')}
          </Button>
          <Button type="submit" loading={merging.isPending} disabled={name.trim() === ''}>
            {t('tags.merge')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
