import { API_PREFIX } from '@kopilka/contract/endpoint.ts'
import { Text } from '@mantine/core'
import { t } from '../messages/programs-messages.ts'
import { CopyField } from './copy-field.tsx'
import { Section } from './section.tsx'

/** What to enter in other programs. */
export function AddressesSection() {
  const { origin } = window.location
  return (
    <Section title={t('addresses.title')}>
      <CopyField
        label={t('addresses.linkding')}
        description={t('addresses.linkding.about')}
        value={`${origin}/linkding`}
      />
      <CopyField
        label={t('addresses.api')}
        description={t('addresses.api.about')}
        value={`${origin}${API_PREFIX}/`}
      />
      <div>
        <Text size="sm" fw={600}>
          {t('addresses.feed')}
        </Text>
        <Text size="xs" c="dimmed">
          {t('addresses.feed.about')}
        </Text>
      </div>
    </Section>
  )
}
