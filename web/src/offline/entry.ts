import { bulk } from '@kopilka/contract/bulk.ts'
import type { Endpoint } from '@kopilka/contract/endpoint.ts'
import { tagNameKey } from '@kopilka/contract/fields.ts'
import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { tags } from '@kopilka/contract/tags.ts'
import * as z from 'zod/mini'
import { CallFailure, WaitingConflict } from '../api/failure.ts'
import { isOwnId } from '../lib/own-id.ts'
import { derivedFrom, type KeptItem, type Kind } from './kept-item.ts'
import type { CallRequest, Copy } from './responses.ts'

/*
 * Changes that wait for the server. Each is what one call would do to one item or tag, so that it can be sent, refused, corrected
 * or given up alone.
 */

/** The id by which the server knows what an entry changes, where it does: entries of one item may name it by either id. */
export const targetOf = ({ target }: Pick<Entry, 'target'>, resolved: ReadonlyMap<string, string>): string =>
  resolved.get(target) ?? target

/** The entries of the same item or tag. */
export const siblingsOf = (
  entry: Entry,
  entries: readonly Entry[],
  resolved: ReadonlyMap<string, string>,
): readonly Entry[] => entries.filter((one) => targetOf(one, resolved) === targetOf(entry, resolved))

/** What a form sends of an item; of a note `content`, of a link `url` and `description`. */
const savedFields = z.object({
  title: z.string(),
  content: z.optional(z.string()),
  url: z.optional(z.string()),
  description: z.optional(z.string()),
  tags: z.optional(z.array(z.string())),
  add_tags: z.optional(z.array(z.string())),
  remove_tags: z.optional(z.array(z.string())),
  pinned: z.optional(z.boolean()),
})
export type SavedFields = z.output<typeof savedFields>

const { add_tags, remove_tags, pinned } = savedFields.shape
const changedFields = z.object({ add_tags, remove_tags, pinned })

export type Change =
  | { readonly action: 'create'; readonly kind: Kind; readonly body: SavedFields }
  | {
      readonly action: 'update'
      readonly kind: Kind
      readonly body: SavedFields
      /** The version that it was made over. */
      readonly etag?: string | undefined
    }
  | { readonly action: 'remove'; readonly kind: Kind; readonly etag?: string | undefined }
  | {
      readonly action: 'change'
      readonly kind: Kind
      readonly body: z.output<typeof changedFields>
      readonly etag?: string | undefined
    }
  | { readonly action: 'renameTag'; readonly name: string }
  | { readonly action: 'removeTag' }

/** The version that a change was made over. */
export const etagOf = (change: Change): string | undefined => ('etag' in change ? change.etag : undefined)

export const isRemoval = ({ action }: Change): boolean => action === 'remove' || action === 'removeTag'

/** Why the server did not take a change. */
export interface SendError {
  /** 0: that of a proxy, which says nothing of the change. */
  readonly status: CallFailure['status']
  readonly detail?: string | undefined
  readonly fields?: Readonly<Record<string, readonly string[]>>
}

/** A change that waits. Those of an account are sent in the order in which they were made. */
export interface Entry {
  /** Its idempotency key; names the entry as well. */
  readonly key: string
  /** When it was made. */
  readonly at: string
  /** The id of the item or tag; of one that the server does not know yet an id of this browser's. */
  readonly target: string
  /** What the item or tag is called, for people. */
  readonly title: string
  readonly change: Change
  /** Ids of this browser's for the tags that it would create, by the keys of their names. */
  readonly newTags: Readonly<Record<string, string>>
  /** The ids of the tags that its names mean, by the keys of the names: such a tag may be renamed before the change is sent. */
  readonly knownTags?: Readonly<Record<string, string>>
  /** The tags that the item had before: where it is deleted elsewhere, nothing else tells them. */
  readonly tagsBefore?: readonly string[] | undefined
  /** Other names of its tags with which a creation was sent: the server may know it by any of them. */
  readonly sentTags?: readonly (readonly string[])[] | undefined
  /** `conflict`: the item was changed elsewhere. Both wait for a decision. */
  readonly state: 'waiting' | 'conflict' | 'refused'
  readonly error?: SendError | undefined
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText)
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const areIds = (value: unknown): boolean => isObject(value) && Object.values(value).every(isText)
const isAbsentOr = (isFit: (value: unknown) => boolean, value: unknown): boolean =>
  value === undefined || isFit(value)

