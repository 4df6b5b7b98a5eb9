import type { Endpoint } from '@kopilka/contract/endpoint.ts'
import { tagNameKey } from '@kopilka/contract/fields.ts'
import { fileUrl, PICTURE_TYPES, type Picture } from '@kopilka/contract/files.ts'
import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { callUntracked } from '../api/call.ts'
import { CallFailure } from '../api/failure.ts'
import { mayWait } from '../api/offline.ts'
import { readProfile } from '../api/profile.ts'
import type { CallOptions, Versioned } from '../api/send.ts'
import { currentSignIn } from '../api/tokens.ts'
import { isReachable } from '../lib/network.ts'
import { t } from '../messages/offline-messages.ts'
import { showMessage } from '../ui/snackbar.ts'
import { keepWritten as keepInCopy, readCopy } from './copy-store.ts'
import { isFull, noteSignOut as noteInDatabase, OtherOwner } from './database.ts'
import { canWait, type Entry, entriesFor, targetOf, targetsOf, withEntries } from './entry.ts'
import { addEntries, countUnsent, keepPicture as keepInOutbox, outboxOf, replaceEntries } from './outbox.ts'
import { type CallRequest, type Copy, isServedFromCopy, responseFromCopy } from './responses.ts'
import { noteQueued, noteServedFromCopy, showWaiting } from './rounds.ts'
import { finderIn } from './search/search-copy.ts'
import type { Finder } from './search-request.ts'
import { sendable } from './sending.ts'
import { takeOver } from './start.ts'
import { writtenIds } from './written.ts'

const findsNothing = () => Promise.reject(notKept())
const NO_FINDER: Finder = { search: findsNothing, similarTo: findsNothing }

/** What this browser knows of the account at this moment. */
interface State {
  readonly signIn: string
  readonly entries: readonly Entry[]
  readonly resolved: ReadonlyMap<string, string>
}

async function readState(signIn: string): Promise<State> {
  const outbox = outboxOf(signIn)
  const [entries, resolved] = await Promise.all([outbox.entries(), outbox.resolved()])
  return { signIn, entries, resolved }
}

/** The sign-in that has the database as far as this page knows. Tabs of two versions must not take it from each other for ever. */
let taken: string | undefined

/**
 * Reads what belongs to the sign-in. Where something waits since a session that ended by itself, the user is looked for before the
 * copy begins: it may be theirs.
 */
async function ofUser<T>(signIn: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (failure) {
    if (!(failure instanceof OtherOwner) || !mayWait() || taken === signIn) throw failure
    const { id } = await readProfile(new AbortController().signal)
    if (await takeOver(id, signIn)) taken = signIn
    return read()
  }
}

/** The copy, and what the changes that wait make of it. */
interface View {
  readonly copy: Copy
  readonly view: Copy
  readonly isWhole: boolean
}

function finderOf(signIn: string, { copy, view }: View, signal: AbortSignal | undefined): Finder {
  const finder = finderIn(signIn, copy, view, signal)
  const fail = () => {
    signal?.throwIfAborted()
    // A worker that does not start, or a copy that is another's by now.
    return findsNothing()
  }
  return {
    search: (request) => finder.search(request).catch(fail),
    similarTo: (request) => finder.similarTo(request).catch(fail),
  }
}

/** By the copy, so that it goes with it: each may have tens of megabytes. */
const views = new WeakMap<Copy, { entries: string; view: Copy }>()

/** The copy with the changes that wait. */
async function readView({ signIn, entries, resolved }: State): Promise<View> {
  const { copy, isWhole } = await readCopy(signIn)
  const made = [...entries.map(({ key }) => key), resolved.size].join()
  const known = views.get(copy)
  const view = known?.entries === made ? known.view : withEntries(copy, entries, resolved)
  views.set(copy, { entries: made, view })
  return { copy, view, isWhole }
}

