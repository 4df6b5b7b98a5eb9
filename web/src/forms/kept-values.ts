import { useEffect } from 'react'

const PREFIX = 'form:'

/**
 * The values a short form begins with: those typed into it before a reload, a crash or a sign-in, where they were not saved.
 * They are kept for this tab. `place` names the form and what it changes, and so its user as well.
 */
export const keptOr = <V extends Record<string, string>>(place: string, saved: V): V => {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(PREFIX + place) ?? '{}')
    const typed = Object.entries(kept ?? {}).filter(
      ([name, value]) => name in saved && typeof value === 'string',
    )
    return { ...saved, ...Object.fromEntries(typed) }
  } catch {
    return saved
  }
}

/** Keeps values for a form that opens next. */
export const keepValues = (place: string, values: Record<string, string>): void =>
  sessionStorage.setItem(PREFIX + place, JSON.stringify(values))

/** Keeps the values while they differ from the saved ones. */
export const useKeptValues = <V extends Record<string, string>>(place: string, values: V, saved: V): void => {
  const text = Object.keys(saved).some((name) => values[name] !== saved[name]) ? JSON.stringify(values) : ''
  useEffect(() => {
    try {
      if (text === '') forgetValues(place)
      else sessionStorage.setItem(PREFIX + place, text)
    } catch {
      // Without storage the question before the form is left is all there is.
    }
  }, [place, text])
}

/** Forgets them: they were saved or given up. */
export const forgetValues = (place: string): void => sessionStorage.removeItem(PREFIX + place)
