import { t } from '../messages/programs-messages.ts'
import { SettingsPage } from '../navigation/settings-page.tsx'
import { AddressesSection } from './addresses-section.tsx'
import { BrowserSection } from './browser-section.tsx'
import { TokensSection } from './tokens-section.tsx'

/** The ways into Копилка from elsewhere: the browser, the phone, other programs. */
export function ProgramsPage() {
  return (
    <SettingsPage title={t('title.programs')} about={t('programs.about')}>
      <BrowserSection />
      <TokensSection />
      <AddressesSection />
    </SettingsPage>
  )
}