/** A request with the ids and versions that the server knows, where it has given them meanwhile. */
function translated(request: CallRequest, options: CallOptions, resolved: State['resolved']) {
  const real = (id: string) => resolved.get(id) ?? id
  const { params, query, body, ...rest } = request
  const withReal = (fields: Readonly<Record<string, string | undefined>>) =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, value === undefined ? value : real(value)]),
    )
  const ids = body !== undefined ? targetsOf({ body }) : []
  const after: CallRequest = {
    ...rest,
    ...(params && { params: withReal(params) as Record<string, string> }),
    ...(query && { query: { ...query, ...(query.tag !== undefined && withReal({ tag: query.tag })) } }),
    ...(body !== undefined && { body: ids.length > 0 ? { ...body, ids: ids.map(real) } : body }),
  }
  const { ifMatch } = options
  const optionsAfter = ifMatch === undefined ? options : { ...options, ifMatch: real(ifMatch) }
  const isOther =
    JSON.stringify([params, query, ids, ifMatch]) !==
    JSON.stringify([after.params, after.query, targetsOf({ body: after.body }), optionsAfter.ifMatch])
  return { request: after, options: optionsAfter, isOther }
}

/** Ids that the server does not know yet. */
const localIds = (entries: readonly Entry[]): Set<string> =>
  new Set(
    entries.flatMap(({ change, target, newTags }) => [
      ...(change.action === 'create' ? [target] : []),
      ...Object.values(newTags),
    ]),
  )

/** Whether texts of a request name pictures that this browser has given ids. */
async function hasPictures(signIn: string, { body }: CallRequest): Promise<boolean> {
  const ids = new Set(JSON.stringify(body ?? '').match(/[\da-f]{8}-[\da-f-]{27}/g))
  const outbox = outboxOf(signIn)
  const resolved = await outbox.resolved()
  for (const id of ids) if (resolved.has(id) || (await outbox.picture(id))) return true
  return false
}

/** Whether a request names a tag, by its old name or the new one, that a change among `going` renames or deletes. */
function namesChangedTag({ body }: CallRequest, going: readonly Entry[]): boolean {
  const { tags = [], add_tags = [], remove_tags = [], name }: NamingTags = body ?? {}
  const named = [...tags, ...add_tags, ...remove_tags, ...(name === undefined ? [] : [name])]
  const keys = new Set(named.map(tagNameKey))
  const isNamed = ({ change, title }: Entry): boolean =>
    !('kind' in change) &&
    (keys.has(tagNameKey(title)) || ('name' in change && keys.has(tagNameKey(change.name))))
  return keys.size > 0 && going.some(isNamed)
}

/** Of bodies of calls that wait what names tags; `name` is the new name of one. */
type NamingTags = Partial<Record<'tags' | 'add_tags' | 'remove_tags', readonly string[]> & { name: string }>

/** Undefined in place of a 404 that says only that the copy does not have it: it is gone where a change that waits removes it. */
async function unlessUnknown<T>(
  answer: () => T | Promise<T>,
  request: CallRequest,
  { entries, resolved }: State,
): Promise<T | undefined> {
  try {
    return await answer()
  } catch (failure) {
    const ids = [...targetsOf(request), request.query?.tag]
    const isRemoved = entries.some(
      ({ change, target }) =>
        (change.action === 'remove' || change.action === 'removeTag') &&
        ids.includes(resolved.get(target) ?? target),
    )
    if (failure instanceof CallFailure && failure.status === 404 && !isRemoved) return undefined
    throw failure
  }
}

const isKnownTo = (copy: Copy, request: CallRequest): boolean =>
  targetsOf(request).every((id) => copy.items.has(id) || copy.tags.has(id))

