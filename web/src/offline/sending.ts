import { bulk } from '@kopilka/contract/bulk.ts'
import type { Endpoint } from '@kopilka/contract/endpoint.ts'
import { tagNameKey } from '@kopilka/contract/fields.ts'
import { fileUrl } from '@kopilka/contract/files.ts'
import type { TagRef } from '@kopilka/contract/items.ts'
import { MAX_IDS_IN_QUERY } from '@kopilka/contract/limits.ts'
import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { type ListedTag, type Tag, tags } from '@kopilka/contract/tags.ts'
import { CallFailure, isMissing } from '../api/failure.ts'
import { isOwnId } from '../lib/own-id.ts'
import {
  type Entry,
  etagOf,
  knownTagOf,
  localEtag,
  type NameNow,
  type SendError,
  targetOf,
  withTagNames,
} from './entry.ts'
import { type KeptWhole, kept } from './kept-item.ts'
import type { CallRequest } from './responses.ts'

/*
 * Sends the changes that wait, each once and in order. What may be lost on the way is sent again: a creation by its idempotency
 * key, a save that the server has already is no conflict to it, and what is deleted already is deleted. One change at a time
 * is under way, and only one tab sends.
 */

/** What a change has become. */
export interface Sent {
  /** What ids and versions of this browser's have become on the server. */
  readonly resolved: readonly (readonly [local: string, real: string])[]
  /** The item as the server has it now. */
  readonly whole?: KeptWhole
  readonly tags: readonly TagRef[]
  /** Pictures of this browser's that the server has with the text now. */
  readonly pictures?: readonly string[]
  readonly removedItem?: string
  readonly removedTag?: string
}

/** Where the changes are kept; each function does all or nothing. */
export interface Outbox {
  /** In the order in which they were made. */
  entries(): Promise<readonly Entry[]>
  /** What ids, versions and pictures of this browser's have become. */
  resolved(): Promise<ReadonlyMap<string, string>>
  /** Takes the entry out, and keeps what it has become. */
  settle(key: string, sent: Sent): Promise<void>
  /** Keeps the names of tags with which a creation is about to be sent. */
  noteTags(key: string, tags: readonly string[]): Promise<void>
  /** Leaves the entry to the user. */
  block(key: string, state: 'conflict' | 'refused', error: SendError): Promise<void>
  /** The item as the copy has it, without the changes that wait. */
  kept(id: string): Promise<KeptWhole | undefined>
  /** The bytes of a picture that waits; undefined where none of this id does. */
  picture(id: string): Promise<Blob | undefined>
}

export interface Transport {
  /** Fails with {@link CallFailure}. */
  call(
    endpoint: Endpoint,
    request: CallRequest,
    options: { ifMatch?: string | undefined; idempotencyKey?: string; timeoutMs?: number },
  ): Promise<{ value: unknown; etag: string | undefined }>
  /** Resolves to the id of the file. */
  upload(picture: Blob): Promise<string>
  /** Whether the server itself responds now. */
  isThere(): Promise<boolean>
}

/** Why sending ended: nothing is left to send, or the server cannot be asked now; then when it may be asked again. */
export type Ending =
  | { readonly why: 'done' | 'signed-out' }
  | { readonly why: 'later'; readonly seconds?: number | undefined }

/** Milliseconds for a change of one item, though the call may change thousands. */
const ONE_ITEM_MS = 60_000
/** A version that no item is ever at. */
const NO_VERSION = '"0"'
const FILE = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g
/** How often the server may fail at one change (500) before it counts as refused: the others are not to wait for ever. */
const MAX_FAILURES = 5
/** How often a proxy may refuse a change: the server may have started after the first time. */
const MAX_OF_PROXIES = 2
/** How often a change may get no response while the server gives one to others: a proxy drops it, or it is too long for the line. */
const MAX_UNANSWERED = 5
/** Milliseconds in which it counts once: one outage may break several tries; and after which the tries before count no more. */
const [COUNTED_ONCE_MS, FORGOTTEN_MS] = [10_000, 15 * 60_000]

/** The entries that no decision holds up: none goes before another of the same item, nor before what it needs. */
export function sendable(entries: readonly Entry[], resolved: ReadonlyMap<string, string>): readonly Entry[] {
  const blocked = new Set<string>()
  return entries.filter((entry) => {
    const target = targetOf(entry, resolved)
    if (entry.state === 'waiting' && !blocked.has(target)) return true
    blocked.add(target)
    for (const id of Object.values(entry.newTags)) blocked.add(resolved.get(id) ?? id)
    return false
  })
}

const CALLS = { note: notes, urllink: links } as const

type Item = Parameters<typeof kept>[0]

const isSameTag = (one: string, other: string): boolean => tagNameKey(one) === tagNameKey(other)

