import { LOCALES } from '@kopilka/contract/field-messages.ts'
import { Group, Paper, Radio, Title } from '@mantine/core'
import { useId } from 'react'
import { language } from '../messages/language.ts'
import { t } from '../messages/messages.ts'
import { changeLanguage, LANGUAGE_NAMES } from './other-languages.tsx'

/** The language of the interface, at once and for good. */
export function LanguageChoice() {
  const heading = useId()
  return (
    <Paper withBorder component="section" p={{ base: 'md', xs: 'lg' }}>
      <Title order={2} size="h4" id={heading} mb="md">
        {t('profile.language')}
      </Title>
      {/* Mantine's Radio.Group takes its name from a label of its own alone. */}
      <Group gap="xl" role="radiogroup" aria-labelledby={heading}>
        {LOCALES.map((locale) => (
          <Radio
            key={locale}
            name="language"
            checked={locale === language()}
            label={LANGUAGE_NAMES[locale]}
            lang={locale}
            onChange={() => changeLanguage(locale)}
          />
        ))}
      </Group>
    </Paper>
  )
}