/** Keeps what a call would change, and responds as the server would. */
async function queue(
  state: State,
  { copy, view, isWhole }: View,
  endpoint: Endpoint,
  request: CallRequest,
  options: CallOptions,
): Promise<Versioned<unknown> | undefined> {
  // Of what has not come yet nobody knows what it is.
  if (!isWhole && !isKnownTo(view, request)) return undefined
  const before = state.entries.find(({ key }) => key === options.idempotencyKey)
  const { entries: waiting, resolved } = state
  const names = DECIDES_OF_NAME.includes(endpoint) ? undecidedNames(state, request) : []
  // What it replaces is no version that it is made from.
  const others = waiting.filter((entry) => !names.includes(entry))
  const base = names.length > 0 ? withEntries(copy, others, resolved) : view
  const make = () =>
    before ? [] : entriesFor(base, endpoint, request, { ...options, waiting: others, resolved })
  const drafts = await unlessUnknown(make, request, state)
  if (!drafts) return undefined
  // The user has been shown the name that somebody else has given.
  const shownName = names.findLast(({ state }) => state === 'conflict')?.error?.detail
  const entries = drafts.map((entry) => ({ ...entry, title: shownName ?? entry.title }))
  const [first] = entries
  if (first?.change.action === 'renameTag') refuseTaken(base, first.target, first.change.name)
  await addEntries(state.signIn, entries)
  await giveUp(state.signIn, names)
  const after = await readState(state.signIn)
  const waits = { operation: undefined, waits: true } as const
  noteQueued()
  await showWaiting(after.signIn)
  if (!isReachable()) showMessage(t('offline.saved'))
  if (endpoint.status === 204) return { value: undefined, etag: undefined, ...waits }
  const { view: now } = await readView(after)
  const made = before ?? entries[0]
  if (!made) return undefined
  // Another tab may have sent it already.
  const params = { id: targetOf(made, after.resolved) }
  if (!('kind' in made.change)) {
    const { value } = (await responseFromCopy(now, tags.read, { params }, NO_FINDER)) ?? {}
    return { value, etag: undefined, ...waits }
  }
  if (made.change.action === 'change' || made.change.action === 'remove')
    return { value: { changed: entries.length }, etag: undefined, ...waits }
  const { read } = made.change.kind === 'note' ? notes : links
  const answer = await responseFromCopy(now, read, { params }, NO_FINDER)
  return answer && { value: answer.value, etag: answer.etag, ...waits }
}

/** After these calls nothing is left to decide of a name that their tag was to get. */
const DECIDES_OF_NAME: readonly Endpoint[] = [tags.update, tags.merge]

/** The names for a tag of which the first waits for a decision, and the others behind it. */
function undecidedNames({ entries, resolved }: State, request: CallRequest): readonly Entry[] {
  const targets = targetsOf(request)
  const names = entries.filter(
    (entry) => entry.change.action === 'renameTag' && targets.includes(targetOf(entry, resolved)),
  )
  const first = names.findIndex(({ state }) => state !== 'waiting')
  return first < 0 ? [] : names.slice(first)
}

async function giveUp(signIn: string, entries: readonly Entry[]): Promise<void> {
  if (entries.length === 0) return
  const keys = entries.map(({ key }) => key)
  await replaceEntries(signIn, keys, undefined)
  await showWaiting(signIn)
}

/** A name that another tag has is refused at once: the server would refuse it later. */
function refuseTaken({ tags }: Copy, id: string, name: string): void {
  for (const [other, taken] of tags)
    if (other !== id && tagNameKey(taken) === tagNameKey(name))
      throw new CallFailure(400, { detail: t('offline.tagTaken'), name: [t('offline.tagTaken')] })
}

/** What a copy that is not whole answers as well: anything else would list and count a part. */
const READS: readonly Endpoint[] = [notes.read, links.read]
/** Without words of a server's: the screen has a sentence of its own (docs/specification.md, section 8). */
const notKept = () => new CallFailure(503, {})

const SIMILAR: readonly Endpoint[] = [notes.similar, links.similar]

/** Whether the index of the copy is needed. */
const isSearch = (endpoint: Endpoint, { query }: CallRequest): boolean =>
  Boolean(query?.search) || SIMILAR.includes(endpoint)