/** Finds what the tags that entries name are called on the server now. */
interface TagNames {
  of(entry: Entry, resolved: ReadonlyMap<string, string>): Promise<NameNow>
  /** Keeps what sending has done to tags. */
  note(sent: Sent): void
}

/** The server is asked once, where an entry names a tag that it may have renamed, and once more for those that it has no more. */
function tagNamesBy({ call }: Transport): TagNames {
  let names: Map<string, string> | undefined
  /** What has become of tags that were merged, by their ids; undefined where they were deleted. */
  const merged = new Map<string, string | undefined>()
  const read = async (query: { merged?: string }): Promise<Map<string, string>> => {
    const found = (await call(tags.list, { query }, {})).value as ListedTag[]
    for (const { id, merged_ids = [] } of found) for (const one of merged_ids) merged.set(one, id)
    return new Map(found.map(({ id, name }) => [id, name]))
  }
  return {
    async of(entry, resolved) {
      const ids = Object.values(entry.knownTags ?? {}).map((id) => resolved.get(id) ?? id)
      if (ids.length === 0) return (name) => name
      names ??= await read({})
      const byId = names
      const gone = ids.filter((id) => !byId.has(id) && !merged.has(id) && !isOwnId(id))
      for (let from = 0; from < gone.length; from += MAX_IDS_IN_QUERY) {
        const some = gone.slice(from, from + MAX_IDS_IN_QUERY)
        for (const id of some) merged.set(id, undefined)
        names = await read({ merged: some.join() })
      }
      const now = names
      return (name) => {
        const key = tagNameKey(name)
        const known = knownTagOf(entry, name)
        if (known === undefined) return name
        const id = resolved.get(known) ?? known
        const current = now.get(id) ?? now.get(merged.get(id) ?? '')
        // Nothing that was sent has created it yet.
        if (current === undefined) return isOwnId(id) ? name : undefined
        return tagNameKey(current) === key ? name : current
      }
    },
    note({ tags, removedTag }) {
      for (const { id, name } of tags) names?.set(id, name)
      if (removedTag !== undefined) names?.delete(removedTag)
    },
  }
}

/** Creates an item. One whose creation the server knows with names of before is that one (422). */
async function create<Body extends Parameters<typeof withTagNames>[0], Response>(
  body: Body,
  { key, sentTags = [] }: Entry,
  named: NameNow,
  { send, outbox }: { send: (body: Body) => Promise<Response>; outbox: Outbox },
): Promise<Response> {
  const renamed = withTagNames(body, named)
  const sent = [...(body.tags ? [body.tags] : []), ...sentTags]
  const before = sent.filter((tags) => tags.join() !== renamed.tags?.join())
  if (renamed.tags && before.length === sent.length) await outbox.noteTags(key, renamed.tags)
  try {
    return await send(renamed)
  } catch (failure) {
    for (const tags of before) {
      if (!isOfOtherRequest(failure)) break
      const response = await send({ ...body, tags: [...tags] }).catch((other: unknown) => {
        if (!isOfOtherRequest(other)) throw other
      })
      if (response) return response
    }
    throw failure
  }
}

/** Another request has had the idempotency key. */
const isOfOtherRequest = (failure: unknown): boolean =>
  failure instanceof CallFailure && failure.status === 422

