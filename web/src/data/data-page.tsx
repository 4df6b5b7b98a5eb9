import { Stack, Text, Title } from '@mantine/core'
import { t } from '../messages/data-messages.ts'
import { AnchorLink } from '../navigation/router-links.tsx'
import { Breadcrumbs } from '../ui/breadcrumbs.tsx'
import { AccountDeletion } from './account-deletion.tsx'
import { ExportSection } from './export-section.tsx'
import { ImportSection } from './import-section.tsx'

/** The user's data as a whole: import, export, deletion of the account. */
export function DataPage() {
  return (
    <Stack gap="md" maw={900} mx="auto">
      <Breadcrumbs current={t('title.data')}>
        <AnchorLink to="/home">{t('title.home')}</AnchorLink>
        <AnchorLink to="/profile">{t('title.profile')}</AnchorLink>
      </Breadcrumbs>
      <Title order={1} size="h2" tabIndex={-1}>
        {t('title.data')}
      </Title>
      <Text c="dimmed" size="sm">
        {t('data.about')}
      </Text>
      <ImportSection />
      <ExportSection />
      <AccountDeletion />
    </Stack>
  )
}
