import type { Locale } from '@kopilka/contract/field-messages.ts'
import { setupI18n } from '@lingui/core'
import { language, onLanguageElsewhere, setLanguage, showLanguage } from './language.ts'
import ru from './ru.json'

/** An id of the catalogue ru.json, which is there from the start; main-messages.ts and its neighbours have the others. */
export type MessageId = keyof typeof ru

export const i18n = setupI18n({ locale: 'ru', messages: { ru } })

/**
 * The sentence in the language of the interface; `values` fill its places.
 * A change of language renders the screens again: see `useLanguage`.
 */
export const t = (id: MessageId, values?: Record<string, string | number>): string => i18n._(id, values)

const load = async (locale: Locale): Promise<void> => {
  if (locale === 'en') i18n.load('en', (await import('./en.json')).default)
  i18n.activate(locale)
}

/** Loads a language and makes it the interface's. */
export const chooseLanguage = async (locale: Locale): Promise<void> => {
  await load(locale)
  setLanguage(locale)
}

const stayAsItIs = (): void => {}

/**
 * Loads the language stored in this browser before the first render, and follows changes in other tabs.
 * If a language fails to load, the interface is Russian until the next visit.
 */
export const startMessages = async (): Promise<void> => {
  onLanguageElsewhere((locale) => void chooseLanguage(locale).catch(stayAsItIs))
  const wanted = language()
  await load(wanted).then(
    () => showLanguage(wanted),
    () => showLanguage('ru'),
  )
}
