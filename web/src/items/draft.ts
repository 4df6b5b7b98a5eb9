import { tagNameKey } from '@kopilka/contract/fields.ts'
import type { TagRef } from '@kopilka/contract/items.ts'
import { createStore, del, get, keys, set } from 'idb-keyval'
import * as z from 'zod/mini'
import type { ItemKind, ItemValues } from './item-kind.ts'

/*
 * Drafts are in IndexedDB, which has room for long texts and does not block typing. While a page unloads nothing
 * asynchronous is sure to finish: text of that moment goes to local storage and is moved from there the next time, like
 * the drafts that earlier versions kept there.
 */

/**
 * Any fields: the kind defines which of them a form has, and their types. No z.record and no z.union: they would go into
 * the chunk that every screen loads.
 */
const storedDraft = z.object({
  values: z.looseObject({}),
  etag: z.optional(z.string()),
  tagsBefore: z.optional(z.array(z.string())),
  picked: z.optional(z.array(z.object({ id: z.string(), name: z.string() }))),
  kept_at: z.number(),
})

/** What someone typed and did not save. */
export interface Draft {
  /** `user:kind:item:tab`: each form that is open has a place of its own. */
  place: string
  values: Record<string, unknown>
  /** The ETag of the item it was typed over. */
  etag?: string | undefined
  /** The tags that the item had then; absent in drafts of earlier versions. */
  tagsBefore?: readonly string[] | undefined
  /** Tags that existed when their names were added. */
  picked?: readonly TagRef[] | undefined
  /** Milliseconds since 1970. */
  kept_at: number
}

export interface Typed {
  values: ItemValues
  etag?: string | undefined
  tagsBefore?: readonly string[] | undefined
  picked?: readonly TagRef[] | undefined
}

/** What the drafts of an item's form are kept under; without an id those of new items. */
export const formOf = (userId: string, kind: Pick<ItemKind, 'name'>, id = 'new'): string =>
  `${userId}:${kind.name}:${id}`

const PREFIX = 'draft:'
/** A database that does not respond must not delay leaving the form. */
const PATIENCE_MS = 2000
const store = createStore('kopilka-drafts', 'drafts')

const toDraft = (place: string, stored: unknown): Draft | undefined => {
  const parsed = z.safeParse(storedDraft, stored)
  return parsed.success ? { place, ...parsed.data } : undefined
}

const fromLocalStorage = (place: string): Draft | undefined => {
  try {
    return toDraft(place, JSON.parse(localStorage.getItem(PREFIX + place) ?? ''))
  } catch {
    return undefined
  }
}

/** Where the database does not open (some private windows) local storage is all there is. */
const read = async (place: string): Promise<Draft | undefined> =>
  toDraft(place, await get(place, store).catch(() => undefined)) ?? fromLocalStorage(place)

/** Moves drafts from local storage to the database, unless it has newer ones. */
const moveFromLocalStorage = async (): Promise<void> => {
  const places = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX))
  for (const key of places) {
    const place = key.slice(PREFIX.length)
    const text = localStorage.getItem(key)
    const { place: _, ...draft } = fromLocalStorage(place) ?? { place, kept_at: 0 }
    const known = toDraft(place, await get(place, store))
    if ('values' in draft && draft.kept_at > (known?.kept_at ?? 0)) await set(place, draft, store)
    // Unless the form has written there meanwhile.
    if (localStorage.getItem(key) === text) localStorage.removeItem(key)
  }
}

/** The draft kept at a place, if there is one. */
export const readDraft = async (place: string): Promise<Draft | undefined> => {
  await moveFromLocalStorage().catch(() => undefined)
  return read(place)
}

/** Every place that has a draft. */
export const allPlaces = async (): Promise<string[]> => {
  await moveFromLocalStorage().catch(() => undefined)
  const inDatabase = await keys<string>(store).catch(() => [])
  const inLocalStorage = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX))
  return [...new Set([...inDatabase, ...inLocalStorage.map((key) => key.slice(PREFIX.length))])]
}

/** All drafts, of every user and form. */
export const allDrafts = async (): Promise<(Draft | undefined)[]> =>
  Promise.all((await allPlaces()).map(readDraft))

