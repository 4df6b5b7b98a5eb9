import type { TagRef } from '@kopilka/contract/items.ts'
import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB, type StoreNames } from 'idb'
import { DATABASE } from '../api/copy-session.ts'
import type { KeptItem } from './kept-item.ts'
import type { IndexState } from './search/index-log.ts'
import type { KeptIndex } from './search/search-engine.ts'

/** Of the copy. Another number wherever {@link KeptItem}, or how its fields follow from others, changes: the copy starts over. */
const FORMAT = 1

/** Whose the database is, and how far the copy has come. */
interface Owner {
  readonly format: number
  readonly user: string
  /** The sign-in that it belongs to. */
  readonly signIn: string
  /** Where the copy goes on; absent before its first page. */
  readonly cursor?: string | undefined
  /** Whether the copy has everything, or did when it was last followed. */
  readonly isWhole: boolean
  /** Another number with every change of the copy. */
  readonly revision: number
  /** The copy was given up for want of room, and has not been whole since. */
  readonly hasNoRoom?: boolean
  /**
   * The last sign-ins whose users signed out: a browser that is killed soon after may have local storage of before that, with the
   * tokens (app/revived-session.ts).
   */
  readonly signedOut?: readonly string[]
}

/** So many of them are remembered: local storage is written within seconds. */
const MAX_SIGNED_OUT = 5

const NOBODY: Owner = { format: FORMAT, user: '', signIn: 'ended', isWhole: false, revision: 0 }

interface Schema extends DBSchema {
  owner: { key: 'owner'; value: Owner }
  items: { key: string; value: KeptItem; indexes: { tags: string } }
  texts: { key: string; value: string }
  tags: { key: string; value: TagRef }
  /** The ids of items that a revision of the copy has changed: see search/index-storage.ts. */
  changed: { key: number; value: readonly string[] | 'all' }
  keptIndex: { key: 'index'; value: KeptIndex }
  /** Of the kept index, which has megabytes. */
  indexState: { key: 'state'; value: IndexState }
  /** Changes that wait, by the numbers of their order: each an `Entry`, unless it is broken or of a newer version of the page. */
  outbox: { key: number; value: unknown; indexes: { key: string } }
  /** What ids, versions and pictures of this browser's have become on the server. */
  resolved: { key: string; value: { readonly real: string; readonly at: number } }
  /** Pictures that wait, by ids of this browser's. */
  pictures: { key: string; value: { readonly picture: Blob; readonly at: number } }
}

type Store = StoreNames<Schema>

export const COPY = [
  'items',
  'texts',
  'tags',
  'changed',
  'keptIndex',
  'indexState',
] as const satisfies Store[]
const WAITING = ['outbox', 'resolved', 'pictures'] as const satisfies Store[]
const ALL = ['owner', ...COPY, ...WAITING] as const satisfies Store[]

let opened: Promise<IDBPDatabase<Schema>> | undefined

/** The database; fails where the browser has none for this page, as in some private windows. */
const database = (): Promise<IDBPDatabase<Schema>> => {
  const forget = () => {
    opened = undefined
  }
  opened ??= openDB<Schema>(DATABASE, 1, {
    upgrade(db) {
      db.createObjectStore('owner')
      db.createObjectStore('items', { keyPath: 'id' }).createIndex('tags', 'tags', { multiEntry: true })
      db.createObjectStore('texts')
      db.createObjectStore('tags', { keyPath: 'id' })
      db.createObjectStore('changed')
      db.createObjectStore('keptIndex')
      db.createObjectStore('indexState')
      db.createObjectStore('outbox', { autoIncrement: true }).createIndex('key', 'key', { unique: true })
      db.createObjectStore('resolved')
      db.createObjectStore('pictures')
    },
    blocking: (_version, _blocked, event) => {
      forget()
      if (event.target instanceof IDBDatabase) event.target.close()
    },
    terminated: forget,
  })
  opened.catch(forget)
  return opened
}

/** The database belongs to another sign-in by now, to another version of the page, or to nobody. */
export class OtherOwner extends Error {}

type Reading<Stores extends Store> = IDBPTransaction<Schema, [...Stores[], 'owner'], 'readonly'>
type Writing<Stores extends Store> = IDBPTransaction<Schema, [...Stores[], 'owner'], 'readwrite'>

