import { tagNameKey } from '@kopilka/contract/fields.ts'
import { currentSignIn } from '../api/tokens.ts'
import { isCopyStorageFull, readCopy } from './copy-store.ts'
import {
  type Change,
  type Entry,
  etagOf,
  folded,
  givenUpWith,
  isRemoval,
  knownTagsOf,
  newTagsOf,
  type SavedFields,
  siblingsOf,
  targetOf,
  withEntries,
} from './entry.ts'
import {
  outboxOf,
  readOutbox,
  removeTagChange,
  removeUnreadable,
  replaceEntries,
  type Unreadable,
} from './outbox.ts'
import { noteGivenUp, sendNow, showWaiting } from './rounds.ts'
import { sendable } from './sending.ts'

/* What the user decides of changes that wait. */

const signedIn = (): string => {
  const signIn = currentSignIn()
  if (signIn === undefined) throw new Error('signed out')
  return signIn
}

/**
 * A change that waits. `isRemoved`: the last one of the same item or tag deletes it. `isBehind`: it is sent once the user has decided
 * about another one.
 */
interface WaitingChange {
  readonly entry: Entry
  readonly isRemoved: boolean
  readonly isBehind: boolean
}

/** The changes that wait, in the order in which they are sent, and what waits but cannot be read. */
export async function waitingChanges(): Promise<{
  readonly changes: readonly WaitingChange[]
  readonly unreadable: readonly Unreadable[]
}> {
  const signIn = signedIn()
  const [{ entries, unreadable }, resolved] = await Promise.all([
    readOutbox(signIn),
    outboxOf(signIn).resolved(),
  ])
  const latest = new Map(entries.map((entry) => [targetOf(entry, resolved), entry.change]))
  const unblocked = new Set(sendable(entries, resolved))
  const changes = entries.map((entry) => ({
    entry,
    isBehind: entry.state === 'waiting' && !unblocked.has(entry),
    isRemoved: isRemoval(latest.get(targetOf(entry, resolved)) ?? entry.change),
  }))
  return { changes, unreadable }
}

export async function discardUnreadable({ number }: Unreadable): Promise<void> {
  const signIn = signedIn()
  await removeUnreadable(signIn, number)
  await showWaiting(signIn)
}

/** Whether there is no copy of the account because the browser has no room for it. */
export const isStorageFull = (): Promise<boolean> => isCopyStorageFull(signedIn())

/** All changes that wait, and among them those of the same item or tag. */
async function waitingBeside(
  entry: Entry,
): Promise<{ entries: readonly Entry[]; siblings: readonly Entry[] }> {
  const outbox = outboxOf(signedIn())
  const [entries, resolved] = await Promise.all([outbox.entries(), outbox.resolved()])
  return { entries, siblings: siblingsOf(entry, entries, resolved) }
}

/** The changes of the same item or tag. */
const siblings = async (entry: Entry): Promise<readonly Entry[]> => (await waitingBeside(entry)).siblings

/** The id by which the server knows the item or tag, where it does. */
export const idOnServer = async ({ target }: Entry): Promise<string> =>
  (await outboxOf(signedIn()).resolved()).get(target) ?? target

/** The version that a change was made over, as the server knows it. */
export const versionBefore = async ({ change }: Entry): Promise<string | undefined> => {
  const etag = etagOf(change)
  return etag === undefined ? undefined : ((await outboxOf(signedIn()).resolved()).get(etag) ?? etag)
}

/** The item as the user left it; undefined where no text waits. */
export const ownVersion = async (entry: Entry): Promise<OwnVersion | undefined> =>
  versionOf(entry, await siblings(entry))

type OwnVersion = SavedFields & { tags: string[] }

async function versionOf(entry: Entry, all: readonly Entry[]): Promise<OwnVersion | undefined> {
  const signIn = signedIn()
  const change = folded(all, undefined)
  if (!change || !('body' in change) || change.action === 'change') return undefined
  const { copy } = await readCopy(signIn)
  const resolved = await outboxOf(signIn).resolved()
  const { items, tags } = withEntries(copy, all, resolved)
  const item = items.get(resolved.get(entry.target) ?? entry.target)
  const named = item?.tags.flatMap((id) => tags.get(id) ?? [])
  return { ...change.body, tags: named ?? change.body.tags ?? tagsOfDeleted(all, change.body) }
}

