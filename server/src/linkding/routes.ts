import { MAX_SHORT_BODY_BYTES } from '@kopilka/contract/endpoint.ts'
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { AppError } from '../errors.ts'
import type { Access } from '../http/access.ts'
import { type Caller, localeOf } from '../http/caller.ts'
import { checkBodyHeaders, ownBytesOf, parseBody } from '../http/json-body.ts'
import { isRead, type LargeTransfers, signalOf, timesOf } from '../http/large-transfers.ts'
import { LINK_SORTS, type LinkSort } from '../items/link-page.ts'
import type { Pool } from '../threads/pool.ts'
import type { Bookmarks, Wanted } from './bookmarks.ts'
import { sendDjangoError } from './errors.ts'
import {
  type BookmarkBytes,
  InvalidFields,
  type parseBookmark,
  type SentBookmark,
  sentBookmark,
  sentTag,
} from './sent.ts'
import type { LinkdingTags } from './tags.ts'

/** Where clients find the API: `https://host/linkding` is their server. */
const PREFIX = '/linkding'

/** Most bytes of a bookmark that is saved; any other body is short. */
const MAX_SAVE_BYTES = 512 * 1024
/** Paths at which bookmarks are saved. */
const SAVES: ReadonlySet<string> = new Set(['/bookmarks', '/bookmarks/:id'])

/**
 * Paths at which reads may have megabytes, besides lists of bookmarks, which wait before anything is read. A check may read
 * another site first, and waits only with a long response.
 */
const LONG_READS: ReadonlySet<string> = new Set(['/bookmarks/:id', '/tags'])

/** Entries of a list (Django REST Framework's LimitOffsetPagination, as linkding sets it up), and the most that we give. */
const DEFAULT_LIMIT = 100
const MAX_BOOKMARKS = 500
const MAX_TAGS = 10_000

/** A version of linkding that has what clients look for. */
const VERSION = '1.41.0'