const ownerIn = async (
  transaction: { objectStore(name: 'owner'): { get(key: 'owner'): Promise<Owner | undefined> } },
  signIn: string,
): Promise<Owner> => {
  const owner = await transaction.objectStore('owner').get('owner')
  if (owner?.signIn !== signIn || owner.format !== FORMAT) throw new OtherOwner()
  return owner
}

/** Reads what belongs to a sign-in. Fails with {@link OtherOwner}. */
export async function read<Stores extends Store, T>(
  signIn: string,
  stores: readonly Stores[],
  work: (transaction: Reading<Stores>, owner: Owner) => Promise<T>,
): Promise<T> {
  const transaction = (await database()).transaction<[...Stores[], 'owner'], 'readonly'>([...stores, 'owner'])
  // A request that fails says so itself.
  transaction.done.catch(() => {})
  return work(transaction, await ownerIn(transaction, signIn))
}

/** Writes all or nothing. Fails with {@link OtherOwner}. `strict`: what is written is on the disk once it resolves. */
export async function write<Stores extends Store, T>(
  signIn: string,
  stores: readonly Stores[],
  work: (transaction: Writing<Stores>, owner: Owner) => Promise<T>,
  durability: 'strict' | 'relaxed' = 'relaxed',
): Promise<T> {
  const transaction = (await database()).transaction<[...Stores[], 'owner'], 'readwrite'>(
    [...stores, 'owner'],
    'readwrite',
    { durability },
  )
  try {
    const result = await work(transaction, await ownerIn(transaction, signIn))
    await transaction.done
    return result
  } catch (failure) {
    transaction.done.catch(() => {})
    try {
      transaction.abort()
    } catch {
      // It has failed by itself, and knows of what better than the request that it ended.
      throw transaction.error ?? failure
    }
    throw failure
  }
}

/** The browser cannot read a value, whose file may be lost. Where the database ends meanwhile, nothing is said of a value. */
export const isUnreadable = (failure: unknown): boolean =>
  failure instanceof DOMException && !['AbortError', 'InvalidStateError'].includes(failure.name)

/** The browser gives this page no more room. */
export const isFull = (failure: unknown): boolean =>
  failure instanceof DOMException && failure.name === 'QuotaExceededError'

/**
 * Makes the database that of a sign-in. Of another user nothing is left; of an earlier sign-in of the same user, and of a copy in
 * another format, the changes that wait stay.
 */
export async function claim(user: string, signIn: string): Promise<Owner> {
  const transaction = (await database()).transaction(ALL, 'readwrite', { durability: 'strict' })
  const owners = transaction.objectStore('owner')
  let owner = await owners.get('owner')
  if (owner?.user !== user || owner.signIn !== signIn || owner.format !== FORMAT) {
    for (const store of owner?.user === user ? COPY : [...COPY, ...WAITING])
      await transaction.objectStore(store).clear()
    const { revision = 0, signedOut } = owner ?? {}
    owner = {
      format: FORMAT,
      user,
      signIn,
      isWhole: false,
      revision: revision + 1,
      ...(signedOut && { signedOut }),
    }
    await owners.put(owner, 'owner')
  }
  await transaction.done
  return owner
}

/** Remembers that the user has signed out. */
export async function noteSignOut(signIn: string): Promise<void> {
  const transaction = (await database()).transaction('owner', 'readwrite', { durability: 'strict' })
  const owner = (await transaction.store.get('owner')) ?? NOBODY
  const others = (owner.signedOut ?? []).filter((other) => other !== signIn)
  const signedOut = [...others, signIn].slice(-MAX_SIGNED_OUT)
  await transaction.store.put({ ...owner, signedOut }, 'owner')
  await transaction.done
}

/**
 * Deletes what the browser keeps of a sign-in; `butWaiting`: but for the changes that wait, which are for the same user alone.
 * A user who has signed in since keeps theirs.
 */
export async function abandon(signIn: string, butWaiting: boolean): Promise<void> {
  const transaction = (await database()).transaction(ALL, 'readwrite', { durability: 'strict' })
  const owners = transaction.objectStore('owner')
  let owner = await owners.get('owner')
  if (owner?.signIn === signIn) {
    for (const store of butWaiting ? COPY : [...COPY, ...WAITING])
      await transaction.objectStore(store).clear()
    const { user, revision, signedOut } = owner
    owner = { ...NOBODY, ...(butWaiting && { user }), revision, ...(signedOut && { signedOut }) }
    await owners.put(owner, 'owner')
  }
  await transaction.done
}
