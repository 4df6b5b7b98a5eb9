import * as z from 'zod/mini'
import type { ItemValues } from './item-kind.ts'

/**
 * Any fields: which of them a form has and what they have to be is its kind's to say. No z.record and no z.union:
 * zod's parts lie together, and whoever only signs in would load those two as well.
 */
const draft = z.object({
  values: z.looseObject({}),
  etag: z.optional(z.string()),
  kept_at: z.number(),
})

/** Text someone typed and did not save, with the ETag of the item it was typed over. */
export type Draft = z.output<typeof draft>

const PREFIX = 'draft:'
const keyOf = (place: string): string => `${PREFIX}${place}`

/** The draft kept at a place, if there is one. */
export const readDraft = (place: string): Draft | undefined => {
  try {
    return z.parse(draft, JSON.parse(localStorage.getItem(keyOf(place)) ?? ''))
  } catch {
    return undefined
  }
}

/** Where drafts of a form are kept, the newest first: one for each tab that has had it open. */
export const placesOf = (form: string): string[] =>
  Object.keys(localStorage)
    .filter((key) => key.startsWith(`${keyOf(form)}:`))
    .map((key) => key.slice(PREFIX.length))
    .map((place) => ({ place, kept_at: readDraft(place)?.kept_at ?? 0 }))
    .toSorted((one, other) => other.kept_at - one.kept_at)
    .map(({ place }) => place)

export const keepDraft = (place: string, typed: { values: ItemValues; etag?: string | undefined }): void => {
  try {
    localStorage.setItem(keyOf(place), JSON.stringify({ ...typed, kept_at: Date.now() }))
  } catch {
    // The browser's storage is full: the text is safe only as long as the page is open.
  }
}

export const dropDraft = (place: string): void => localStorage.removeItem(keyOf(place))

/** A form's values with what was typed over them; what the form has no field for is left out. */
export const typedOver = (saved: ItemValues, { values }: Pick<Draft, 'values'>): ItemValues =>
  Object.fromEntries(
    Object.entries(saved).map(([name, value]) => {
      const typed = values[name]
      return [name, isText(typed) ? typed : value]
    }),
  )

const isText = (value: unknown): value is string | string[] =>
  typeof value === 'string' || (Array.isArray(value) && value.every((part) => typeof part === 'string'))

const sorted = (values: ItemValues): string => JSON.stringify(Object.entries(values).toSorted())

export const isSame = (one: ItemValues, other: ItemValues): boolean => sorted(one) === sorted(other)
