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

/** The other screens of settings. */
const SETTINGS = [
  { to: '/profile/history', title: 'title.operations', Icon: HistoryIcon },
  { to: '/profile/data', title: 'title.data', Icon: DownloadIcon },
  { to: '/profile/duplicates', title: 'title.duplicates', Icon: LinkIcon },
  { to: '/profile/programs', title: 'title.programs', Icon: ExternalLinkIcon },
] as const

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
      {SETTINGS.map(({ to, title, Icon }) => (
        <ButtonLink
          key={to}
          to={to}
          variant="subtle"
          leftSection={<Icon size={18} />}
          style={{ alignSelf: 'start' }}
        >
          {t(title)}
        </ButtonLink>
      ))}
    </Stack>
  )
}
