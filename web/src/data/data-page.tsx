import { t } from '../messages/data-messages.ts'
import { SettingsPage } from '../navigation/settings-page.tsx'
import { AccountDeletion } from './account-deletion.tsx'
import { ExportSection } from './export-section.tsx'
import { ImportSection } from './import-section.tsx'

/** The user's data as a whole: import, export, deletion of the account. */
export function DataPage() {
  return (
    <SettingsPage title={t('title.data')} about={t('data.about')}>
      <ImportSection />
      <ExportSection />
      <AccountDeletion />
    </SettingsPage>
  )
}
