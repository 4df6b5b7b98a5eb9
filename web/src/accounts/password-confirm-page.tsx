import { Stack, Text, Title } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { t } from '../messages/accounts-messages.ts'
import { AnchorLink } from '../navigation/router-links.tsx'
import { PasswordConfirmForm } from './password-confirm-form.tsx'

const route = getRouteApi('/auth-layout/auth/password-confirm')

/** Where the letter's link leads: a new password in place of the forgotten one. */
export function PasswordConfirmPage() {
  const { uid, token } = route.useSearch()
  return (
    <Stack>
      <Title order={1} size="h3">
        {t('title.passwordConfirm')}
      </Title>
      {uid !== undefined && token !== undefined ? (
        <PasswordConfirmForm uid={uid} token={token} />
      ) : (
        <Text>{t('passwordConfirm.incomplete')}</Text>
      )}
      <AnchorLink to="/auth/password-reset" ta="center">
        {t('passwordConfirm.again')}
      </AnchorLink>
    </Stack>
  )
}
