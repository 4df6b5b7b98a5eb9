import { Stack, Text, Title } from '@mantine/core'
import { t } from '../messages/programs-messages.ts'
import { AnchorLink } from '../navigation/router-links.tsx'
import { Breadcrumbs } from '../ui/breadcrumbs.tsx'
import { AddressesSection } from './addresses-section.tsx'
import { BrowserSection } from './browser-section.tsx'
import { TokensSection } from './tokens-section.tsx'

/** The ways into Копилка from elsewhere: the browser, the phone, other programs. */
export function ProgramsPage() {
  return (
    <Stack gap="md" maw={900} mx="auto">
      <Breadcrumbs current={t('title.programs')}>
        <AnchorLink to="/home">{t('title.home')}</AnchorLink>
        <AnchorLink to="/profile">{t('title.profile')}</AnchorLink>
      </Breadcrumbs>
      <Title order={1} size="h2" tabIndex={-1}>
        {t('title.programs')}
      </Title>
      <Text c="dimmed" size="sm">
        {t('programs.about')}
      </Text>
      <BrowserSection />
      <TokensSection />
      <AddressesSection />
    </Stack>
  )
}
