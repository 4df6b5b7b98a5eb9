import type { Locale } from '@kopilka/contract/messages.ts'
import { setupI18n } from '@lingui/core'
import { language, onLanguageElsewhere, setLanguage, showLanguage } from './language.ts'
import ru from './ru.json'

/** What a sentence is called in the catalogues ru.json and en.json. */
export type MessageId = keyof typeof ru

const i18n = setupI18n({ locale: 'ru', messages: { ru } })

/**
 * The sentence in the language of the interface; `values` fill its places.
 * A change of language renders the screens again: see `useLanguage`.
 */
export const t = (id: MessageId, values?: Record<string, string | number>): string => i18n._(id, values)

const load = async (locale: Locale): Promise<void> => {
  if (locale === 'en') i18n.load('en', (await import('./en.json')).default)
  i18n.activate(locale)
}

/** Loads a language and turns the interface to it. */
export const chooseLanguage = async (locale: Locale): Promise<void> => {
  await load(locale)
  setLanguage(locale)
}

const stayAsItIs = (): void => {}

/**
 * Loads the language this browser remembers, before the first sentence is asked for, and follows its other tabs.
 * A language that does not load is done without until the next visit: Russian is always there.
 */
export const startMessages = async (): Promise<void> => {
  onLanguageElsewhere((locale) => void chooseLanguage(locale).catch(stayAsItIs))
  const wanted = language()
  await load(wanted).then(
    () => showLanguage(wanted),
    () => showLanguage('ru'),
  )
}
