import { useEffect } from 'react'

const PREFIX = 'form:'

/**
 * The values a short form begins with: those typed into it before a reload, a crash or a sign-in, where they were not saved.
 * They are stored for this tab. `place` names the form and what it changes, and so its user as well.
 */
export const storedValuesOr = <V extends Record<string, string>>(place: string, saved: V): V => {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(PREFIX + place) ?? '{}')
    const typed = Object.entries(stored ?? {}).filter(
      ([name, value]) => name in saved && typeof value === 'string',
    )
    return { ...saved, ...Object.fromEntries(typed) }
  } catch {
    return saved
  }
}

/** Stores values for a form that opens next. */
export const storeValues = (place: string, values: Record<string, string>): void =>
  sessionStorage.setItem(PREFIX + place, JSON.stringify(values))

/** Stores the values while they differ from the saved ones. */
export const useStoredValues = <V extends Record<string, string>>(
  place: string,
  values: V,
  saved: V,
): void => {
  const text = Object.keys(saved).some((name) => values[name] !== saved[name]) ? JSON.stringify(values) : ''
  useEffect(() => {
    try {
      if (text === '') removeStoredValues(place)
      else sessionStorage.setItem(PREFIX + place, text)
    } catch {
      // Without storage only the dialog before leaving protects the text.
    }
  }, [place, text])
}

/** Removes the stored values: they were saved or discarded. */
export const removeStoredValues = (place: string): void => sessionStorage.removeItem(PREFIX + place)
