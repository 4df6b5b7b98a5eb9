import { bulk } from '@kopilka/contract/bulk.ts'
import type { ChangesPage } from '@kopilka/contract/changes.ts'
import { t } from '../messages/offline-messages.ts'
import { showMessage } from '../ui/snackbar.ts'
import { COPY, read, write } from './database.ts'
import { deltaOf, type KeptItem, type KeptWhole, kept } from './kept-item.ts'
import { yieldToPage } from './pause.ts'
import type { Copy } from './responses.ts'
import { type Written, writtenBy, writtenIds } from './written.ts'

/** Items that are read from the database at once: some 10 ms. */
const AT_ONCE = 1000

/** Milliseconds for which work in the background holds up the page at once. */
const SLICE_MS = 10

/** Reads the texts of a page of changes, a megabyte at most, without holding up what somebody types. */
async function keptInSlices(items: readonly Parameters<typeof kept>[0][]): Promise<KeptWhole[]> {
  const wholes: KeptWhole[] = []
  let start = performance.now()
  for (const item of items) {
    if (performance.now() - start > SLICE_MS) {
      await yieldToPage()
      start = performance.now()
    }
    wholes.push(kept(item))
  }
  return wholes
}

/** Where the copy was when a page of changes was asked for. */
interface Asked {
  readonly cursor?: string | undefined
  readonly revision: number
}

/**
 * Applies a page of changes, which starts the copy over where there was no cursor; returns whether there were any. Undefined where
 * the copy has changed since: the page may be older than what was saved meanwhile, and has to be asked for again.
 */
export async function applyPage(
  signIn: string,
  page: ChangesPage,
  { cursor, revision }: Asked,
): Promise<boolean | undefined> {
  const first = cursor === undefined
  const delta = deltaOf(page, await keptInSlices([...page.notes, ...page.urllinks]))
  return write(signIn, ['items', 'texts', 'tags', 'changed'], async (transaction, owner) => {
    if (owner.revision !== revision) return undefined
    const items = transaction.objectStore('items')
    const texts = transaction.objectStore('texts')
    const tags = transaction.objectStore('tags')
    if (first) await Promise.all([items.clear(), texts.clear(), tags.clear()])
    const writes: Promise<unknown>[] = []
    const ids = [...delta.wholes.map(({ item }) => item.id), ...delta.changed.map(({ id }) => id)]
    ids.push(...delta.deletedItems)
    for (const { item, text } of delta.wholes) writes.push(items.put(item), texts.put(text, item.id))
    for (const { id, ...changed } of delta.changed) {
      const item = await items.get(id)
      if (item) writes.push(items.put({ ...item, ...changed }))
    }
    for (const tag of delta.tags) writes.push(tags.put(tag))
    for (const id of delta.deletedItems) writes.push(items.delete(id), texts.delete(id))
    for (const id of delta.deletedTags) {
      writes.push(tags.delete(id))
      for (const item of await items.index('tags').getAll(id))
        writes.push(items.put({ ...item, tags: item.tags.filter((tag) => tag !== id) }))
    }
    const isWhole = !page.has_more || (owner.isWhole && !first)
    const hasNoRoom = Boolean(owner.hasNoRoom) && !isWhole
    const now = { ...owner, cursor: page.next, isWhole, hasNoRoom, revision: owner.revision + 1 }
    writes.push(transaction.objectStore('owner').put(now, 'owner'))
    if (first || ids.length > 0)
      writes.push(transaction.objectStore('changed').put(first ? 'all' : ids, now.revision))
    await Promise.all(writes)
    return ids.length + delta.tags.length + delta.deletedTags.length > 0
  })
}

/** Forgets the copy, which starts over. */
export const forgetCopy = (signIn: string): Promise<unknown> =>
  write(signIn, [], (transaction, owner) =>
    transaction.objectStore('owner').put({ ...owner, cursor: undefined, isWhole: false }, 'owner'),
  )

/** The sign-in whose copy has been given up. */
let givenUp: string | undefined

/** Whether there was no room for the copy since this page opened. */
export const isGivenUp = (signIn: string): boolean => givenUp === signIn

