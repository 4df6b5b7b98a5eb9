import { accounts } from '@kopilka/contract/accounts.ts'
import { newPassword, password } from '@kopilka/contract/fields.ts'
import { Button, Stack } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { endSession } from '../api/session.ts'
import { useCallForm } from '../forms/use-call-form.ts'
import { t } from '../messages/accounts-messages.ts'
import { showMessage } from '../ui/snackbar.ts'
import { NewPasswordField } from './new-password-field.tsx'
import { PasswordField } from './password-field.tsx'

/** Sets a new password with the uid and token of the letter's link, then goes to login. */
export function PasswordConfirmForm({ uid, token }: { uid: string; token: string }) {
  const navigate = useNavigate()
  const form = useCallForm(accounts.passwordResetConfirm, {
    initial: { new_password: '', confirmation: '' },
    shape: { new_password: newPassword, confirmation: password },
    check: ({ new_password, confirmation }) =>
      new_password === confirmation ? {} : { confirmation: 'passwordsDiffer' },
    request: ({ new_password }) => ({ body: { uid, token, new_password } }),
    failure: 'passwordConfirm.failure',
    onDone: async () => {
      // The reset has ended every session, that of this browser too.
      endSession('password-reset')
      await navigate({ to: '/auth/login' })
      showMessage(t('passwordConfirm.done'), 'success')
    },
  })
  return (
    <form {...form.form}>
      <Stack>
        <input type="text" autoComplete="username" hidden />
        <NewPasswordField {...form.text('new_password')} label={t('passwordConfirm.password')} required />
        <PasswordField
          {...form.text('confirmation')}
          label={t('passwordConfirm.confirmation')}
          autoComplete="new-password"
          required
        />
        <Button type="submit" loading={form.submitting}>
          {t('passwordConfirm.submit')}
        </Button>
      </Stack>
    </form>
  )
}
