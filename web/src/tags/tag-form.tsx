import { tagNameKey } from '@kopilka/contract/fields.ts'
import { type Tag, tags } from '@kopilka/contract/tags.ts'
import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useRef, useState } from 'react'
import { cacheTag } from '../api/cache.ts'
import { CallFailure } from '../api/failure.ts'
import { aboutFailure, failureText } from '../api/failure-text.ts'
import { tagListQuery } from '../api/queries.ts'
import { removeStoredValues, storedValuesOr, useStoredValues } from '../forms/stored-values.ts'
import { UnsavedChangesDialog } from '../forms/unsaved-changes-dialog.tsx'
import { useCallForm } from '../forms/use-call-form.ts'
import { t } from '../messages/main-messages.ts'
import { useReturn } from '../navigation/use-return.ts'
import { lazy } from '../ui/lazy.tsx'
import { ownDirection } from '../ui/own-direction.ts'
import { showMessage } from '../ui/snackbar.ts'
import { undoable } from '../undo/undoable.ts'
import { useLeaveMerged } from './merge-tag-button.tsx'

const MergeTagDialog = lazy(() => import('./merge-tags-dialog.tsx'), 'MergeTagDialog')

/** The specification wants no other words of the server here than those on the name. */
const sayFailure = (failure: unknown): void => {
  const hasResponse = failure instanceof CallFailure && failure.status !== 'no-response'
  const isGeneral = !hasResponse || failure.status === 429 || failure.status === 401
  const text = isGeneral
    ? failureText(failure, 'tags.saveFailure')
    : (failure.fields.name?.[0] ?? t('tags.saveFailure'))
  showMessage(text, 'error', { about: aboutFailure(failure) })
}

/** The name of a tag, to be changed; then its screen. */
export function TagForm({ tag }: { tag: Tag }) {
  const { id, name } = tag
  const place = `tag:${id}`
  const [initial] = useState(() => storedValuesOr(place, { name }))
  const saved = useRef(false)
  const queryClient = useQueryClient()
  const returnTo = useReturn()
  const leaveMerged = useLeaveMerged(id)
  /** The name that another tag has, as typed. */
  const [taken, setTaken] = useState<string>()
  const [isMerging, setMerging] = useState<boolean>()
  const form = useCallForm(tags.update, {
    initial,
    request: (body) => ({ params: { id }, body }),
    showFailure: (failure) => {
      sayFailure(failure)
      void offerMerge(form.values.name.trim())
    },
    onDone: async (renamed, _name, operation) => {
      cacheTag(queryClient, renamed)
      saved.current = true
      removeStoredValues(place)
      showMessage(t('tags.saved'), 'success', undoable(queryClient, operation))
      // Back must not open the form again.
      await returnTo({ to: '/tags/$id', params: { id } })
    },
  })
  const [baseline, setBaseline] = useState(name)
  // Renamed elsewhere: a name that nobody has touched follows, one that is being typed stays.
  if (name !== baseline && (form.values.name === baseline || form.values.name === name)) {
    setBaseline(name)
    form.fill({ name })
  }
  useStoredValues(place, form.values, { name: baseline })
  const offerMerge = async (typed: string): Promise<void> => {
    const named = await queryClient.query(tagListQuery(typed)).catch(() => [])
    const isTaken = named.some((one) => one.id !== id && tagNameKey(one.name) === tagNameKey(typed))
    setTaken(isTaken ? typed : undefined)
  }
  return (
    <form {...form.form}>
      <Stack gap="md" align="stretch">
        <TextInput
          {...form.text('name')}
          label={t('tags.name')}
          attributes={ownDirection}
          autoComplete="off"
          required
        />
        <Group>
          <Button type="submit" loading={form.submitting}>
            {t('items.save')}
          </Button>
          {taken !== undefined && taken === form.values.name.trim() && (
            <Button variant="default" aria-haspopup="dialog" onClick={() => setMerging(true)}>
              {t('tags.merge')}
            </Button>
          )}
        </Group>
      </Stack>
      {isMerging !== undefined && (
        <Suspense>
          <MergeTagDialog
            tag={tag}
            into={taken ?? ''}
            opened={isMerging}
            onMerged={(into) => {
              saved.current = true
              removeStoredValues(place)
              return leaveMerged(into)
            }}
            onClose={() => setMerging(false)}
          />
        </Suspense>
      )}
      <UnsavedChangesDialog
        isDirty={() => !saved.current && form.values.name !== baseline}
        onLost={() => removeStoredValues(place)}
      />
    </form>
  )
}
