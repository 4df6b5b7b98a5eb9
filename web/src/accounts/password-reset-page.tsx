import { accounts } from '@kopilka/contract/accounts.ts'
import { Button, Stack, Title } from '@mantine/core'
import { call } from '../api/call.ts'
import { failureText } from '../api/failure-text.ts'
import { useForm } from '../lib/use-form.ts'
import { language } from '../messages/language.ts'
import { t } from '../messages/messages.ts'
import { AnchorLink } from '../navigation/router-links.tsx'
import { showMessage } from '../ui/snackbar.ts'
import { EmailField } from './email-field.tsx'

/** Has a letter sent with a link that lets one choose a new password. */
export function PasswordResetPage() {
  const form = useForm({
    initial: { email: '' },
    schema: accounts.passwordReset.body,
    locale: language(),
    onInvalid: () => showMessage(t('form.invalid'), 'error'),
    onSubmit: async (body) => {
      try {
        await call(accounts.passwordReset, { body })
      } catch (failure) {
        showMessage(failureText(failure, 'passwordReset.failure'), 'error')
        return
      }
      showMessage(t('passwordReset.sent'), 'success')
    },
  })
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack>
        <Title order={1} size="h3">
          {t('title.passwordReset')}
        </Title>
        <EmailField {...form.text('email')} label={t('login.email')} />
        <Button type="submit" loading={form.submitting}>
          {t('passwordReset.submit')}
        </Button>
        <AnchorLink to="/auth/login" ta="center">
          {t('registration.login')}
        </AnchorLink>
      </Stack>
    </form>
  )
}