async function transmit(
  entry: Entry,
  resolved: ReadonlyMap<string, string>,
  { outbox, names, transport, uploaded }: Uploading & { names: TagNames },
): Promise<Sent> {
  const { call } = transport
  const pictures = new Map<string, string>()
  const text = async (html: string) => {
    const sent = await withPictures(html, { outbox, transport, uploaded })
    for (const [one, real] of sent.pictures) pictures.set(one, real)
    return sent.html
  }
  const { change, key } = entry
  const id = targetOf(entry, resolved)
  const params = { id }
  const ifMatch =
    'etag' in change && change.etag !== undefined ? (resolved.get(change.etag) ?? change.etag) : undefined
  if (change.action === 'renameTag') {
    const current = ((await call(tags.read, { params }, {})).value as Tag).name
    // Somebody else has given it another name since, which is not to be lost without a question.
    if (![entry.title, change.name].some((name) => isSameTag(name, current)))
      throw new CallFailure(412, { detail: current })
    const { value } = await call(tags.update, { params, body: { name: change.name } }, {})
    const { name } = value as Tag
    return { resolved: [], tags: [{ id, name }] }
  }
  if (change.action === 'removeTag') {
    await ifThere(call(tags.remove, { params }, {}))
    return { resolved: [], tags: [], removedTag: id }
  }
  const calls = CALLS[change.kind]
  if (change.action === 'remove') {
    await ifThere(call(calls.remove, { params }, { ifMatch }))
    return { resolved: [], tags: [], removedItem: id }
  }
  const named = await names.of(entry, resolved)
  let changed = 0
  if (change.action === 'change') {
    const body = withTagNames(change.body, named)
    // The server refuses a change of nothing, which is all that is left where its tags are gone.
    if (body.pinned !== undefined || body.add_tags?.length || body.remove_tags?.length) {
      const { value } = await call(bulk.change, { body: { ...body, ids: [id] } }, { timeoutMs: ONE_ITEM_MS })
      changed = (value as { changed: number }).changed
    }
  }
  const { content, description } = 'title' in change.body ? change.body : {}
  const body = {
    ...change.body,
    ...(content !== undefined && { content: await text(content) }),
    ...(description !== undefined && { description: await text(description) }),
  }
  const { value, etag } =
    change.action === 'change'
      ? await call(calls.read, { params }, {})
      : change.action === 'create'
        ? await create(body, entry, named, {
            send: (body) => call(calls.create, { body }, { idempotencyKey: key }),
            outbox,
          })
        : await call(calls.update, { params, body: withTagNames(body, named) }, { ifMatch })
  // The server's tests check every response against the schema.
  const item = value as Item
  // The server responds with the item as it is now, to a creation that was repeated as well: a change by somebody else since is
  // not to be overwritten by what follows here.
  const whole = kept({ ...item, etag: etag ?? NO_VERSION })
  const isOwn = {
    create: () => item.updated_at === item.created_at,
    update: () => true,
    change: async () =>
      etag === ifMatch ||
      (isNext(ifMatch, etag) && (changed > 0 || isSameText(whole, await outbox.kept(id), ifMatch))),
  }[change.action]
  const version = (await isOwn()) ? (etag ?? NO_VERSION) : NO_VERSION
  const made = item.tags.flatMap((tag) => {
    const name = tagNameKey(tag.name)
    // A tag may be called `constructor`.
    const local = Object.hasOwn(entry.newTags, name) ? entry.newTags[name] : undefined
    return local === undefined ? [] : [[local, tag.id] as const]
  })
  return {
    resolved: [
      ...(id === item.id ? [] : [[entry.target, item.id] as const]),
      [localEtag(key), version],
      ...made,
      ...pictures,
    ],
    whole,
    tags: item.tags,
    pictures: [...pictures.keys()],
  }
}

/** Whether a version is the one after that of before: the server counts them. */
const isNext = (before: string | undefined, after: string | undefined): boolean => {
  const [one, other] = [before, after].map((etag) => Number(/^"([1-9]\d*)"$/.exec(etag ?? '')?.[1]))
  return one !== undefined && other === one + 1
}

/**
 * Whether an item has the text that the user has seen of it, at the version `seen`. Where a change of tags or of the pin does
 * nothing, it may have been sent before, or somebody has saved the same, with another text perhaps.
 */
const isSameText = (now: KeptWhole, known: KeptWhole | undefined, seen: string | undefined): boolean =>
  known !== undefined &&
  known.item.etag === seen &&
  known.text === now.text &&
  known.item.title === now.item.title &&
  known.item.url === now.item.url

/** Undefined where the server has no such thing: what is gone already need not be deleted. */
const ifThere = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work
  } catch (failure) {
    if (!isMissing(failure)) throw failure
    return undefined
  }
}

/** What must not be done to a text that the user has not seen. */
const OF_TEXT: readonly string[] = ['update', 'remove'] satisfies Entry['change']['action'][]

/**
 * Leaves to the user the changes of items that the server has with another text than the user has seen, at the same version: a server
 * that was restored from a backup counts versions anew, and would take them.
 */
export async function blockOverOtherTexts(
  outbox: Outbox,
  { call }: Transport,
  { onChange }: Pick<Sending, 'onChange'> = {},
): Promise<void> {
  const [entries, resolved] = await Promise.all([outbox.entries(), outbox.resolved()])
  const unchecked = new Set(
    entries.flatMap((entry) => (OF_TEXT.includes(entry.change.action) ? targetOf(entry, resolved) : [])),
  )
  for (const entry of entries) {
    const { key, change } = entry
    const id = targetOf(entry, resolved)
    const seen = etagOf(change)
    // Later changes of an item wait behind its first.
    if (!unchecked.delete(id) || !('kind' in change) || seen === undefined) continue
    const version = resolved.get(seen) ?? seen
    const read = await ifThere(call(CALLS[change.kind].read, { params: { id } }, {}))
    if (read?.etag === undefined || read.etag !== version) continue
    // The server's tests check every response against the schema.
    const now = kept({ ...(read.value as Item), etag: version })
    if (isSameText(now, await outbox.kept(id), version)) continue
    await outbox.block(key, 'conflict', { status: 412 })
    onChange?.()
  }
}