function isChange(value: unknown): boolean {
  if (!isObject(value)) return false
  const { action, kind, body, etag, name } = value
  if (action === 'removeTag') return true
  if (action === 'renameTag') return isText(name)
  if ((kind !== 'note' && kind !== 'urllink') || !isAbsentOr(isText, etag)) return false
  if (action === 'remove') return true
  if (action === 'change') return z.safeParse(changedFields, body).success
  return (action === 'create' || action === 'update') && z.safeParse(savedFields, body).success
}

const isSendError = (value: unknown): boolean =>
  isObject(value) &&
  (value.status === 'no-response' || typeof value.status === 'number') &&
  isAbsentOr(isText, value.detail) &&
  isAbsentOr((fields) => isObject(fields) && Object.values(fields).every(isTexts), value.fields)

/**
 * Whether this version of the page understands what the browser has kept: it may be broken, or of a newer version. By hand,
 * because z.record and z.union would go into the chunk that every screen loads.
 */
export const isEntry = (value: unknown): value is Entry =>
  isObject(value) &&
  [value.key, value.at, value.target, value.title].every(isText) &&
  isChange(value.change) &&
  areIds(value.newTags) &&
  isAbsentOr(areIds, value.knownTags) &&
  isAbsentOr(isTexts, value.tagsBefore) &&
  isAbsentOr((names) => Array.isArray(names) && names.every(isTexts), value.sentTags) &&
  (value.state === 'waiting' || value.state === 'conflict' || value.state === 'refused') &&
  isAbsentOr(isSendError, value.error)

/** A change that is to be kept. */
type Draft = Pick<Entry, 'target' | 'title' | 'change' | 'tagsBefore'> & { readonly key?: string | undefined }

/** The version of an item after a change that waits; the server's takes its place once the change is sent. */
export const localEtag = (key: string): string => `"local-${key}"`

export const isLocalEtag = (etag: string): boolean => etag.startsWith('"local-')

const CREATES: ReadonlyMap<Endpoint, Kind> = new Map<Endpoint, Kind>([
  [notes.create, 'note'],
  [links.create, 'urllink'],
])
const UPDATES: ReadonlyMap<Endpoint, Kind> = new Map<Endpoint, Kind>([
  [notes.update, 'note'],
  [links.update, 'urllink'],
])
const REMOVALS: ReadonlyMap<Endpoint, Kind> = new Map<Endpoint, Kind>([
  [notes.remove, 'note'],
  [links.remove, 'urllink'],
])

/** Whether changes by the call can wait. */
export const canWait = (endpoint: Endpoint, { body }: CallRequest): boolean => {
  if (endpoint === bulk.change) return typeof body === 'object' && body !== null && 'ids' in body
  return (
    [CREATES, UPDATES, REMOVALS].some((calls) => calls.has(endpoint)) ||
    endpoint === tags.update ||
    endpoint === tags.remove
  )
}

/** The ids that a call changes; those of items that it creates are not known. */
export const targetsOf = ({ params, body }: CallRequest): string[] => {
  const ids = typeof body === 'object' && body !== null && 'ids' in body ? body.ids : undefined
  if (Array.isArray(ids)) return ids.filter((id) => typeof id === 'string')
  return params?.id === undefined ? [] : [params.id]
}

const fieldsOf = <S extends z.ZodMiniType>(schema: S, body: unknown): z.output<S> => {
  const { data, success } = z.safeParse(schema, body)
  if (!success) throw new CallFailure(400, {})
  return data
}

const itemOf = (copy: Copy, id: string, kind?: Kind): KeptItem => {
  const item = copy.items.get(id)
  if (!item || (kind !== undefined && item.kind !== kind)) throw new CallFailure(404, {})
  return item
}

interface Options {
  readonly ifMatch?: string | undefined
  readonly idempotencyKey?: string | undefined
  /** The changes that the copy is shown with, and what ids of this browser's have become. */
  readonly waiting?: readonly Entry[]
  readonly resolved?: ReadonlyMap<string, string>
}

