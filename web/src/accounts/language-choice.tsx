import { LOCALES, type Locale } from '@kopilka/contract/messages.ts'
import { Button, Group, Paper, Radio, Title } from '@mantine/core'
import { useId } from 'react'
import { NETWORK } from '../api/failure.ts'
import { language } from '../messages/language.ts'
import { chooseLanguage, t } from '../messages/messages.ts'
import { showMessage } from '../ui/snackbar.ts'

/** Each language by its own name, whatever the interface speaks. */
const NAMES: Record<Locale, string> = { ru: 'Русский', en: 'English' }

const choose = (locale: Locale): void =>
  void chooseLanguage(locale).catch(() => showMessage(t('failure.noAnswer'), 'error', { about: NETWORK }))

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
            label={NAMES[locale]}
            lang={locale}
            onChange={() => choose(locale)}
          />
        ))}
      </Group>
    </Paper>
  )
}

/** The languages the interface does not speak now, for who has not signed in. */
export const OtherLanguages = () => (
  <Group justify="center" gap="xs">
    {LOCALES.filter((locale) => locale !== language()).map((locale) => (
      <Button key={locale} variant="subtle" size="compact-sm" lang={locale} onClick={() => choose(locale)}>
        {NAMES[locale]}
      </Button>
    ))}
  </Group>
)
