import { LOCALES, type Locale } from '@kopilka/contract/field-messages.ts'
import { Button, Group } from '@mantine/core'
import { NETWORK } from '../lib/network.ts'
import { language } from '../messages/language.ts'
import { chooseLanguage, t } from '../messages/messages.ts'
import { showMessage } from '../ui/snackbar.ts'

/** The name of each language in that language. */
export const LANGUAGE_NAMES: Record<Locale, string> = { ru: 'Русский', en: 'English' }

/** Changes the language; shows a message where it does not load. */
export const changeLanguage = (locale: Locale): void =>
  void chooseLanguage(locale).catch(() => showMessage(t('failure.noResponse'), 'error', { about: NETWORK }))

/** Buttons for the other languages, on screens before sign-in. */
export const OtherLanguages = () => (
  <Group justify="center" gap="xs">
    {LOCALES.filter((locale) => locale !== language()).map((locale) => (
      <Button
        key={locale}
        variant="subtle"
        size="compact-sm"
        lang={locale}
        onClick={() => changeLanguage(locale)}
      >
        {LANGUAGE_NAMES[locale]}
      </Button>
    ))}
  </Group>
)
