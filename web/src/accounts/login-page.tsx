import { accounts } from '@kopilka/contract/accounts.ts'
import { Button, Stack, Text, Title } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { startSession } from '../api/session.ts'
import { useCallForm } from '../forms/use-call-form.ts'
import { placeAfterLogin } from '../lib/place-after-login.ts'
import { t } from '../messages/messages.ts'
import { AnchorLink } from '../navigation/router-links.tsx'
import { hideErrors } from '../ui/snackbar.ts'
import { EmailField } from './email-field.tsx'
import { useNavigationState } from './navigation-state.ts'
import { OtherLanguages } from './other-languages.tsx'
import { PasswordField } from './password-field.tsx'

const route = getRouteApi('/auth-layout/auth/login')

/** Signs in, then opens the address that required it, or home. */
export function LoginPage() {
  const navigate = useNavigate()
  const carried = useNavigationState()
  const { redirect = carried.redirect } = route.useSearch()
  const form = useCallForm(accounts.login, {
    initial: { email: carried.email, password: '' },
    onDone: async (session) => {
      startSession(session)
      hideErrors()
      await navigate({ href: placeAfterLogin(redirect), replace: true })
    },
  })
  const state = { email: form.values.email, redirect }
  return (
    <form {...form.form}>
      <Stack>
        <div>
          <Title order={1} size="h3">
            {t('title.login')}
          </Title>
          <Text size="sm" c="dimmed">
            {t('login.about')}
          </Text>
        </div>
        <EmailField {...form.text('email')} label={t('login.email')} />
        <PasswordField
          {...form.text('password')}
          label={t('login.password')}
          autoComplete="current-password"
          required
        />
        <AnchorLink to="/auth/password-reset" state={state} size="sm" ta="end" style={{ alignSelf: 'end' }}>
          {t('login.forgotten')}
        </AnchorLink>
        <Button type="submit" loading={form.submitting}>
          {t('login.submit')}
        </Button>
        <Button variant="default" onClick={() => void navigate({ to: '/auth/registration', state })}>
          {t('login.register')}
        </Button>
        <OtherLanguages />
      </Stack>
    </form>
  )
}