/**
 * The version that a save of `ifMatch` is made over, behind the changes that wait. Tags and pins among them a form need not have
 * shown, if they were made over the version that it has shown. Fails with {@link WaitingConflict} where it has not shown a text.
 */
function baseOfSave(
  { id, etag }: KeptItem,
  ifMatch: string | undefined,
  { waiting = [], resolved = new Map() }: Options,
): string | undefined {
  const own = waiting.filter((entry) => targetOf(entry, resolved) === id)
  const seen = own.findIndex(({ key }) => localEtag(key) === ifMatch)
  const unseen = own.slice(seen + 1)
  if (ifMatch === undefined || unseen.length === 0) return ifMatch
  if (unseen.some(({ change }) => change.action === 'create' || change.action === 'update'))
    throw new WaitingConflict()
  const [first] = unseen
  const before = first && etagOf(first.change)
  // Somebody else's text came between: the server is to say so.
  return before !== undefined && (resolved.get(before) ?? before) === ifMatch ? etag : ifMatch
}

/** The changes that a call would make. Fails as the server would where the copy knows it: what it changes is not there. */
export const entriesFor = (copy: Copy, endpoint: Endpoint, request: CallRequest, options: Options): Entry[] =>
  draftsOf(copy, endpoint, request, options).map(({ key = crypto.randomUUID(), ...draft }) => ({
    ...{ ...draft, key, at: new Date().toISOString(), state: 'waiting' },
    newTags: newTagsOf(copy, draft.change),
    knownTags: knownTagsOf(copy, draft.change),
  }))

function draftsOf(copy: Copy, endpoint: Endpoint, request: CallRequest, options: Options): Draft[] {
  const { ifMatch, idempotencyKey } = options
  const target = request.params?.id ?? ''
  const created = CREATES.get(endpoint)
  if (created) {
    const body = fieldsOf(savedFields, request.body)
    const change = { action: 'create', kind: created, body } as const
    return [{ key: idempotencyKey, target: crypto.randomUUID(), title: body.title, change }]
  }
  const updated = UPDATES.get(endpoint)
  if (updated) {
    const item = itemOf(copy, target, updated)
    const body = fieldsOf(savedFields, request.body)
    const etag = baseOfSave(item, ifMatch, options)
    const change = { action: 'update', kind: updated, body, etag } as const
    const tagsBefore = item.tags.flatMap((id) => copy.tags.get(id) ?? [])
    return [{ target, title: body.title, change, tagsBefore }]
  }
  const removed = REMOVALS.get(endpoint)
  if (removed) return [removal(itemOf(copy, target, removed))]
  if (endpoint === bulk.change) {
    const items = targetsOf(request).map((id) => itemOf(copy, id))
    const { delete: isDelete } = request.body as { delete?: true }
    if (isDelete) return items.map(removal)
    const body = fieldsOf(changedFields, request.body)
    return items.map(({ id, title, kind, etag }) => ({
      target: id,
      title,
      change: { action: 'change', kind, body, etag },
    }))
  }
  const title = copy.tags.get(target)
  if (title === undefined) throw new CallFailure(404, {})
  if (endpoint === tags.remove) return [{ target, title, change: { action: 'removeTag' } }]
  const { name } = fieldsOf(tags.update.body, request.body)
  return [{ target, title, change: { action: 'renameTag', name } }]
}

/** What is deleted without a network is deleted as it was seen: what somebody has changed since asks first. */
const removal = ({ id, title, kind, etag }: KeptItem): Draft => ({
  target: id,
  title,
  change: { action: 'remove', kind, etag },
})

/** The names that a change gives to its item, or none. */
const namesGiven = (change: Change): readonly string[] =>
  'body' in change
    ? [...((change.action !== 'change' && change.body.tags) || []), ...(change.body.add_tags ?? [])]
    : []

/** The keys of entries, and of those which change a tag that only they would create: these are given up with them. */
export function givenUpWith(keys: readonly string[], entries: readonly Entry[]): string[] {
  const isGivenUp = ({ key }: Entry): boolean => keys.includes(key)
  const tagsOf = (some: readonly Entry[]) => some.flatMap(({ newTags }) => Object.values(newTags))
  const others = new Set(tagsOf(entries.filter((entry) => !isGivenUp(entry))))
  const lost = new Set(tagsOf(entries.filter(isGivenUp)).filter((id) => !others.has(id)))
  return [...keys, ...entries.filter(({ target }) => lost.has(target)).map(({ key }) => key)]
}

