import { accounts } from '@kopilka/contract/accounts.ts'
import { Button, Stack, Title } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { call } from '../api/call.ts'
import { failureText } from '../api/failure-text.ts'
import { startSession } from '../api/session.ts'
import { placeAfterLogin } from '../lib/place-after-login.ts'
import { useForm } from '../lib/use-form.ts'
import { language } from '../messages/language.ts'
import { t } from '../messages/messages.ts'
import { AnchorLink } from '../navigation/router-links.tsx'
import { hideErrors, showMessage } from '../ui/snackbar.ts'
import { EmailField } from './email-field.tsx'
import { PasswordField } from './password-field.tsx'

const route = getRouteApi('/auth-layout/auth/login')

/** Signs in, then goes to the place that asked for it, or home. */
export function LoginPage() {
  const navigate = useNavigate()
  const { redirect } = route.useSearch()
  const form = useForm({
    initial: { email: '', password: '' },
    schema: accounts.login.body,
    locale: language(),
    onInvalid: () => showMessage(t('form.invalid'), 'error'),
    onSubmit: async (body) => {
      try {
        startSession(await call(accounts.login, { body }))
      } catch (failure) {
        showMessage(failureText(failure), 'error')
        return
      }
      hideErrors()
      await navigate({ href: placeAfterLogin(redirect), replace: true })
    },
  })
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack>
        <Title order={1} size="h3">
          {t('title.login')}
        </Title>
        <EmailField {...form.text('email')} label={t('login.email')} />
        <PasswordField
          {...form.text('password')}
          label={t('login.password')}
          autoComplete="current-password"
          required
        />
        <AnchorLink to="/auth/password-reset" size="sm" ta="end" style={{ alignSelf: 'end' }}>
          {t('login.forgotten')}
        </AnchorLink>
        <Button type="submit" loading={form.submitting}>
          {t('login.submit')}
        </Button>
        <Button variant="default" onClick={() => navigate({ to: '/auth/registration' })}>
          {t('login.register')}
        </Button>
      </Stack>
    </form>
  )
}
