import { LOCALES, type Locale } from '@kopilka/contract/messages.ts'
import { Group, Paper, Radio, Title } from '@mantine/core'
import { useId } from 'react'
import { language } from '../messages/language.ts'
import { chooseLanguage, t } from '../messages/messages.ts'
import { showMessage } from '../ui/snackbar.ts'

/** Each language by its own name, whatever the interface speaks. */
const NAMES: Record<Locale, string> = { ru: 'Русский', en: 'English' }

const idOf = (locale: Locale): string => `language-${locale}`

/** The language of the interface, at once and for good. */
export function LanguageChoice() {
  const heading = useId()
  const choose = async (locale: Locale) => {
    try {
      await chooseLanguage(locale)
    } catch {
      showMessage(t('failure.noAnswer'), 'error')
      return
    }
    // The screen was mounted anew: the focus goes back to what was chosen.
    document.getElementById(idOf(locale))?.focus()
  }
  return (
    <Paper withBorder component="section" p={{ base: 'md', xs: 'lg' }}>
      <Title order={2} size="h4" id={heading} mb="md">
        {t('profile.language')}
      </Title>
      <Radio.Group aria-labelledby={heading} value={language()}>
        <Group gap="xl">
          {LOCALES.map((locale) => (
            <Radio
              key={locale}
              id={idOf(locale)}
              value={locale}
              label={NAMES[locale]}
              lang={locale}
              onChange={() => void choose(locale)}
            />
          ))}
        </Group>
      </Radio.Group>
    </Paper>
  )
}
