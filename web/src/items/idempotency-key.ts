import { useRef } from 'react'

// Browsers have randomUUID on https and localhost only.
export const newIdempotencyKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-')

/** The key for what a form sends: the same for the same values, so that a second try makes no second item. */
export const useIdempotencyKey = (): ((values: unknown) => string) => {
  const last = useRef({ text: '', key: '' })
  return (values) => {
    const text = JSON.stringify(values)
    if (last.current.text !== text) last.current = { text, key: newIdempotencyKey() }
    return last.current.key
  }
}