const PROFILE = {
  theme: 'auto',
  bookmark_date_display: 'relative',
  bookmark_link_target: '_blank',
  web_archive_integration: 'disabled',
  tag_search: 'strict',
  enable_sharing: false,
  enable_public_sharing: false,
  enable_favicons: false,
  display_url: false,
  permanent_notes: false,
  search_preferences: { sort: 'added_desc', shared: 'off', unread: 'off' },
  version: VERSION,
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
type Method = (typeof METHODS)[number]

/** The calls, with the methods of each. `shared` alone takes no token. */
export const LINKDING_CALLS = {
  '/bookmarks': ['GET', 'POST'],
  '/bookmarks/archived': ['GET'],
  '/bookmarks/check': ['GET'],
  '/bookmarks/singlefile': ['POST'],
  '/bookmarks/:id': ['GET', 'PUT', 'PATCH', 'DELETE'],
  '/bookmarks/:id/archive': ['POST'],
  '/bookmarks/:id/unarchive': ['POST'],
  '/bookmarks/:id/assets': ['GET'],
  '/bookmarks/:id/assets/upload': ['POST'],
  '/tags': ['GET', 'POST'],
  '/tags/:id': ['GET', 'DELETE'],
  '/bundles': ['GET'],
  '/user/profile': ['GET'],
} as const satisfies Record<string, readonly Method[]>
type Calls = typeof LINKDING_CALLS

/** What a handler gets. */
interface Asked {
  caller: Caller
  id: string
  query: Query
  /** The parsed body; of a bookmark that is saved {@link Asked.sent} parses it. */
  body: unknown
  /** The bookmark of the body. Throws {@link InvalidFields}. */
  sent: (rules: { needsUrl: boolean }) => Promise<SentBookmark>
  request: FastifyRequest
  signal: AbortSignal
  /** Waits until the caller may have another long response, before it is read or a save whose response it is begins. */
  waitToRespond: () => Promise<void>
}
/** Resolves to the status and the body, if there is one. */
type Handler = (asked: Asked) => Promise<readonly [status: number, body?: unknown]>
type Query = Readonly<Record<string, string>>

interface Dependencies {
  access: Access
  pool: Pool
  transfers: LargeTransfers
  bookmarks: Bookmarks
  tags: LinkdingTags
}

/** Serves the API of linkding (docs/linkding.md). */
export function serveLinkding(
  app: FastifyInstance,
  { access, pool, transfers, bookmarks, tags }: Dependencies,
): void {
  const list =
    (archived: boolean): Handler =>
    async ({ caller: { owner_id }, query, request, signal, waitToRespond }) => {
      const page = pageOf(query, MAX_BOOKMARKS)
      if (query.shared === 'yes') return [200, listOf(request, page, 0, [])]
      const wanted: Wanted = { ...wantedOf(query), ...page, archived, signal }
      await waitToRespond()
      const { count, results } = await bookmarks.list(owner_id, wanted)
      return [200, listOf(request, page, count, results)]
    }

  const setArchived =
    (is_archived: boolean): Handler =>
    async ({ caller, id, signal }) => {
      await bookmarks.update({ ...caller, signal }, id, { is_archived })
      return [204]
    }

  const change =
    (needsUrl: boolean): Handler =>
    async ({ caller, id, sent, signal, waitToRespond }) => {
      const bookmark = await sent({ needsUrl })
      await waitToRespond()
      return [200, await bookmarks.update({ ...caller, signal }, id, bookmark)]
    }

  const empty: Handler = async ({ query, request }) => [
    200,
    listOf(request, pageOf(query, DEFAULT_LIMIT), 0, []),
  ]

  const noFiles: Handler = async () => [403, { error: 'Asset upload is disabled.' }]

  const routes: { readonly [Path in keyof Calls]: Readonly<Record<Calls[Path][number], Handler>> } = {
    '/bookmarks': {
      GET: list(false),
      POST: async ({ caller, query, sent, request, signal, waitToRespond }) => {
        const { url = '', ...bookmark } = await sent({ needsUrl: true })
        const reads = query.disable_scraping === undefined
        const how = { reads, locale: localeOf(request), beforeSaving: waitToRespond }
        return [201, await bookmarks.save({ ...caller, signal }, { ...bookmark, url }, how)]
      },
    },
    '/bookmarks/archived': { GET: list(true) },
    '/bookmarks/check': {
      GET: async ({ caller: { owner_id }, query, request, signal }) => {
        const { url = '' } = sentBookmark({ url: query.url }, { needsUrl: true })
        return [200, await bookmarks.check({ owner_id, signal }, url, localeOf(request))]
      },
    },
    '/bookmarks/singlefile': { POST: noFiles },
    '/bookmarks/:id': {
      GET: async ({ caller: { owner_id }, id, signal }) => [
        200,
        await bookmarks.read({ owner_id, signal }, id),
      ],
      PUT: change(true),
      PATCH: change(false),
      DELETE: async ({ caller, id }) => {
        await bookmarks.remove(caller, id)
        return [204]
      },
    },
    '/bookmarks/:id/archive': { POST: setArchived(true) },
    '/bookmarks/:id/unarchive': { POST: setArchived(false) },
    '/bookmarks/:id/assets': {
      GET: async (asked) => {
        await bookmarks.read({ owner_id: asked.caller.owner_id, signal: asked.signal }, asked.id)
        return empty(asked)
      },
    },
    '/bookmarks/:id/assets/upload': { POST: noFiles },
    '/tags': {
      GET: async ({ caller: { owner_id }, query, request }) => {
        const page = pageOf(query, MAX_TAGS)
        const { count, results } = await tags.list(owner_id, page)
        return [200, listOf(request, page, count, results)]
      },
      POST: async ({ caller, body }) => [201, await tags.create(caller, sentTag(body))],
    },
    '/tags/:id': {
      GET: async ({ caller: { owner_id }, id }) => [200, await tags.read(owner_id, id)],
      DELETE: async ({ caller, id }) => {
        await tags.remove(caller, id)
        return [204]
      },
    },
    '/bundles': { GET: empty },
    '/user/profile': { GET: async () => [200, PROFILE] },
  }

  const callers = new WeakMap<FastifyRequest, Caller>()

  app.register(
    async (scope) => {
      scope.setErrorHandler<FastifyError | AppError | InvalidFields>((error, request, reply) =>
        sendDjangoError(error, request, reply),
      )
      for (const [path, handlers] of Object.entries<Partial<Record<Method, Handler>>>(routes)) {
        const handlerOf = ({ method }: FastifyRequest): Handler => {
          const handler = METHODS.flatMap((known) =>
            known === (method === 'HEAD' ? 'GET' : method) ? (handlers[known] ?? []) : [],
          )[0]
          if (!handler) throw new AppError('methodNotAllowed')
          return handler
        }
        const takesFiles = Object.values(handlers).includes(noFiles)
        scope.all<{ Params: { id?: string } }>(`/api${path}`, {
          bodyLimit: SAVES.has(path) ? MAX_SAVE_BYTES : MAX_SHORT_BODY_BYTES,
          // Runs before the body is read. Files are refused here, whatever their type.
          onRequest: async (request, reply) => {
            const token = /^(?:Token|Bearer) +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
            const scopeOf = isRead(request) ? 'read' : 'write'
            const times = takesFiles ? 1 : timesOf(request)
            const caller = await access.admit(request, reply, { scope: scopeOf, token, times })
            callers.set(request, caller)
            reply.header('allow', Object.keys(handlers).join(', '))
            if (handlerOf(request) === noFiles)
              return reply.status(403).send({ error: 'Asset upload is disabled.' })
            transfers.countUnannounced({ request, caller })
            checkBodyHeaders(request)
            if (SAVES.has(path)) await transfers.waitToReceive(caller.owner_id, request, reply)
          },
          handler: async (request, reply) => {
            const caller = callers.get(request)
            if (!caller) throw new AppError('unauthorized')
            const signal = signalOf(reply)
            const mayBeLong = isRead(request) && LONG_READS.has(path)
            const make = async () => {
              const [status, body] = await handlerOf(request)({
                caller,
                id: request.params.id ?? '',
                query: queryOf(request),
                body: SAVES.has(path) ? undefined : bodyOf(request),
                sent: (rules) => sentIn(request, { owner_id: caller.owner_id, pool, signal, ...rules }),
                request,
                signal,
                waitToRespond: () => transfers.waitToRespond(caller.owner_id, reply),
              })
              reply.status(status)
              return body
            }
            return transfers.sendJson(make, { request, reply, caller, mayBeLong })
          },
        })
      }
      // The only call without a token: nothing is shared.
      scope.get('/api/bookmarks/shared', async (request, reply) => {
        await access.admitAnyone(request, reply)
        return listOf(request, pageOf(queryOf(request), DEFAULT_LIMIT), 0, [])
      })
      scope.all('/api/*', {
        // Runs before the body is read.
        onRequest: async (request, reply) => {
          await access.admitAnyone(request, reply)
          throw new AppError('notFound')
        },
        handler: async () => {},
      })
      // The browser extension opens searches of the address bar here.
      scope.get('/bookmarks', async (request, reply) => {
        await access.admitAnyone(request, reply)
        const { q } = queryOf(request)
        return reply.redirect(q ? `/home?${new URLSearchParams({ search: q })}` : '/home')
      })
      // linkding's bookmarklet opens its form here.
      scope.get('/bookmarks/new', async (request, reply) => {
        await access.admitAnyone(request, reply)
        const { url = '', title = '', description = '', notes = '', tags = '' } = queryOf(request)
        const text = [description, notes].filter((part) => part !== '').join('\n\n')
        const given = Object.entries({ url, title, text, tags: tags.replaceAll(' ', ',') })
        return reply.redirect(`/add?${new URLSearchParams(given.filter(([, value]) => value !== ''))}`)
      })
    },
    { prefix: PREFIX },
  )
}

const ANYTHING = z.unknown()

const bodyOf = ({ body }: FastifyRequest): unknown => (Buffer.isBuffer(body) ? parseBody(body, ANYTHING) : {})

/** The bookmark of a body. A long one is parsed in a thread, as other long bodies are, and no further once the client has gone. */
async function sentIn(
  { body }: FastifyRequest,
  {
    owner_id,
    pool,
    signal,
    ...rules
  }: { owner_id: string; pool: Pool; signal: AbortSignal; needsUrl: boolean },
): Promise<SentBookmark> {
  if (!Buffer.isBuffer(body)) return sentBookmark({}, rules)
  if (body.length <= MAX_SHORT_BODY_BYTES) return sentBookmark(parseBody(body, ANYTHING), rules)
  const task: BookmarkBytes = { bytes: ownBytesOf(body), ...rules }
  const options = { owner_id, signal, transfer: [task.bytes.buffer] }
  const outcome = await pool.run<ReturnType<typeof parseBookmark>>('parseBookmark', task, options)
  if ('invalid' in outcome) throw new InvalidFields(outcome.invalid)
  return outcome.sent
}

/** The parameters, the first of each name. */
function queryOf({ query }: FastifyRequest): Query {
  const found: Record<string, string> = {}
  for (const [name, value] of Object.entries(query as Record<string, string | string[]>))
    found[name] = (Array.isArray(value) ? value[0] : value) ?? ''
  return found
}

interface Page {
  limit: number
  offset: number
}

const wholeNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined

/** Junk is the default, as some clients send `limit=undefined`. */
const pageOf = ({ limit, offset }: Query, most: number): Page => ({
  limit: Math.min(wholeNumber(limit) || DEFAULT_LIMIT, most),
  offset: wholeNumber(offset) ?? 0,
})

/** Throws {@link InvalidFields} for a time that is none. */
function since(query: Query, name: 'added_since' | 'modified_since'): number {
  const text = query[name]
  if (text === undefined || text === '') return -1
  const time = Date.parse(text)
  if (Number.isNaN(time)) throw new InvalidFields({ [name]: ['Enter a valid date/time.'] })
  return Math.max(-1, time)
}

function wantedOf(query: Query): Omit<Wanted, keyof Page | 'archived' | 'signal'> {
  const { q = '', unread, sort } = query
  return {
    query: q.slice(0, 1000),
    unread: unread === 'yes' ? true : unread === 'no' ? false : undefined,
    sort: LINK_SORTS.find((known): known is LinkSort => known === sort) ?? 'added_desc',
    added_since: since(query, 'added_since'),
    modified_since: since(query, 'modified_since'),
  }
}

/** A list in the shape of LimitOffsetPagination. The next page begins behind what was given, which may be less than the limit. */
function listOf(
  request: FastifyRequest,
  { limit, offset }: Page,
  count: number,
  results: readonly unknown[],
) {
  const end = offset + results.length
  const at = (start: number): string => {
    const url = URL.parse(request.url, `${request.protocol}://${request.host}`)
    // The header Host holds whatever the client sends.
    if (!url) throw new AppError('badRequest')
    url.searchParams.set('limit', `${limit}`)
    if (start > 0) url.searchParams.set('offset', `${start}`)
    else url.searchParams.delete('offset')
    return url.href
  }
  return {
    count,
    next: results.length > 0 && end < count ? at(end) : null,
    previous: offset > 0 ? at(Math.max(0, offset - limit)) : null,
    results,
  }
}
