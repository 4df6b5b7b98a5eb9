import { type Tag, tags } from '@kopilka/contract/tags.ts'
import { Button, Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { cacheTag } from '../api/cache.ts'
import { CallFailure } from '../api/failure.ts'
import { aboutFailure, failureText } from '../api/failure-text.ts'
import { UnsavedChangesDialog } from '../forms/unsaved-changes-dialog.tsx'
import { useCallForm } from '../forms/use-call-form.ts'
import { t } from '../messages/messages.ts'
import { ownDirection } from '../ui/own-direction.ts'
import { showMessage } from '../ui/snackbar.ts'
import { undoable } from '../undo/undoable.ts'

/** The specification wants no other words of the server here than those on the name. */
const sayFailure = (failure: unknown): void => {
  const isAnswered = failure instanceof CallFailure && failure.status !== 'no-answer'
  const isGeneral = !isAnswered || failure.status === 429 || failure.status === 401
  const text = isGeneral
    ? failureText(failure, 'tags.saveFailure')
    : (failure.fields.name?.[0] ?? t('tags.saveFailure'))
  showMessage(text, 'error', { about: aboutFailure(failure) })
}

/** The name of a tag, to be changed; then its screen. */
export function TagForm({ tag: { id, name } }: { tag: Tag }) {
  const saved = useRef(false)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const form = useCallForm(tags.update, {
    initial: { name },
    request: (body) => ({ params: { id }, body }),
    showFailure: sayFailure,
    onDone: async (renamed, _name, operation) => {
      cacheTag(queryClient, renamed)
      saved.current = true
      showMessage(t('tags.saved'), 'success', undoable(queryClient, operation))
      // In the form's place: Back must not open it again.
      await navigate({ to: '/tags/$id', params: { id }, replace: true })
    },
  })
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
        <Button type="submit" loading={form.submitting} style={{ alignSelf: 'start' }}>
          {t('items.save')}
        </Button>
      </Stack>
      <UnsavedChangesDialog asks={() => !saved.current && form.values.name !== name} />
    </form>
  )
}
