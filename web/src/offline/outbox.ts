import { giveUpCopy } from './copy-store.ts'
import { isFull, isUnreadable, read, write } from './database.ts'
import { type Entry, etagOf, isEntry, isLocalEtag, localEtag } from './entry.ts'
import type { Outbox, Sent } from './sending.ts'

/** What waits, but cannot be sent: the browser or this version of the page cannot read it. */
export interface Unreadable {
  /** Its place in the order. */
  readonly number: number
  /** What is left of it; undefined where that is nothing. */
  readonly value: unknown
}

/** All that waits, in its order. */
export async function readOutbox(signIn: string): Promise<{ entries: Entry[]; unreadable: Unreadable[] }> {
  const entries: Entry[] = []
  const unreadable: Unreadable[] = []
  for (const [number, value] of await valuesIn(signIn)) {
    if (isEntry(value)) entries.push(value)
    else unreadable.push({ number, value })
  }
  return { entries, unreadable }
}

async function valuesIn(signIn: string): Promise<(readonly [number: number, value: unknown])[]> {
  try {
    return await read(signIn, ['outbox'], async (transaction) => {
      const store = transaction.objectStore('outbox')
      const [numbers, values] = await Promise.all([store.getAllKeys(), store.getAll()])
      return numbers.map((number, at) => [number, values[at]] as const)
    })
  } catch (failure) {
    if (!isUnreadable(failure)) throw failure
  }
  // One value that cannot be read makes a transaction fail: each has its own.
  const numbers = await read(signIn, ['outbox'], (transaction) =>
    transaction.objectStore('outbox').getAllKeys(),
  )
  const values = numbers.map(async (number) => {
    try {
      const value = await read(signIn, ['outbox'], (transaction) =>
        transaction.objectStore('outbox').get(number),
      )
      // Another tab may have sent it meanwhile.
      return value === undefined ? [] : [[number, value] as const]
    } catch (failure) {
      if (!isUnreadable(failure)) throw failure
      return [[number, undefined] as const]
    }
  })
  return (await Promise.all(values)).flat()
}

/** Deletes what cannot be read. */
export const removeUnreadable = (signIn: string, number: number): Promise<void> =>
  write(signIn, ['outbox'], (transaction) => transaction.objectStore('outbox').delete(number), 'strict')

/** The changes that wait, in the database of a sign-in. */
export const outboxOf = (signIn: string): Outbox => ({
  entries: async () => (await readOutbox(signIn)).entries,

  resolved: () =>
    read(signIn, ['resolved'], async (transaction) => {
      const store = transaction.objectStore('resolved')
      const [keys, values] = await Promise.all([store.getAllKeys(), store.getAll()])
      return new Map(keys.map((key, at) => [key, values[at]?.real ?? key]))
    }),

  settle: (key, sent) =>
    makingRoom(
      signIn,
      () => settle(signIn, key, sent),
      () => settle(signIn, key, { resolved: sent.resolved, tags: [], pictures: sent.pictures ?? [] }),
    ),

  noteTags: (key, tags) =>
    makingRoom(signIn, () =>
      change(signIn, key, (entry) => ({ ...entry, sentTags: [...(entry.sentTags ?? []), tags] })),
    ),

  block: (key, state, error) =>
    makingRoom(signIn, () => change(signIn, key, (entry) => ({ ...entry, state, error }))),

  kept: (id) =>
    read(signIn, ['items', 'texts'], async (transaction) => {
      const item = await transaction.objectStore('items').get(id)
      const text = await transaction.objectStore('texts').get(id)
      return item && { item, text: text ?? '' }
    }),

  picture: (id) =>
    read(
      signIn,
      ['pictures'],
      async (transaction) => (await transaction.objectStore('pictures').get(id))?.picture,
    ),
})

/** Does what sending has to keep; where the browser has no room for it, the copy makes room, and it is done `afterwards`. */
async function makingRoom(
  signIn: string,
  work: () => Promise<void>,
  afterwards: () => Promise<void> = work,
): Promise<void> {
  try {
    await work()
  } catch (failure) {
    if (!isFull(failure)) throw failure
    await giveUpCopy(signIn)
    await afterwards()
  }
}

