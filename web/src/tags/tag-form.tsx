import { type Tag, tags } from '@kopilka/contract/tags.ts'
import { Button, Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { call } from '../api/call.ts'
import { CallFailure } from '../api/failure.ts'
import { failureText } from '../api/failure-text.ts'
import { afterChange, tagQueries } from '../api/queries.ts'
import { useForm } from '../lib/use-form.ts'
import { language } from '../messages/language.ts'
import { t } from '../messages/messages.ts'
import { UnsavedChangesDialog } from '../navigation/unsaved-changes-dialog.tsx'
import { ownDirection } from '../ui/own-direction.ts'
import { showMessage } from '../ui/snackbar.ts'

/** The name of a tag, to be changed; then its screen. */
export function TagForm({ tag: { id, name } }: { tag: Tag }) {
  const saved = useRef(false)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const form = useForm({
    initial: { name },
    schema: tags.update.body,
    locale: language(),
    onInvalid: () => showMessage(t('form.invalid'), 'error'),
    onSubmit: async (body) => {
      try {
        const renamed = await call(tags.update, { params: { id }, body })
        queryClient.setQueryData(tagQueries.one(id).queryKey, renamed)
      } catch (failure) {
        tell(failure)
        return
      }
      saved.current = true
      showMessage(t('tags.saved'), 'success')
      await navigate({ to: '/tags/$id', params: { id } })
      void afterChange(queryClient)
    },
  })
  const tell = (failure: unknown): void => {
    if (!(failure instanceof CallFailure) || failure.status === 'no-answer' || failure.status === 429) {
      showMessage(failureText(failure, 'tags.saveFailure'), 'error')
    } else if (failure.status !== 401) {
      form.showServerErrors(failure.fields)
      // The specification wants no other words of the server here than those on the name.
      showMessage(failure.fields.name?.[0] ?? t('tags.saveFailure'), 'error')
    }
  }
  return (
    <form onSubmit={form.submit} noValidate>
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
      <UnsavedChangesDialog asks={() => !saved.current && form.values.name !== name} text="leave.lost" />
    </form>
  )
}