/** As api/offline.ts says. */
export async function respond(
  endpoint: Endpoint,
  asked: object,
  asksFor: CallOptions,
): Promise<Versioned<unknown> | undefined> {
  const signIn = currentSignIn()
  const reads = isServedFromCopy(endpoint)
  const writes = canWait(endpoint, asked)
  if (signIn === undefined || !(reads || writes)) return undefined
  /** It goes behind what waits or names it: the server would not understand it. */
  let mustWait = false
  try {
    const state = await ofUser(signIn, () => readState(signIn))
    const { request, options, isOther } = translated(asked, asksFor, state.resolved)
    const targets = targetsOf(request)
    const has = (ids: Iterable<string>) => [...ids].some((id) => targets.includes(id))
    const isUnsent = has(localIds(state.entries))
    // What waits for a decision alone holds up nothing: the server has the other version.
    const going = sendable(state.entries, state.resolved)
    // What is changed after a change that waits waits behind it.
    const waits =
      writes &&
      (has(going.map(({ target }) => state.resolved.get(target) ?? target)) ||
        namesChangedTag(request, going) ||
        (mayWait() && (await hasPictures(signIn, request))))
    mustWait = writes && (waits || isUnsent)
    const passOn = async () => {
      // Someone else has signed in meanwhile: what this page asks or saves is not theirs.
      if (currentSignIn() !== signIn) throw new CallFailure(401)
      return isOther ? callUntracked(endpoint, request as never, options) : undefined
    }
    if (asksFor.ofServer) return await passOn()
    // Until what waits is sent the screens show it. The server searches where it is there.
    const showsOwn = reads && going.length > 0 && !isSearch(endpoint, request)
    const needsAll = !isReachable() || isUnsent || waits
    const shown = needsAll ? state : { ...state, entries: going }
    const known = needsAll || showsOwn ? await readView(shown) : undefined
    if (!known || !(needsAll || known.isWhole)) return await passOn()
    if (writes) {
      const kept = await queue(state, known, endpoint, request, options)
      if (kept) return kept
      if (!mustWait) return await passOn()
      throw notKept()
    }
    if (!known.isWhole && !(READS.includes(endpoint) && isKnownTo(known.view, request))) {
      // The server would say that there is no such item.
      if (isUnsent) throw new CallFailure('no-response')
      return await passOn()
    }
    const read = () =>
      responseFromCopy(known.view, endpoint, request, finderOf(signIn, known, asksFor.signal))
    const answer = await unlessUnknown(read, request, state)
    if (!answer) return await passOn()
    noteServedFromCopy()
    return { value: answer.value, etag: answer.etag, operation: undefined }
  } catch (failure) {
    if (failure instanceof CallFailure) throw failure
    asksFor.signal?.throwIfAborted()
    if (writes && isFull(failure) && (mustWait || !isReachable()))
      throw new CallFailure(503, { detail: t('offline.full') })
    if (mustWait) throw notKept()
    // The browser has no database for this page, or that belongs to nobody yet.
    return undefined
  }
}

export async function resolved(): Promise<ReadonlyMap<string, string>> {
  const signIn = currentSignIn()
  if (signIn === undefined) return new Map()
  return outboxOf(signIn)
    .resolved()
    .catch(() => new Map())
}

export async function picture(id: string): Promise<Blob | string | undefined> {
  const signIn = currentSignIn()
  if (signIn === undefined) return undefined
  try {
    const { picture, resolved } = outboxOf(signIn)
    return await ofUser(signIn, async () => (await picture(id)) ?? (await resolved()).get(id))
  } catch {
    return undefined
  }
}

export async function unsent(text: string): Promise<{ changes: number; pictures: number } | undefined> {
  const signIn = currentSignIn()
  if (signIn === undefined) return undefined
  return ofUser(signIn, () => countUnsent(signIn, text))
}

export async function keepPicture(file: Blob): Promise<Picture | undefined> {
  const signIn = currentSignIn()
  const type = PICTURE_TYPES.find((known) => known === file.type)
  if (signIn === undefined || type === undefined) return undefined
  try {
    const { width, height } = await createImageBitmap(file)
    const id = crypto.randomUUID()
    await keepInOutbox(signIn, id, file)
    await showWaiting(signIn)
    return { id, url: fileUrl(id), type, width, height, bytes: file.size }
  } catch {
    return undefined
  }
}

export async function noteSignOut(): Promise<void> {
  const signIn = currentSignIn()
  if (signIn !== undefined) await noteInDatabase(signIn)
}

export async function keepWritten(
  signIn: string,
  endpoint: Endpoint,
  request: object,
  { value, etag }: Versioned<unknown>,
): Promise<void> {
  if (DECIDES_OF_NAME.includes(endpoint) || endpoint === tags.remove)
    await giveUp(signIn, undecidedNames(await readState(signIn), request))
  const written = { endpoint, request, value, etag }
  if (writtenIds(written).length > 0) await keepInCopy(signIn, written)
}