/** Ids for the tags that a change would create. */
export function newTagsOf(copy: Copy, change: Change): Record<string, string> {
  const known = new Set(Array.from(copy.tags.values(), tagNameKey))
  const keys = namesGiven(change).map(tagNameKey)
  return Object.fromEntries(keys.filter((key) => !known.has(key)).map((key) => [key, crypto.randomUUID()]))
}

const idsByKey = (tags: Copy['tags']): Map<string, string> =>
  new Map(Array.from(tags, ([id, name]) => [tagNameKey(name), id]))

/** The id of the tag that an entry means by a name. A tag may be called `constructor`. */
export const knownTagOf = ({ knownTags = {} }: Entry, name: string): string | undefined => {
  const key = tagNameKey(name)
  return Object.hasOwn(knownTags, key) ? knownTags[key] : undefined
}

/** The ids of the tags that a change names. */
export function knownTagsOf({ tags }: Copy, change: Change): Record<string, string> {
  const removed = 'body' in change ? (change.body.remove_tags ?? []) : []
  const keys = [...namesGiven(change), ...removed].map(tagNameKey)
  if (keys.length === 0) return {}
  const ids = idsByKey(tags)
  return Object.fromEntries(
    keys.flatMap((key) => {
      const id = ids.get(key)
      return id === undefined ? [] : [[key, id]]
    }),
  )
}

/** What the tag of a name is called now; undefined where it is gone. */
export type NameNow = (name: string) => string | undefined

/** What a change sends of an item with the names that its tags have now. */
export function withTagNames<Body extends TagFields>(body: Body, named: NameNow): Body {
  const { tags, add_tags, remove_tags } = body
  const names = (some: readonly string[]) => [...new Set(some.flatMap((name) => named(name) ?? []))]
  return {
    ...body,
    ...(tags && { tags: names(tags) }),
    ...(add_tags && { add_tags: names(add_tags) }),
    ...(remove_tags && { remove_tags: names(remove_tags) }),
  }
}

/** The copy in which changes are made one after the other. */
interface Changing {
  readonly items: Map<string, KeptItem>
  readonly tags: Map<string, string>
  readonly texts: Map<string, string>
}

/** The ids of tags of these names; those that do not exist come into being, as a save creates them. */
function tagIds({ tags }: Changing, names: readonly string[], { newTags }: Entry): string[] {
  const byKey = idsByKey(tags)
  return names.flatMap((name) => {
    const key = tagNameKey(name)
    const known = byKey.get(key)
    if (known !== undefined) return known
    const id = Object.hasOwn(newTags, key) ? newTags[key] : undefined
    if (id === undefined) return []
    tags.set(id, name)
    byKey.set(key, id)
    return id
  })
}

type TagFields = Pick<SavedFields, 'tags' | 'add_tags' | 'remove_tags'>

function tagsAfter(changing: Changing, before: readonly string[], named: TagFields, entry: Entry): string[] {
  const { tags: names } = changing
  const fields = withTagNames(named, (name) => {
    const known = knownTagOf(entry, name)
    return known === undefined ? name : (names.get(known) ?? (isOwnId(known) ? name : undefined))
  })
  if (fields.tags) return [...new Set(tagIds(changing, fields.tags, entry))]
  const added = tagIds(changing, fields.add_tags ?? [], entry)
  const removed = new Set((fields.remove_tags ?? []).map(tagNameKey))
  const stays = (id: string) => added.includes(id) || !removed.has(tagNameKey(changing.tags.get(id) ?? ''))
  return [...new Set([...before.filter(stays), ...added])]
}

