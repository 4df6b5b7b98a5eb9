import type { Locale } from '@kopilka/contract/field-messages.ts'
import { lengthOf } from '@kopilka/contract/fields.ts'
import { MAX_LENGTH, MAX_TAGS_PER_ITEM } from '@kopilka/contract/limits.ts'
import { addressKey } from '@kopilka/text/address-key.ts'
import type { Database } from '../db/open.ts'
import { AppError } from '../errors.ts'
import type { Caller } from '../http/caller.ts'
import type { RateLimits } from '../http/rate-limits/rate-limits.ts'
import type { IdPieces } from '../items/id-pieces.ts'
import type { ItemDraft, ItemRow } from '../items/item.ts'
import type { LinkPageRequest, LinkSort, linkPage } from '../items/link-page.ts'
import { type ItemLists, queryIn } from '../items/lists.ts'
import type { PreparedItem } from '../items/prepare.ts'
import { wholesOf, withBodies } from '../items/queries.ts'
import type { SameLinks } from '../items/same-links.ts'
import type { ItemStore } from '../items/store.ts'
import type { Extraction } from '../metadata/extraction.ts'
import type { TagStore } from '../tags/store.ts'
import type { Pool } from '../threads/pool.ts'
import { inParts } from '../threads/yield-to-event-loop.ts'
import { type Bookmark, bodyOf, type Texts, textsOf, titleOr, toBookmark } from './bookmark.ts'
import type { Numbers } from './numbers.ts'
import { translateQuery } from './query.ts'
import { InvalidFields, type SentBookmark, TOO_MANY_TAGS, URL_TAKEN } from './sent.ts'
import {
  createTagNameLookup,
  hasState,
  isStateTag,
  namesIn,
  resolveTagNames,
  withState,
} from './tag-names.ts'

/** Which bookmarks a client asks for. */
export interface Wanted {
  archived: boolean
  query: string
  unread: boolean | undefined
  sort: LinkSort
  added_since: number
  modified_since: number
  limit: number
  offset: number
  signal: AbortSignal
}

/** Whose request it is. Its work ends with the signal, unless it is being written. */
interface Requester {
  readonly owner_id: string
  readonly signal: AbortSignal
}
type Sender = Caller & Requester

/** Texts with more characters together are translated in a worker thread: half a megabyte takes some 60 ms. */
const LONG = 100_000

/** Links that are made bookmarks in one iteration of the event loop: with fifty tags each some milliseconds. */
const ROWS = 20

/** Attempts to change a bookmark that somebody else changes meanwhile. */
const ATTEMPTS = 3

const LISTS = { name: 'lists of bookmarks', total: 1 }

interface Dependencies {
  db: Database
  pool: Pool
  items: ItemStore
  lists: ItemLists
  tags: TagStore
  sameLinks: SameLinks
  extraction: Extraction
  rateLimits: RateLimits
  numbers: Numbers
}

export type Bookmarks = ReturnType<typeof createBookmarks>

