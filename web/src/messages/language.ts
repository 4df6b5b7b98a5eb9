import { LOCALES, type Locale } from '@kopilka/contract/field-messages.ts'
import { useSyncExternalStore } from 'react'

const KEY = 'language'
/** What the browser installs the page by. Both have one id: another language is no other application. */
const MANIFESTS: Record<Locale, string> = { ru: '/manifest.webmanifest', en: '/manifest-en.webmanifest' }
const listeners = new Set<() => void>()

const stored = (): Locale => LOCALES.find((locale) => locale === localStorage.getItem(KEY)) ?? LOCALES[0]

let current: Locale = stored()

/** The current language of the interface. */
export const language = (): Locale => current

/** Called after every change of the language; returns the function that ends it. */
export const onLanguageChange = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Renders the component again after each change of the language. */
export const useLanguage = (): Locale => useSyncExternalStore(onLanguageChange, language)

/** Called when another tab has changed the language. */
export const onLanguageElsewhere = (listener: (locale: Locale) => void): void =>
  window.addEventListener('storage', ({ key }) => {
    if (key === KEY && stored() !== current) listener(stored())
  })

/** Makes a language the current one and remembers it in this browser. Its catalogue has to be loaded. */
export const setLanguage = (locale: Locale): void => {
  localStorage.setItem(KEY, locale)
  showLanguage(locale)
}

/** Makes a language the current one for as long as the page is open. Its catalogue has to be loaded. */
export const showLanguage = (locale: Locale): void => {
  current = locale
  document.documentElement.lang = locale
  document.querySelector('link[rel=manifest]')?.setAttribute('href', MANIFESTS[locale])
  for (const listener of listeners) listener()
}
