import { accounts } from '@kopilka/contract/accounts.ts'
import { Button, Stack, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../api/call.ts'
import { CallFailure } from '../api/failure.ts'
import { failureText } from '../api/failure-text.ts'
import { useForm } from '../lib/use-form.ts'
import { language } from '../messages/language.ts'
import { t } from '../messages/messages.ts'
import { showMessage } from '../ui/snackbar.ts'
import { EmailField } from './email-field.tsx'
import { NewPasswordField } from './new-password-field.tsx'

/** Creates an account, then goes to login. */
export function RegistrationForm() {
  const navigate = useNavigate()
  const form = useForm({
    initial: { first_name: '', last_name: '', email: '', password: '' },
    schema: accounts.register.body,
    locale: language(),
    onInvalid: () => showMessage(t('form.invalid'), 'error'),
    onSubmit: async (body) => {
      try {
        await call(accounts.register, { body })
      } catch (failure) {
        if (failure instanceof CallFailure) form.showServerErrors(failure.fields)
        showMessage(failureText(failure), 'error')
        return
      }
      await navigate({ to: '/auth/login' })
      showMessage(t('registration.done'), 'success')
    },
  })
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack>
        <TextInput
          {...form.text('first_name')}
          label={t('registration.firstName')}
          autoComplete="given-name"
          required
        />
        <TextInput
          {...form.text('last_name')}
          label={t('registration.lastName')}
          autoComplete="family-name"
          required
        />
        <EmailField {...form.text('email')} label={t('registration.email')} />
        <NewPasswordField {...form.text('password')} label={t('registration.password')} required />
        <Button type="submit" loading={form.submitting}>
          {t('registration.submit')}
        </Button>
      </Stack>
    </form>
  )
}
