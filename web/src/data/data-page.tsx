import { Text } from '@mantine/core'
import { useReachable } from '../lib/network.ts'
import { t } from '../messages/data-messages.ts'
import { SettingsPage } from '../navigation/settings-page.tsx'
import { AccountDeletion } from './account-deletion.tsx'
import { ExportSection } from './export-section.tsx'
import { ImportSection } from './import-section.tsx'

/** The user's data as a whole: import, export, deletion of the account. */
export function DataPage() {
  const isReachable = useReachable()
  return (
    <SettingsPage title={t('title.data')} about={t('data.about')}>
      {!isReachable && <Text>{t('data.noNetwork')}</Text>}
      <ImportSection />
      <ExportSection />
      <AccountDeletion />
    </SettingsPage>
  )
}
