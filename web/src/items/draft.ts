import * as z from 'zod/mini'
import type { ItemValues } from './item-kind.ts'

const text = z.optional(z.string())
const draft = z.object({
  values: z.object({
    ...{ url: text, content: text, description: text },
    title: z.string(),
    tags: z.optional(z.array(z.string())),
  }),
  etag: text,
})

/** Text someone typed and did not save, with the ETag of the item it was typed over. */
export type Draft = z.output<typeof draft>

const keyOf = (place: string): string => `draft:${place}`

/** The draft kept for a form, if there is one. */
export const readDraft = (place: string): Draft | undefined => {
  try {
    return z.parse(draft, JSON.parse(localStorage.getItem(keyOf(place)) ?? ''))
  } catch {
    return undefined
  }
}

export const keepDraft = (place: string, kept: Draft): void => {
  try {
    localStorage.setItem(keyOf(place), JSON.stringify(kept))
  } catch {
    // The browser's storage is full: the text is safe only as long as the page is open.
  }
}

export const dropDraft = (place: string): void => localStorage.removeItem(keyOf(place))

const sorted = (values: ItemValues): string => JSON.stringify(Object.entries(values).toSorted())

export const isSame = (one: ItemValues, other: ItemValues): boolean => sorted(one) === sorted(other)
