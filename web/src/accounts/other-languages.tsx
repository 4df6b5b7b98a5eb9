import { LOCALES, type Locale } from '@kopilka/contract/field-messages.ts'
import { Button, Group } from '@mantine/core'
import { NETWORK } from '../lib/network.ts'
import { language } from '../messages/language.ts'
import { chooseLanguage, t } from '../messages/messages.ts'
import { showMessage } from '../ui/snackbar.ts'

/** Each language by its own name, whatever the interface speaks. */
export const LANGUAGE_NAMES: Record<Locale, string> = { ru: 'Русский', en: 'English' }

/** Changes the language; where it does not load a message says so. */
export const changeLanguage = (locale: Locale): void =>
  void chooseLanguage(locale).catch(() => showMessage(t('failure.noAnswer'), 'error', { about: NETWORK }))

/** The languages the interface does not speak now, for who has not signed in. */
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