/** Links as the bookmarks of linkding (docs/linkding.md). */
export function createBookmarks(dependencies: Dependencies) {
  const { db, pool, items, lists, tags, sameLinks, extraction, rateLimits, numbers } = dependencies

  const tagNames = async (owner_id: string) => (await tags.list(owner_id)).map(({ name }) => name)

  async function textsIn({ owner_id, signal }: Requester, bodies: readonly string[]): Promise<Texts[]> {
    const isLong = bodies.reduce((length, body) => length + body.length, 0) > LONG
    return isLong ? pool.run<Texts[]>('bookmarkTexts', bodies, { owner_id, signal }) : bodies.map(textsOf)
  }

  async function bodyWith({ owner_id, signal }: Requester, texts: Texts): Promise<string> {
    const isLong = texts.description.length + texts.notes.length > LONG
    return isLong ? pool.run<string>('bookmarkBody', texts, { owner_id, signal }) : bodyOf(texts)
  }

  async function shown(requester: Requester, rows: readonly ItemRow[]): Promise<Bookmark[]> {
    const ids = await numbers.of(
      requester.owner_id,
      rows.map(({ id }) => id),
    )
    const bodies = rows.map(({ body }) => body)
    const texts = await textsIn(requester, bodies)
    const both = rows.map((row, at) => ({ row, texts: texts[at] ?? { description: '', notes: '' } }))
    const bookmarks = await inParts(both, ROWS, (some) =>
      some.map(({ row, texts }) => toBookmark(row, ids.get(row.id) ?? 0, texts)),
    )
    return bookmarks.flat()
  }

  async function shownOne(requester: Requester, row: ItemRow): Promise<Bookmark> {
    const [bookmark] = await shown(requester, [row])
    if (!bookmark) throw new AppError('linkNotFound')
    return bookmark
  }

  async function find(owner_id: string, number: string): Promise<ItemRow> {
    const id = await numbers.idOf(owner_id, number)
    const row = id === undefined ? undefined : await items.find({ owner_id, kind: 'link', id })
    if (!row) throw new AppError('linkNotFound')
    return row
  }

  /** The link with an address, or with another spelling of it. */
  async function findByUrl(owner_id: string, url: string): Promise<ItemRow | undefined> {
    const id = await sameLinks.idOfLinkTo(owner_id, url)
    return id === undefined ? undefined : items.find({ owner_id, kind: 'link', id })
  }

  /** Title and description of a page; empty where it cannot be read, or too many were. */
  async function metadataOf({ owner_id, signal }: Requester, url: string, locale: Locale) {
    try {
      await rateLimits.take([{ limit: 'extraction', key: owner_id }])
      return await extraction.extract({ owner_id, url, locale, signal })
    } catch (error) {
      if (error instanceof AppError) return { title: '', description: '' }
      throw error
    }
  }

  /** The whole range, or as much as fits into a response. */
  async function rowsOf(owner_id: string, ids: readonly string[]): Promise<ItemRow[]> {
    const byId = new Map((await wholesOf(db, { owner_id, ids })).map((row) => [row.id, row]))
    // A link may have been deleted since its id was read.
    const listed = ids.flatMap((id) => byId.get(id) ?? [])
    return (await withBodies(db, owner_id, listed)).rows
  }

  /** The ids of the links that match one of the queries, sorted; undefined: all links do. */
  async function idsFound(
    owner_id: string,
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<IdPieces | undefined> {
    for (const text of texts) if ((await queryIn(text)) === undefined) return undefined
    let found: IdPieces | undefined
    for (const text of texts) {
      const more = await lists.idsFound({ owner_id, kinds: ['link'], exact: true, signal }, text)
      const both = [found ?? [], more]
      const options = { owner_id, signal, group: LISTS }
      found = found ? await pool.run<IdPieces>('unionOfIds', both, options) : more
    }
    return found
  }

  async function pageOf(owner_id: string, wanted: Wanted) {
    const { archived, sort, limit, offset, added_since, modified_since, signal } = wanted
    const all = await tags.list(owner_id)
    const idsWith = (state: 'archived' | 'unread') =>
      all.filter(({ name }) => hasState([name], state)).map(({ id }) => id)
    const names = wanted.query.includes('#') ? all.map(({ name }) => name) : []
    const { texts, ...flags } = translateQuery(wanted.query, await createTagNameLookup([], names))
    const unread = wanted.unread ?? flags.unread
    const within = [...(archived ? [idsWith('archived')] : []), ...(unread ? [idsWith('unread')] : [])]
    if (within.some((ids) => ids.length === 0)) return { ids: [], count: 0 }
    const without = [...(archived ? [] : idsWith('archived')), ...(unread === false ? idsWith('unread') : [])]
    const found = await idsFound(owner_id, texts, signal)
    if (found?.length === 0) return { ids: [], count: 0 }
    const request: LinkPageRequest = {
      ...{ owner_id, sort, ids: found, within, without, untagged: flags.untagged },
      ...{ added_since, modified_since, limit, offset },
    }
    type Page = Awaited<ReturnType<typeof linkPage>>
    return pool.run<Page>('linkPage', request, { owner_id, signal, group: LISTS })
  }

  /** The names of the tags after a save: the sent ones, or those that the bookmark has, and its states. */
  async function namesAfter(owner_id: string, sent: SentBookmark, own: readonly string[]): Promise<string[]> {
    const all = await tagNames(owner_id)
    const names = sent.tag_names
      ? await resolveTagNames(namesIn(sent.tag_names), own, all)
      : own.filter((name) => !isStateTag(name))
    const isLong = names.some((name) => lengthOf(name) > MAX_LENGTH.tagName && !all.includes(name))
    if (isLong)
      throw new InvalidFields({
        tag_names: [`Ensure tag names have no more than ${MAX_LENGTH.tagName} characters.`],
      })
    const states = {
      archived: sent.is_archived ?? (hasState(own, 'archived') || hasState(names, 'archived')),
      unread: sent.unread ?? (hasState(own, 'unread') || hasState(names, 'unread')),
    }
    const after = withState([...names, ...own.filter(isStateTag)], all, states)
    if (after.length > MAX_TAGS_PER_ITEM) throw new InvalidFields({ tag_names: [TOO_MANY_TAGS] })
    return after
  }

  const prepared = async (
    { owner_id, signal }: Requester,
    draft: ItemDraft,
  ): Promise<{ prepared: PreparedItem }> => {
    if (draft.body.length > MAX_LENGTH.html && lengthOf(draft.body) > MAX_LENGTH.html)
      throw new InvalidFields({
        notes: [`Ensure this field has no more than ${MAX_LENGTH.html} characters.`],
      })
    return { prepared: await pool.run<PreparedItem>('analyseItem', draft, { owner_id, signal }) }
  }

  /** Changes a bookmark: what was not sent stays. A text that is as clients see it stays with its formatting. */
  async function change(
    { signal, ...caller }: Sender,
    row: ItemRow,
    sent: SentBookmark,
  ): Promise<ItemRow | undefined> {
    const { owner_id } = caller
    const requester = { owner_id, signal }
    const url = sent.url ?? row.url ?? ''
    const [before = { description: '', notes: '' }] = await textsIn(requester, [row.body])
    const texts = {
      description: sent.description ?? before.description,
      notes: sent.notes ?? before.notes,
    }
    const isSame = texts.description === before.description && texts.notes === before.notes
    const own = row.tags.map(({ name }) => name)
    const draft: ItemDraft = {
      title: sent.title === undefined ? row.title : titleOr(sent.title, url),
      url,
      body: isSame ? row.body : await bodyWith(requester, texts),
      tags: await namesAfter(owner_id, sent, own),
    }
    const key = { ...caller, kind: 'link' as const, id: row.id }
    const outcome = await items.update(key, await prepared(requester, draft), [row.revision])
    if ('done' in outcome) return outcome.done
    if (outcome.refused === 'missing') throw new AppError('linkNotFound')
    return undefined
  }

  /** Changes a bookmark that `read` reads again where somebody else has changed it meanwhile. */
  async function changeWith(
    caller: Sender,
    read: () => Promise<ItemRow>,
    sent: SentBookmark,
  ): Promise<ItemRow> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const changed = await change(caller, await read(), sent)
      if (changed) return changed
    }
    throw new AppError('changedMeanwhile')
  }

  return {
    async list(owner_id: string, wanted: Wanted): Promise<{ count: number; results: Bookmark[] }> {
      const { ids, count } = await pageOf(owner_id, wanted)
      const { signal } = wanted
      return { count, results: await shown({ owner_id, signal }, await rowsOf(owner_id, ids)) }
    },

    async read(requester: Requester, number: string): Promise<Bookmark> {
      return shownOne(requester, await find(requester.owner_id, number))
    },

    /** The bookmark of an address, and what its page says of itself. A page that is kept is not read again. */
    async check(requester: Requester, url: string, locale: Locale) {
      const row = await findByUrl(requester.owner_id, url)
      const bookmark = row ? await shownOne(requester, row) : null
      const { title, description } = bookmark ?? (await metadataOf(requester, url, locale))
      const metadata = { url, title: title || null, description: description || null, preview_image: null }
      return { bookmark, metadata, auto_tags: [] }
    },

    /**
     * Saves a bookmark. One with the address is overwritten, fields that are not sent as well: so clients edit. `reads`: empty
     * title and description come from the page. `beforeSaving` runs when that is read.
     */
    async save(
      sender: Sender,
      sent: SentBookmark & { url: string },
      { reads, locale, beforeSaving }: { reads: boolean; locale: Locale; beforeSaving: () => Promise<void> },
    ): Promise<Bookmark> {
      const { signal, ...caller } = sender
      const { owner_id } = caller
      const requester = { owner_id, signal }
      const { url, title = '', description = '' } = sent
      const isEmpty = title === '' || description === ''
      const page =
        reads && isEmpty ? await metadataOf(requester, url, locale) : { title: '', description: '' }
      await beforeSaving()
      const whole = {
        ...sent,
        title: title || page.title,
        description: description || page.description,
        notes: sent.notes ?? '',
        tag_names: sent.tag_names ?? [],
        unread: sent.unread ?? false,
      }
      const overwrite = async (id: string) => {
        const { url: _, is_archived: __, ...overwriting } = whole
        const read = async () => {
          const row = await items.find({ owner_id, kind: 'link', id })
          if (!row) throw new AppError('linkNotFound')
          return row
        }
        return shownOne(requester, await changeWith(sender, read, overwriting))
      }
      const same = await findByUrl(owner_id, url)
      if (same) return overwrite(same.id)
      const draft = {
        title: titleOr(whole.title, url),
        url,
        body: await bodyWith(requester, { description: whole.description, notes: whole.notes }),
        tags: await namesAfter(owner_id, whole, []),
      }
      const created_at = sent.date_added
      const wanted = { ...caller, kind: 'link' as const, ...(created_at !== undefined && { created_at }) }
      const outcome = await items.createUnlessSame(wanted, await prepared(requester, draft))
      // A concurrent request was first.
      return 'before' in outcome ? overwrite(outcome.before) : shownOne(requester, outcome.created)
    },

    /** Throws {@link InvalidFields} where another bookmark has the address. */
    async update(caller: Sender, number: string, sent: SentBookmark): Promise<Bookmark> {
      const { owner_id, signal } = caller
      const { id, url } = await find(owner_id, number)
      if (sent.url !== undefined && addressKey(sent.url) !== addressKey(url ?? '')) {
        const same = await findByUrl(owner_id, sent.url)
        if (same && same.id !== id) throw new InvalidFields({ url: [URL_TAKEN] })
      }
      return shownOne({ owner_id, signal }, await changeWith(caller, () => find(owner_id, number), sent))
    },

    /** Puts the link into the trash. */
    async remove(caller: Caller, number: string): Promise<void> {
      const { id } = await find(caller.owner_id, number)
      const outcome = await items.remove({ ...caller, kind: 'link', id })
      if ('refused' in outcome) throw new AppError('linkNotFound')
    },
  }
}
