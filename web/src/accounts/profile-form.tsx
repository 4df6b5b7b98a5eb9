import { accounts, type User } from '@kopilka/contract/accounts.ts'
import { anyName } from '@kopilka/contract/fields.ts'
import { Button, Paper, Stack, TextInput, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { call } from '../api/call.ts'
import { CallFailure } from '../api/failure.ts'
import { meQuery } from '../api/queries.ts'
import { useForm } from '../lib/use-form.ts'
import { language } from '../messages/language.ts'
import { t } from '../messages/messages.ts'
import { UnsavedChangesDialog } from '../navigation/unsaved-changes-dialog.tsx'
import { showMessage } from '../ui/snackbar.ts'

/** Blank names are allowed here (specification, section 5). */
const names = z.object({ first_name: anyName, last_name: anyName })
const namesOf = ({ first_name, last_name }: User) => ({ first_name, last_name })

/** The user's names; the email is for reading. */
export function ProfileForm({ me }: { me: User }) {
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: (body: z.output<typeof names>) => call(accounts.changeProfile, { body }),
    meta: { failure: 'profile.saveFailure' },
  })
  const form = useForm({
    initial: namesOf(me),
    schema: names,
    locale: language(),
    onInvalid: () => showMessage(t('form.invalid'), 'error'),
    onSubmit: async (body) => {
      try {
        const changed = await change.mutateAsync(body)
        queryClient.setQueryData(meQuery.queryKey, changed)
        form.fill(namesOf(changed))
      } catch (failure) {
        if (failure instanceof CallFailure) form.showServerErrors(failure.fields)
        return
      }
      showMessage(t('profile.saved'), 'success')
    },
  })
  const isChanged = () => form.values.first_name !== me.first_name || form.values.last_name !== me.last_name
  return (
    <Paper withBorder component="form" onSubmit={form.submit} noValidate p={{ base: 'md', xs: 'lg' }}>
      <Stack gap="md">
        <Title order={2} size="h4">
          {t('profile.general')}
        </Title>
        <TextInput {...form.text('first_name')} label={t('profile.firstName')} autoComplete="given-name" />
        <TextInput {...form.text('last_name')} label={t('profile.lastName')} autoComplete="family-name" />
        <TextInput label={t('profile.email')} type="email" value={me.email} readOnly variant="filled" />
        <Button type="submit" loading={form.submitting} style={{ alignSelf: 'start' }}>
          {t('profile.save')}
        </Button>
      </Stack>
      <UnsavedChangesDialog asks={isChanged} text="leave.lost" />
    </Paper>
  )
}
