import { translateField } from '@kopilka/contract/field-messages.ts'
import { Alert, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { meQuery, siteQuery } from '../api/queries.ts'
import { isSignedIn } from '../api/session.ts'
import { t } from '../messages/accounts-messages.ts'
import { language } from '../messages/language.ts'
import { AnchorLink } from '../navigation/router-links.tsx'
import { useNavigationState } from './navigation-state.ts'
import { RegistrationForm } from './registration-form.tsx'

/** Creates an account. Says at once where registration is closed, and who is signed in here. */
export function RegistrationPage() {
  const carried = useNavigationState()
  const { data: site } = useQuery(siteQuery)
  const { data: me } = useQuery({ ...meQuery, enabled: isSignedIn(), meta: { failure: 'screen' } })
  return (
    <Stack>
      <Title order={1} size="h3">
        {t('title.registration')}
      </Title>
      {me && (
        <Alert color="gray" role="status" style={{ overflowWrap: 'anywhere' }}>
          {t('registration.signedIn', { email: me.email })}{' '}
          <AnchorLink to="/home">{t('registration.toHome')}</AnchorLink>
        </Alert>
      )}
      {site?.registration === 'closed' ? (
        <>
          <Alert color="gray" role="status">
            {translateField('registrationClosed', language())}
          </Alert>
          <AnchorLink to="/auth/login" state={carried} ta="center">
            {t('registration.login')}
          </AnchorLink>
        </>
      ) : (
        <RegistrationForm />
      )}
    </Stack>
  )
}
