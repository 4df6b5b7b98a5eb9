import { Paper, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { meQuery } from '../api/queries.ts'
import { t } from '../messages/messages.ts'
import { ButtonLink } from '../navigation/router-links.tsx'
import { DownloadIcon, ExternalLinkIcon, HistoryIcon, LinkIcon } from '../ui/icons.tsx'
import { PageSkeleton } from '../ui/skeletons.tsx'
import { LanguageChoice } from './language-choice.tsx'
import { PasswordForm } from './password-form.tsx'
import { ProfileForm } from './profile-form.tsx'

/** What a user may change of themselves. */
export function ProfilePage() {
  const { data: me } = useQuery(meQuery)
  return (
    <Stack gap="md" maw={600} mx="auto">
      <Title order={1} size="h2" tabIndex={-1}>
        {t('title.profile')}
      </Title>
      {me ? (
        <>
          <ProfileForm me={me} />
          <PasswordForm email={me.email} />
        </>
      ) : (
        <Paper withBorder p="lg">
          <PageSkeleton />
        </Paper>
      )}
      <LanguageChoice />
      <ButtonLink
        to="/profile/history"
        variant="subtle"
        leftSection={<HistoryIcon size={18} />}
        style={{ alignSelf: 'start' }}
      >
        {t('title.operations')}
      </ButtonLink>
      <ButtonLink
        to="/profile/data"
        variant="subtle"
        leftSection={<DownloadIcon size={18} />}
        style={{ alignSelf: 'start' }}
      >
        {t('title.data')}
      </ButtonLink>
      <ButtonLink
        to="/profile/duplicates"
        variant="subtle"
        leftSection={<LinkIcon size={18} />}
        style={{ alignSelf: 'start' }}
      >
        {t('title.duplicates')}
      </ButtonLink>
      <ButtonLink
        to="/profile/programs"
        variant="subtle"
        leftSection={<ExternalLinkIcon size={18} />}
        style={{ alignSelf: 'start' }}
      >
        {t('title.programs')}
      </ButtonLink>
    </Stack>
  )
}