interface Uploading {
  readonly outbox: Outbox
  readonly transport: Transport
  readonly uploaded: Map<string, string>
}

/**
 * HTML in which `pictures` that wait have their addresses on the server; they are sent first. Their bytes stay until the text is
 * taken: the server drops files that no text names.
 */
async function withPictures(
  html: string,
  { outbox, transport, uploaded }: Uploading,
): Promise<{ html: string; pictures: ReadonlyMap<string, string> }> {
  const pictures = new Map<string, string>()
  let text = html
  const resolved = await outbox.resolved()
  for (const id of new Set(html.match(FILE))) {
    if (!html.includes(fileUrl(id))) continue
    const picture = await outbox.picture(id)
    const real = picture ? (uploaded.get(id) ?? (await transport.upload(picture))) : resolved.get(id)
    if (real === undefined) continue
    if (picture) {
      uploaded.set(id, real)
      pictures.set(id, real)
    }
    text = text.replaceAll(fileUrl(id), fileUrl(real))
  }
  return { html: text, pictures }
}

/** What a proxy may say of a change as well as of a server that is stopped. */
const OF_PROXIES: readonly unknown[] = [403, 404, 405, 410]
/** The server, or a proxy before it, can take nothing now; that says nothing of the change. */
export const AWAY: readonly unknown[] = [408, 425, 429, 502, 503, 504]

/** The 404 of a proxy does not say that the item is gone: it counts as no status. */
const errorOf = ({ status, isUnreachable, detail, error, fields }: CallFailure): SendError => ({
  status: isUnreachable && status === 404 ? 0 : status,
  detail: detail ?? error,
  fields,
})

/** Counts that a change got no response; returns how often that was. */
function countUnanswered(unanswered: SendingMemory['unanswered'], key: string, now: number): number {
  const { times, at } = unanswered.get(key) ?? { times: 0, at: -FORGOTTEN_MS }
  const since = Math.abs(now - at)
  if (since < COUNTED_ONCE_MS) return times
  const counted = { times: since < FORGOTTEN_MS ? times + 1 : 1, at: now }
  unanswered.set(key, counted)
  return counted.times
}

/** What one call of {@link sendAll} leaves to the next. */
interface SendingMemory {
  /** How often changes got no response while the server was there, and when last, by their keys. */
  readonly unanswered: Map<string, { times: number; at: number }>
  /** What pictures whose text was not taken yet have become on the server. */
  readonly uploaded: Map<string, string>
}

export const newMemory = (): SendingMemory => ({ unanswered: new Map(), uploaded: new Map() })

interface Sending {
  /** Called whenever a change was sent or refused. */
  readonly onChange?: () => void
  readonly memory?: SendingMemory
  readonly now?: () => number
}

/** Sends all changes that can be sent. */
export async function sendAll(
  outbox: Outbox,
  transport: Transport,
  { onChange, memory = newMemory(), now = Date.now }: Sending = {},
): Promise<Ending> {
  const { unanswered, uploaded } = memory
  const failures = new Map<string, number>()
  const names = tagNamesBy(transport)
  for (;;) {
    const resolved = await outbox.resolved()
    const [entry] = sendable(await outbox.entries(), resolved)
    if (!entry) return { why: 'done' }
    const { key } = entry
    try {
      const sent = await transmit(entry, resolved, { outbox, names, transport, uploaded })
      await outbox.settle(key, sent)
      unanswered.delete(key)
      names.note(sent)
    } catch (failure) {
      if (!(failure instanceof CallFailure)) throw failure
      const { status, isUnreachable, retryAfter } = failure
      // While the server is there a proxy refuses this change alone, or drops it.
      const ofThisAlone = status === 'no-response' || OF_PROXIES.includes(status)
      if (isUnreachable && !(ofThisAlone && (await transport.isThere()))) return { why: 'later' }
      if (status === 'no-response') {
        const times = countUnanswered(unanswered, key, now())
        // Those behind it wait as well: their order counts.
        if (times < MAX_UNANSWERED) return { why: 'later' }
        unanswered.delete(key)
      }
      if (status === 401) return { why: 'signed-out' }
      if (AWAY.includes(status)) return { why: 'later', seconds: retryAfter }
      const times = (failures.get(key) ?? 0) + 1
      failures.set(key, times)
      const isOfProxy = isUnreachable && status !== 'no-response'
      const most = isOfProxy ? MAX_OF_PROXIES : status === 500 ? MAX_FAILURES : 1
      if (times < most) {
        await new Promise((resolve) => setTimeout(resolve, 1000 * 2 ** (times - 1)))
        continue
      }
      await outbox.block(key, status === 412 ? 'conflict' : 'refused', errorOf(failure))
    }
    onChange?.()
  }
}