/** The tags of an item that is deleted elsewhere, with the changes of this browser. */
function tagsOfDeleted(all: readonly Entry[], { add_tags = [], remove_tags = [] }: SavedFields): string[] {
  const others = new Set([...add_tags, ...remove_tags].map(tagNameKey))
  const before = all.find(({ tagsBefore }) => tagsBefore)?.tagsBefore ?? []
  return [...before.filter((name) => !others.has(tagNameKey(name))), ...add_tags]
}

/** The name that the user gave a tag last; undefined where they deleted it then. */
export async function ownName(entry: Entry): Promise<string | undefined> {
  const last = (await siblings(entry)).at(-1)?.change
  return last?.action === 'renameTag' ? last.name : undefined
}

/** Puts one change in the place of `all` of the same item, which it was made from. */
async function replace(
  entry: Entry,
  all: readonly Entry[],
  change: Change,
  target = entry.target,
): Promise<void> {
  const signIn = signedIn()
  const { copy } = await readCopy(signIn)
  const instead = {
    ...{ ...entry, change, target, key: crypto.randomUUID(), state: 'waiting' as const },
    ...{ error: undefined, sentTags: undefined },
    newTags: {
      ...newTagsOf(copy, change),
      ...Object.assign({}, ...all.map(({ newTags }) => newTags)),
    },
    knownTags: {
      ...knownTagsOf(copy, change),
      ...Object.assign({}, ...all.map(({ knownTags }) => knownTags)),
    },
  }
  const keys = all.map(({ key }) => key)
  await replaceEntries(signIn, keys, instead)
  await showWaiting(signIn)
  sendNow()
}

/** Has the server take the changes over the version that it has now. */
export async function keepMine(entry: Entry, etag: string | undefined): Promise<void> {
  const all = await siblings(entry)
  const change = folded(all, etag)
  if (change) await replace(entry, all, change)
}

/**
 * Gives a change up, and those of the same item or tag after it, which were made over it, or of tags that it would create. A text that
 * follows tags or a pin is not made over them: it follows what they followed.
 */
export async function discard(entry: Entry): Promise<void> {
  const { entries, siblings } = await waitingBeside(entry)
  const keys = siblings.map(({ key }) => key)
  const from = keys.indexOf(entry.key)
  // It may have been sent meanwhile.
  if (from < 0) return
  const isText = entry.change.action !== 'change'
  const lost = givenUpWith(isText ? keys.slice(from) : [entry.key], entries)
  if (!isText) await removeTagChange(signedIn(), entry)
  await takeOut(lost)
}

async function takeOut(keys: readonly string[]): Promise<void> {
  const signIn = signedIn()
  await replaceEntries(signIn, keys, undefined)
  await showWaiting(signIn)
  sendNow()
  await noteGivenUp(signIn)
}

/** Has the item or tag stay. What was changed before it was deleted still waits. */
export async function takeRemovalBack(entry: Entry): Promise<void> {
  const last = (await siblings(entry)).at(-1)
  if (last && isRemoval(last.change)) await takeOut([last.key])
}

/** Leaves the item as it is, and adds the user's version as a new one. */
export async function keepBoth(entry: Entry): Promise<void> {
  const all = await siblings(entry)
  const own = await versionOf(entry, all)
  if (!own || !('kind' in entry.change)) return discard(entry)
  const { add_tags: _added, remove_tags: _removed, ...body } = own
  await replace(entry, all, { action: 'create', kind: entry.change.kind, body }, crypto.randomUUID())
}

/** Sends a refused change once more, as it is. */
export const sendAgain = async (entry: Entry): Promise<void> => {
  const signIn = signedIn()
  await replaceEntries(signIn, [entry.key], { ...entry, state: 'waiting', error: undefined })
  await showWaiting(signIn)
  sendNow()
}
