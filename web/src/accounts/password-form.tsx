import { accounts } from '@kopilka/contract/accounts.ts'
import type { RequestOf } from '@kopilka/contract/endpoint.ts'
import { Button, Paper, Stack, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { CallFailure } from '../api/failure.ts'
import { useForm } from '../lib/use-form.ts'
import { language } from '../messages/language.ts'
import { t } from '../messages/messages.ts'
import { showMessage } from '../ui/snackbar.ts'
import { NewPasswordField } from './new-password-field.tsx'
import { PasswordField } from './password-field.tsx'

const EMPTY = { current_password: '', new_password: '' }

/** Changes the password of who is signed in; `email` tells password managers whose it is. */
export function PasswordForm({ email }: { email: string }) {
  const change = useMutation({
    mutationFn: (body: RequestOf<typeof accounts.changePassword>['body']) =>
      call(accounts.changePassword, { body }),
    meta: { failure: 'profile.password.saveFailure' },
  })
  const form = useForm({
    initial: EMPTY,
    schema: accounts.changePassword.body,
    locale: language(),
    onInvalid: () => showMessage(t('form.invalid'), 'error'),
    onSubmit: async (body) => {
      try {
        await change.mutateAsync(body)
      } catch (failure) {
        if (failure instanceof CallFailure) form.showServerErrors(failure.fields)
        return
      }
      form.fill(EMPTY)
      showMessage(t('profile.password.saved'), 'success')
    },
  })
  return (
    <Paper withBorder component="form" onSubmit={form.submit} noValidate p={{ base: 'md', xs: 'lg' }}>
      <Stack gap="md">
        <Title order={2} size="h4">
          {t('profile.password')}
        </Title>
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          {...form.text('current_password')}
          label={t('profile.password.current')}
          autoComplete="current-password"
          required
        />
        <NewPasswordField {...form.text('new_password')} label={t('profile.password.new')} required />
        <Button type="submit" loading={form.submitting} style={{ alignSelf: 'start' }}>
          {t('profile.password.save')}
        </Button>
      </Stack>
    </Paper>
  )
}
