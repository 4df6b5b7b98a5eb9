import { accounts } from '@kopilka/contract/accounts.ts'
import { Alert, Button, Stack, Title } from '@mantine/core'
import { useState } from 'react'
import { useCallForm } from '../forms/use-call-form.ts'
import { t } from '../messages/accounts-messages.ts'
import { AnchorLink } from '../navigation/router-links.tsx'
import { showMessage } from '../ui/snackbar.ts'
import { EmailField } from './email-field.tsx'
import { useNavigationState } from './navigation-state.ts'

/** Has a letter sent with a link that lets one choose a new password, and says what to do with it. */
export function PasswordResetPage() {
  const { email, redirect } = useNavigationState()
  const [sentTo, setSentTo] = useState<string>()
  const form = useCallForm(accounts.passwordReset, {
    initial: { email },
    failure: 'passwordReset.failure',
    onDone: (_, { email }) => {
      setSentTo(email)
      showMessage(t('passwordReset.sent'), 'success')
    },
  })
  return (
    <form {...form.form}>
      <Stack>
        <Title order={1} size="h3">
          {t('title.passwordReset')}
        </Title>
        {sentTo !== undefined && (
          <Alert role="status" style={{ overflowWrap: 'anywhere' }}>
            {t('passwordReset.next', { email: sentTo })}
          </Alert>
        )}
        <EmailField {...form.text('email')} label={t('login.email')} />
        <Button type="submit" loading={form.submitting}>
          {t('passwordReset.submit')}
        </Button>
        <AnchorLink to="/auth/login" state={{ email: form.values.email, redirect }} ta="center">
          {t('registration.login')}
        </AnchorLink>
      </Stack>
    </form>
  )
}