/** The drafts of a form (`user:kind:item`), the newest first. */
export const draftsOf = async (form: string): Promise<Draft[]> => {
  const places = await allPlaces()
  const drafts = await Promise.all(places.filter((place) => place.startsWith(`${form}:`)).map(read))
  return drafts.filter((draft) => draft !== undefined).toSorted((one, other) => other.kept_at - one.kept_at)
}

const inTime = (work: Promise<void>): Promise<void> =>
  Promise.race([work, new Promise<never>((_, reject) => setTimeout(reject, PATIENCE_MS))])

/** Keeps a draft; returns whether it is kept. */
export const keepDraft = async (place: string, typed: Typed): Promise<boolean> => {
  try {
    await inTime(set(place, { ...typed, kept_at: Date.now() }, store))
    localStorage.removeItem(PREFIX + place)
    return true
  } catch {
    return keepDraftNow(place, typed)
  }
}

/** Changes a draft, and puts it into the place that it then names, as old as it is, unless that has a newer one. */
export const moveDraft = async (from: string, change: (draft: Draft) => Draft): Promise<void> => {
  const draft = await readDraft(from)
  if (!draft) return
  const { place: to, ...moved } = change(draft)
  const known = to === from ? undefined : await read(to)
  if (moved.kept_at > (known?.kept_at ?? 0)) await set(to, moved, store)
  if (to !== from) await dropDraft(from)
}

/** Keeps a draft synchronously, before the page unloads; returns whether it is kept. */
export const keepDraftNow = (place: string, typed: Typed): boolean => {
  try {
    localStorage.setItem(PREFIX + place, JSON.stringify({ ...typed, kept_at: Date.now() }))
    return true
  } catch {
    return false
  }
}

export const dropDraft = async (place: string): Promise<void> => {
  localStorage.removeItem(PREFIX + place)
  await del(place, store).catch(() => undefined)
}

/** Drops all of a user's drafts. */
export const dropDraftsOf = async (userId: string): Promise<void> => {
  for (const place of await allPlaces()) if (place.startsWith(`${userId}:`)) await dropDraft(place)
}

/** Drops the drafts of everybody else: those who sign in to this browser leave nothing of each other's in it. */
export const dropDraftsOfOthers = async (userId: string): Promise<void> => {
  for (const place of await allPlaces()) if (!place.startsWith(`${userId}:`)) await dropDraft(place)
}

/** The places of a user's drafts of existing items, except those of one form. */
export const otherDraftPlaces = async (userId: string, form?: string): Promise<string[]> =>
  (await allPlaces()).filter(
    (place) => place.startsWith(`${userId}:`) && !place.includes(':new:') && !place.startsWith(`${form}:`),
  )

/** Applies the values of a draft to those of a form; leaves out values without a field. */
export const applyDraft = (saved: ItemValues, { values }: Pick<Draft, 'values'>): ItemValues =>
  Object.fromEntries(
    Object.entries(saved).map(([name, value]) => {
      const typed = values[name]
      return [name, isText(typed) ? typed : value]
    }),
  )

/**
 * The values of a draft over those of the item as it is now. Tags that others have added or deleted since the draft was begun stay
 * so: deleted ones do not come back.
 */
export const applyDraftToItem = (
  saved: ItemValues,
  draft: Pick<Draft, 'values' | 'tagsBefore'>,
): ItemValues => {
  const values = applyDraft(saved, draft)
  const { tags } = values
  const { tagsBefore } = draft
  if (!Array.isArray(saved.tags) || !Array.isArray(tags) || !tagsBefore) return values
  const has = (names: readonly string[], name: string) =>
    names.some((other) => tagNameKey(other) === tagNameKey(name))
  const kept = saved.tags.filter((name) => has(tags, name) || !has(tagsBefore, name))
  return { ...values, tags: [...kept, ...tags.filter((name) => !has(tagsBefore, name) && !has(kept, name))] }
}

const isText = (value: unknown): value is string | string[] =>
  typeof value === 'string' || (Array.isArray(value) && value.every((part) => typeof part === 'string'))

/** Whether two forms hold the same. The order of tags counts. */
export const isSame = (one: ItemValues, other: ItemValues): boolean => {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].every((name) => isSameValue(one[name], other[name]))
}

const isSameValue = (one: ItemValues[string], other: ItemValues[string]): boolean =>
  Array.isArray(one) && Array.isArray(other)
    ? one.length === other.length && one.every((part, at) => part === other[at])
    : one === other