/** Takes an entry out, with all that follows from it. */
const settle = (
  signIn: string,
  key: string,
  { resolved, whole, tags, pictures = [], removedItem, removedTag }: Sent,
): Promise<void> =>
  write(
    signIn,
    ['outbox', 'resolved', 'pictures', 'items', 'texts', 'tags', 'changed'],
    async (transaction, owner) => {
      const outbox = transaction.objectStore('outbox')
      const number = await outbox.index('key').getKey(key)
      if (number !== undefined) await outbox.delete(number)
      const revision = owner.revision + 1
      await transaction.objectStore('owner').put({ ...owner, revision }, 'owner')
      const changed = [...(whole ? [whole.item.id] : []), ...(removedItem === undefined ? [] : [removedItem])]
      if (changed.length > 0) await transaction.objectStore('changed').put(changed, revision)
      for (const [local, real] of resolved)
        await transaction.objectStore('resolved').put({ real, at: Date.now() }, local)
      for (const id of pictures) await transaction.objectStore('pictures').delete(id)
      // The copy has it too, before the changes since bring it.
      const items = transaction.objectStore('items')
      const texts = transaction.objectStore('texts')
      if (whole) {
        await items.put(whole.item)
        await texts.put(whole.text, whole.item.id)
      }
      for (const tag of tags) await transaction.objectStore('tags').put({ id: tag.id, name: tag.name })
      if (removedItem !== undefined) {
        await items.delete(removedItem)
        await texts.delete(removedItem)
      }
      if (removedTag === undefined) return
      await transaction.objectStore('tags').delete(removedTag)
      for (const item of await items.index('tags').getAll(removedTag))
        await items.put({ ...item, tags: item.tags.filter((id) => id !== removedTag) })
    },
    'strict',
  )

const change = (signIn: string, key: string, changed: (entry: Entry) => Entry): Promise<void> =>
  write(
    signIn,
    ['outbox'],
    async (transaction) => {
      const outbox = transaction.objectStore('outbox')
      const number = await outbox.index('key').getKey(key)
      const entry = number === undefined ? undefined : await outbox.get(number)
      if (isEntry(entry)) await outbox.put(changed(entry), number)
    },
    'strict',
  )

/** Adds changes behind the others. */
export const addEntries = (signIn: string, entries: readonly Entry[]): Promise<void> =>
  write(
    signIn,
    ['outbox'],
    async (transaction) => {
      for (const entry of entries) await transaction.objectStore('outbox').add(entry)
    },
    'strict',
  )

/** Takes entries out, and puts another one in the place of the first; where none is left, nothing: they were sent or given up. */
export const replaceEntries = (
  signIn: string,
  keys: readonly string[],
  instead: Entry | undefined,
): Promise<void> =>
  write(
    signIn,
    ['outbox'],
    async (transaction) => {
      const outbox = transaction.objectStore('outbox')
      let place: number | undefined
      for (const key of keys) {
        const number = await outbox.index('key').getKey(key)
        if (number === undefined) continue
        place ??= number
        await outbox.delete(number)
      }
      if (instead && place !== undefined) await outbox.put(instead, place)
    },
    'strict',
  )

/**
 * Takes out a change of tags or of a pin; does nothing where it has been sent. What was made over it, also by a form that is open,
 * counts as made over what it was made over.
 */
export async function removeTagChange(signIn: string, { key, change }: Entry): Promise<void> {
  const version = localEtag(key)
  const followers = (await readOutbox(signIn)).entries.filter((entry) => etagOf(entry.change) === version)
  await write(
    signIn,
    ['outbox', 'resolved'],
    async (transaction) => {
      const outbox = transaction.objectStore('outbox')
      const resolved = transaction.objectStore('resolved')
      const number = await outbox.index('key').getKey(key)
      const before = etagOf(change)
      if (number === undefined) return
      await outbox.delete(number)
      if (before === undefined) return
      for (const follower of followers) {
        const other = await outbox.index('key').getKey(follower.key)
        const entry = other === undefined ? undefined : await outbox.get(other)
        if (isEntry(entry) && 'etag' in entry.change)
          await outbox.put({ ...entry, change: { ...entry.change, etag: before } }, other)
      }
      const real = (await resolved.get(before))?.real ?? before
      if (!isLocalEtag(real)) await resolved.put({ real, at: Date.now() }, version)
    },
    'strict',
  )
}

export const keepPicture = (signIn: string, id: string, picture: Blob): Promise<unknown> =>
  write(
    signIn,
    ['pictures'],
    (transaction) => transaction.objectStore('pictures').put({ picture, at: Date.now() }, id),
    'strict',
  )

/** How many changes wait, and how many of the pictures that wait these changes name, or a text does. */
export async function countUnsent(
  signIn: string,
  text: string,
): Promise<{ changes: number; pictures: number }> {
  const values = await valuesIn(signIn)
  const ids = await read(signIn, ['pictures'], (transaction) =>
    transaction.objectStore('pictures').getAllKeys(),
  )
  const texts = JSON.stringify(values) + text
  return { changes: values.length, pictures: ids.filter((id) => texts.includes(id)).length }
}

/** Screens that know an item or a picture by an id of this browser's are gone by then. */
const KEPT_FOR = 30 * 24 * 60 * 60_000

/** Forgets ids and pictures of this browser's that nothing names any more: nothing waits, nor do the texts of drafts name them. */
export const forgetOldIds = (signIn: string, texts: string): Promise<void> =>
  write(signIn, ['outbox', 'resolved', 'pictures'], async (transaction) => {
    if ((await transaction.objectStore('outbox').count()) > 0) return
    const before = Date.now() - KEPT_FOR
    for (const name of ['resolved', 'pictures'] as const)
      for await (const { value, primaryKey } of transaction.objectStore(name))
        if (value.at < before && !texts.includes(primaryKey))
          await transaction.objectStore(name).delete(primaryKey)
  })
