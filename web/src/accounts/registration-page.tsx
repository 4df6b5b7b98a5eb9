import { translate } from '@kopilka/contract/messages.ts'
import { Alert, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { siteQuery } from '../api/queries.ts'
import { language } from '../messages/language.ts'
import { t } from '../messages/messages.ts'
import { AnchorLink } from '../navigation/router-links.tsx'
import { RegistrationForm } from './registration-form.tsx'

/** Lets someone new in; where the owner has closed registration, says so before anything is typed. */
export function RegistrationPage() {
  const { data: site } = useQuery(siteQuery)
  return (
    <Stack>
      <Title order={1} size="h3">
        {t('title.registration')}
      </Title>
      {site?.registration === 'closed' ? (
        <Alert color="gray" role="status">
          {translate('registrationClosed', language())}
        </Alert>
      ) : (
        <RegistrationForm />
      )}
      <AnchorLink to="/auth/login" ta="center">
        {t('registration.login')}
      </AnchorLink>
    </Stack>
  )
}