function apply(changing: Changing, entry: Entry): void {
  const { items, tags, texts } = changing
  const { target, change, key, at } = entry
  if (change.action === 'renameTag') {
    if (tags.has(target)) tags.set(target, change.name)
    return
  }
  if (change.action === 'removeTag') {
    tags.delete(target)
    for (const item of [...items.values()])
      if (item.tags.includes(target))
        items.set(item.id, { ...item, tags: item.tags.filter((id) => id !== target) })
    return
  }
  const item = items.get(target)
  if (change.action === 'remove') {
    items.delete(target)
    return
  }
  const etag = localEtag(key)
  if (change.action === 'change') {
    if (!item) return
    const pinned = change.body.pinned ?? item.pinned
    items.set(target, { ...item, etag, pinned, tags: tagsAfter(changing, item.tags, change.body, entry) })
    return
  }
  if (change.action === 'update' && !item) return
  const { title, url, content, description, pinned } = change.body
  const text = content ?? description ?? ''
  texts.set(target, text)
  items.set(target, {
    ...{ id: target, kind: change.kind, title, etag },
    ...derivedFrom({ title, url, text }),
    ...{ created_at: item?.created_at ?? at, updated_at: at, pinned: pinned ?? item?.pinned ?? false },
    tags: tagsAfter(changing, item?.tags ?? [], change.body, entry),
  })
}

/** An entry with the ids that the server knows, where it has given them. */
function withRealIds(entry: Entry, resolved: ReadonlyMap<string, string>): Entry {
  const known = Object.entries(entry.knownTags ?? {})
  return {
    ...entry,
    target: targetOf(entry, resolved),
    knownTags: Object.fromEntries(known.map(([key, id]) => [key, resolved.get(id) ?? id])),
  }
}

/** The copy as it is once the changes have been made. `resolved`: what ids of this browser's have become. */
export function withEntries(
  copy: Copy,
  entries: readonly Entry[],
  resolved: ReadonlyMap<string, string> = new Map(),
): Copy {
  if (entries.length === 0) return copy
  const changing: Changing = { items: new Map(copy.items), tags: new Map(copy.tags), texts: new Map() }
  for (const entry of entries) apply(changing, withRealIds(entry, resolved))
  const { items, tags, texts } = changing
  return {
    items,
    tags,
    textsOf: async (ids) => {
      const stored = await copy.textsOf(ids.filter((id) => !texts.has(id)))
      return new Map(ids.map((id) => [id, texts.get(id) ?? stored.get(id) ?? '']))
    },
  }
}

/** The changes to one item or tag as one, made over the version of `etag`: what becomes of it where the user keeps their own. */
export function folded(entries: readonly Entry[], etag: string | undefined): Change | undefined {
  const last = entries.at(-1)
  if (!last) return undefined
  if (last.change.action === 'remove') return { ...last.change, etag }
  if (!('kind' in last.change)) return last.change
  const { kind } = last.change
  const names = new Map<string, { name: string; added: boolean }>()
  let fields: SavedFields | undefined
  let tags: string[] | undefined
  let pinned: boolean | undefined
  for (const { change } of entries) {
    if (!('body' in change)) continue
    if (change.action !== 'change') {
      fields = change.body
      if (change.body.tags) {
        tags = change.body.tags
        names.clear()
      }
    }
    pinned = change.body.pinned ?? pinned
    for (const name of change.body.remove_tags ?? []) names.set(tagNameKey(name), { name, added: false })
    for (const name of change.body.add_tags ?? []) names.set(tagNameKey(name), { name, added: true })
  }
  const [add_tags, remove_tags] = [true, false].map((wanted) =>
    [...names.values()].filter(({ added }) => added === wanted).map(({ name }) => name),
  )
  const isPinned = pinned !== undefined && { pinned }
  if (!fields) return { action: 'change', kind, etag, body: { add_tags, remove_tags, ...isPinned } }
  const { tags: _, add_tags: _added, remove_tags: _removed, ...texts } = fields
  if (!tags) return { action: 'update', kind, etag, body: { ...texts, ...isPinned, add_tags, remove_tags } }
  const removed = new Set((remove_tags ?? []).map(tagNameKey))
  const kept = tags.filter((name) => !removed.has(tagNameKey(name)))
  const body = { ...texts, ...isPinned, tags: [...new Set([...kept, ...(add_tags ?? [])])] }
  const action = entries.some((entry) => entry.change.action === 'create') ? 'create' : 'update'
  return action === 'create' ? { action, kind, body } : { action, kind, body, etag }
}