/** Makes room for what waits: the copy is emptied, and starts over when the page opens next. A message says so, once. */
export async function giveUpCopy(signIn: string): Promise<void> {
  givenUp = signIn
  const isKnown = await write(signIn, COPY, async (transaction, owner) => {
    const revision = owner.revision + 1
    for (const store of COPY) await transaction.objectStore(store).clear()
    await transaction.objectStore('changed').put('all', revision)
    const now = { ...owner, cursor: undefined, isWhole: false, hasNoRoom: true, revision }
    await transaction.objectStore('owner').put(now, 'owner')
    return owner.hasNoRoom
  })
  if (!isKnown) showStorageFull()
}

/** Whether there is no copy because the browser has no room for it. */
export const isCopyStorageFull = (signIn: string): Promise<boolean> =>
  read(signIn, [], async (_, owner) => Boolean(owner.hasNoRoom))

export const showStorageFull = (): void => showMessage(t('offline.noRoom'), 'error')

async function allItems(signIn: string): Promise<Map<string, KeptItem>> {
  const items = new Map<string, KeptItem>()
  for (let last = ''; ; ) {
    const range = IDBKeyRange.lowerBound(last, true)
    const some = await read(signIn, ['items'], (transaction) =>
      transaction.objectStore('items').getAll(range, AT_ONCE),
    )
    for (const item of some) items.set(item.id, item)
    const end = some.at(-1)
    if (!end || some.length < AT_ONCE) return items
    last = end.id
  }
}

const textsOf =
  (signIn: string): Copy['textsOf'] =>
  (ids) =>
    read(signIn, ['texts'], async (transaction) => {
      const texts = transaction.objectStore('texts')
      return new Map(await Promise.all(ids.map(async (id) => [id, (await texts.get(id)) ?? ''] as const)))
    })

/** What was read last: reading it takes a third of a second for 20,000 items. */
let known: { signIn: string; revision: number; copy: Copy } | undefined

/** Forgets what was read. */
export const forgetRead = (): void => {
  known = undefined
}

/** The copy, and whether it has everything. */
export async function readCopy(signIn: string): Promise<{ copy: Copy; isWhole: boolean }> {
  const { isWhole, revision } = await read(signIn, [], async (_, owner) => owner)
  if (known?.signIn === signIn && known.revision === revision) return { copy: known.copy, isWhole }
  const tags = await read(signIn, ['tags'], (transaction) => transaction.objectStore('tags').getAll())
  const copy: Copy = {
    items: await allItems(signIn),
    tags: new Map(tags.map(({ id, name }) => [id, name])),
    textsOf: textsOf(signIn),
  }
  known = { signIn, revision, copy }
  return { copy, isWhole }
}

/** Has the copy have what the server has just taken. */
export const keepWritten = (signIn: string, written: Written): Promise<void> =>
  write(signIn, ['items', 'texts', 'tags', 'changed'], async (transaction, owner) => {
    const revision = owner.revision + 1
    // It has not begun, or was given up: its first page may be on its way, and older than this.
    if (owner.cursor === undefined)
      return void (await transaction.objectStore('owner').put({ ...owner, revision }, 'owner'))
    const items = transaction.objectStore('items')
    const texts = transaction.objectStore('texts')
    const tags = transaction.objectStore('tags')
    const found = await Promise.all(writtenIds(written).map((id) => items.get(id)))
    const names = written.endpoint === bulk.change ? await tags.getAll() : []
    const before: Copy = {
      items: new Map(found.flatMap((item) => (item ? [[item.id, item]] : []))),
      tags: new Map(names.map(({ id, name }) => [id, name])),
      textsOf: async () => new Map(),
    }
    const delta = writtenBy(before, written)
    const ids = [...delta.wholes.map(({ item }) => item.id), ...delta.changed.map(({ id }) => id)]
    ids.push(...delta.deletedItems)
    if (ids.length === 0) return
    const writes: Promise<unknown>[] = [
      transaction.objectStore('owner').put({ ...owner, revision }, 'owner'),
      transaction.objectStore('changed').put(ids, revision),
    ]
    for (const { item, text } of delta.wholes) writes.push(items.put(item), texts.put(text, item.id))
    for (const { id, name } of delta.tags) writes.push(tags.put({ id, name }))
    for (const { id, ...changed } of delta.changed) {
      const item = before.items.get(id)
      if (item) writes.push(items.put({ ...item, ...changed }))
    }
    for (const id of delta.deletedItems) writes.push(items.delete(id), texts.delete(id))
    await Promise.all(writes)
  })
