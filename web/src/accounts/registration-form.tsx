import { accounts } from '@kopilka/contract/accounts.ts'
import { Button, Stack, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useCallForm } from '../forms/use-call-form.ts'
import { t } from '../messages/accounts-messages.ts'
import { AnchorLink } from '../navigation/router-links.tsx'
import { showMessage } from '../ui/snackbar.ts'
import { EmailField } from './email-field.tsx'
import { useNavigationState } from './navigation-state.ts'
import { NewPasswordField } from './new-password-field.tsx'

/** Creates an account, then goes to login. */
export function RegistrationForm() {
  const navigate = useNavigate()
  const { email, redirect } = useNavigationState()
  const form = useCallForm(accounts.register, {
    initial: { first_name: '', last_name: '', email, password: '' },
    onDone: async (_, { email }) => {
      await navigate({ to: '/auth/login', state: { email, redirect } })
      showMessage(t('registration.done'), 'success')
    },
  })
  return (
    <form {...form.form}>
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
        <AnchorLink to="/auth/login" state={{ email: form.values.email, redirect }} ta="center">
          {t('registration.login')}
        </AnchorLink>
      </Stack>
    </form>
  )
}
