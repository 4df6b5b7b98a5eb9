import { accounts } from '@kopilka/contract/accounts.ts'
import { newPassword, password } from '@kopilka/contract/fields.ts'
import type { MessageKey } from '@kopilka/contract/messages.ts'
import { Button, Stack } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { call } from '../api/call.ts'
import { CallFailure } from '../api/failure.ts'
import { failureText } from '../api/failure-text.ts'
import { endSession } from '../api/session.ts'
import { useForm } from '../lib/use-form.ts'
import { language } from '../messages/language.ts'
import { t } from '../messages/messages.ts'
import { showMessage } from '../ui/snackbar.ts'
import { NewPasswordField } from './new-password-field.tsx'
import { PasswordField } from './password-field.tsx'

const twice = z.object({ new_password: newPassword, confirmation: password }).check(
  z.refine(({ new_password, confirmation }) => new_password === confirmation, {
    error: 'passwordsDiffer' satisfies MessageKey,
    path: ['confirmation'],
  }),
)

/** Sets a new password by what the letter's link carries, then goes to login. */
export function PasswordConfirmForm({ uid, token }: { uid: string; token: string }) {
  const navigate = useNavigate()
  const form = useForm({
    initial: { new_password: '', confirmation: '' },
    schema: twice,
    locale: language(),
    onInvalid: () => showMessage(t('form.invalid'), 'error'),
    onSubmit: async ({ new_password }) => {
      try {
        await call(accounts.passwordResetConfirm, { body: { uid, token, new_password } })
      } catch (failure) {
        if (failure instanceof CallFailure) form.showServerErrors(failure.fields)
        showMessage(failureText(failure, 'passwordConfirm.failure'), 'error')
        return
      }
      // The reset has ended every sign-in, that of this browser too.
      endSession('left')
      await navigate({ to: '/auth/login' })
      showMessage(t('passwordConfirm.done'), 'success')
    },
  })
  return (
    <form onSubmit={form.submit} noValidate>
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
