import { accounts } from '@kopilka/contract/accounts.ts'
import { Button, Paper, Stack, Title } from '@mantine/core'
import { useCallForm } from '../forms/use-call-form.ts'
import { t } from '../messages/accounts-messages.ts'
import { showMessage } from '../ui/snackbar.ts'
import { NewPasswordField } from './new-password-field.tsx'
import { PasswordField } from './password-field.tsx'

const EMPTY = { current_password: '', new_password: '' }

/** Changes the user's password; `email` is for password managers. */
export function PasswordForm({ email }: { email: string }) {
  const form = useCallForm(accounts.changePassword, {
    initial: EMPTY,
    failure: 'profile.password.saveFailure',
    onDone: () => {
      form.fill(EMPTY)
      showMessage(t('profile.password.saved'), 'success')
    },
  })
  return (
    <Paper withBorder component="form" {...form.form} p={{ base: 'md', xs: 'lg' }}>
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
