import { everyCall } from '@kopilka/contract/calls.ts'
import type { Endpoint } from '@kopilka/contract/endpoint.ts'
import { idsInQuery } from '@kopilka/contract/fields.ts'
import { imports } from '@kopilka/contract/imports.ts'
import { MAX_IDS, MAX_IDS_IN_QUERY, MAX_MERGED } from '@kopilka/contract/limits.ts'
import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { operations } from '@kopilka/contract/operations.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { tokens } from '@kopilka/contract/tokens.ts'
import { trash } from '@kopilka/contract/trash.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { pathOf } from './client.ts'
import { createTestApp, type TestApp } from './create-test-app.ts'
import { type Account, newAccount } from './new-account.ts'
import { keepPicture, png, readPicture } from './pictures.ts'
import { sendFile } from './send-file.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'QUERY', 'LINK']
const MISSING = '01a1fa45-9743-7383-8dfc-4ee65ccd69d0'

let app: TestApp
let owner: Account
let stranger: Account
let deleted: Account
/** An id for each group of calls. */
type Owned = Record<string, string>
let owned: Owned
let deletedIds: Owned

beforeAll(async () => {
  app = await createTestApp()
  owner = await newAccount(app)
  stranger = await newAccount(app)
  deleted = await newAccount(app)
  owned = await fill(owner)
  deletedIds = await fill(deleted)
  await app.db.deleteFrom('users').where('owner_id', '=', deleted.id).execute()
})
afterAll(() => app.close())

async function fill({ auth }: Account): Promise<Owned> {
  const body = { title: 'Моё', tags: ['личное'] }
  const note = await app.call(notes.create, { body: { ...body, content: '<p>тайна</p>' } }, auth)
  const link = await app.call(
    links.create,
    { body: { ...body, description: 'тайна', url: 'https://example.org/' } },
    auth,
  )
  const trashed = await app.call(notes.create, { body: { ...body, content: 'тайна' } }, auth)
  const deletion = await app.request(notes.remove, { params: { id: trashed.id } }, auth)
  const operation = deletion.headers.get('operation') ?? ''
  const token = await app.call(tokens.create, { body: { name: 'Моё', scope: 'read' } }, auth)
  const { body: sent } = await sendFile(app, { auth }, 'https://example.org/', { name: 'Моё' })
  const picture = await keepPicture(app, { auth }, png(1))
  return {
    files: picture.id,
    ...{ notes: note.id, links: link.id, tags: note.tags[0]?.id ?? '' },
    ...{ trash: trashed.id, operations: operation, imports: sent.id, tokens: token.id },
  }
}

/** Reads what a group's id belongs to, with something that a stranger must not be able to change. */
const READS: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
  notes: async (id) => (await app.call(notes.read, { params: { id } }, owner.auth)).title,
  links: async (id) => (await app.call(links.read, { params: { id } }, owner.auth)).title,
  tags: async (id) => (await app.call(tags.read, { params: { id } }, owner.auth)).name,
  trash: async (id) => {
    const { results } = await app.call(trash.list, { query: {} }, owner.auth)
    return results.find((item) => item.id === id)?.title
  },
  imports: async (id) => (await app.call(imports.read, { params: { id } }, owner.auth)).name,
  tokens: async (id) => {
    const { results } = await app.call(tokens.list, {}, owner.auth)
    return results.find((token) => token.id === id)?.name
  },
  files: async (id) => (await readPicture(app, owner, id)).status,
  operations: async (id) => {
    const { results } = await app.call(operations.list, { query: {} }, owner.auth)
    return results.find((operation) => operation.id === id)?.undone_at
  },
}
const UNCHANGED: Readonly<Record<string, unknown>> = { tags: 'личное', operations: null, files: 200 }

/** A field of a call that takes ids, how many at most, and a request with some of them. */
type IdList = readonly [field: string, most: number, request: (ids: readonly string[]) => object]

/** Found by what the contract says of the fields, so that those of a new call are among them. */
function idListsOf({ body, query }: Endpoint): IdList[] {
  const properties = body ? (z.toJSONSchema(body, { io: 'input' }).properties ?? {}) : {}
  const inBody = Object.entries(properties).flatMap(([field, schema]): IdList[] => {
    if (typeof schema !== 'object' || typeof schema.items !== 'object') return []
    const { items, maxItems = Number.POSITIVE_INFINITY } = schema
    if (Array.isArray(items) || items.format !== 'uuid') return []
    return [[field, maxItems, (ids) => ({ body: { [field]: ids } })]]
  })
  const inQuery = Object.entries(query instanceof z.ZodMiniObject ? query.shape : {}).flatMap(
    ([field, schema]): IdList[] =>
      schema instanceof z.ZodMiniOptional && schema.def.innerType === idsInQuery
        ? [[field, MAX_IDS_IN_QUERY, (ids) => ({ query: { [field]: ids.join() } })]]
        : [],
  )
  return [...inBody, ...inQuery]
}

/** Different ids that nothing has. */
const idsOfNothing = (count: number) =>
  Array.from({ length: count }, (_, at) => MISSING.replace(/.{8}$/, String(at).padStart(8, '0')))

describe.each(everyCall)('%s', (name, call) => {
  /** Declares a check for the calls it applies to. */
  const guard = (applies: boolean, what: string, body: () => Promise<void>) => {
    if (applies) it(what, body)
  }

  it('is served at its path with and without the closing slash', async () => {
    const path = pathOf(call, { params: { id: MISSING } })
    for (const address of [path, path.slice(0, -1)]) {
      const reply = await app.send(call.method, address, call.body && {})
      expect(reply.body.detail, address).not.toBe('Ресурс не найден')
      expect(reply.status, address).not.toBe(404)
    }
  })

  guard(
    call.access === 'signed-in',
    'responds 401 to a signed-out or deleted user, whatever is sent',
    async () => {
      const id = deletedIds[name.split('.')[0] ?? ''] ?? MISSING
      const request = { params: { id }, ...(call.body && { body: {} }) }
      const tokens = [undefined, 'nonsense', owner.session.refresh_token, deleted.session.access_token]
      for (const token of tokens) {
        const reply = await app.request(call, request, { token })
        expect(reply.status).toBe(401)
        expect(reply.body).toEqual({
          detail: 'Необходимо авторизоваться.',
          ...(call.repeatsDetailAsError && { error: 'Необходимо авторизоваться.' }),
        })
      }
    },
  )

  guard(
    call.params !== undefined,
    "responds with the same 404 for an id that is missing, malformed, another user's or a deleted user's",
    async () => {
      const [group = ''] = name.split('.')
      const theirs = owned[group] ?? ''
      const body = call.body && {
        title: 'Чужое',
        content: 'x',
        description: 'x',
        url: 'https://x.org',
        name: 'x',
        into: MISSING,
      }
      const replies = []
      for (const id of [theirs, deletedIds[group] ?? '', MISSING, 'malformed', `${theirs}x`, '1', '%00']) {
        const params = { id, revision: '1' }
        replies.push(await app.request(call, { params, ...(body && { body }) }, stranger.auth))
      }
      for (const { status, body: received } of replies) {
        expect(status).toBe(404)
        expect(received).toEqual(replies[0]?.body)
      }
      const kept = await READS[group]?.(theirs)
      expect(kept).toBe(group in UNCHANGED ? UNCHANGED[group] : 'Моё')
    },
  )

  guard(
    call.body !== undefined && !call.body.safeParse({}).success,
    'responds 400 with a message for each missing required field',
    async () => {
      const reply = await app.request(
        call,
        { params: { id: owned[name.split('.')[0] ?? ''] }, body: {} },
        owner.auth,
      )
      expect(reply.status).toBe(400)
      const { detail, error, ...fields } = reply.body
      expect(detail).toBe('Пожалуйста, исправьте ошибки в форме.')
      expect(error).toBe(call.repeatsDetailAsError ? detail : undefined)
      expect(Object.values(fields).length).toBeGreaterThan(0)
      for (const messages of Object.values(fields)) expect(messages).toEqual(['Обязательное поле'])
    },
  )

  it.each(idListsOf(call))('takes in %s no more than %d ids', async (field, most, request) => {
    const message = `Не больше ${most} записей за один раз`
    const many = await app.request(call, request(idsOfNothing(most + 1)), owner.auth)
    expect([many.status, many.body[field]]).toEqual([400, [message]])
    const fewer = await app.request(call, request(idsOfNothing(most)), owner.auth)
    expect(fewer.body[field]).toBeUndefined()
  })

  guard(call.body !== undefined, 'responds 400 to malformed JSON and 415 to other media types', async () => {
    const path = pathOf(call, { params: { id: MISSING } })
    const broken = await app.send(call.method, path, '{"title":', owner.auth)
    expect([broken.status, broken.body.detail]).toEqual([
      400,
      'Запрос не удалось прочитать: в нём должен быть JSON в кодировке UTF-8.',
    ])
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const other = await app.send(call.method, path, 'title=x', {
        ...owner.auth,
        headers: { 'content-type': type },
      })
      expect([type, other.status]).toEqual([type, 415])
      expect(other.body.detail).toMatch(/JSON/)
    }
  })

  it('responds 405 to other methods and names exactly the allowed ones', async () => {
    const atPath = everyCall.filter(([, other]) =>
      new RegExp(`^${other.path.replace(/:\w+/g, '[^/]+')}$`).test(call.path),
    )
    const siblings = [...new Set(atPath.map(([, other]) => other.method))]
    for (const method of METHODS.filter((method) => !siblings.some((known) => known === method))) {
      const reply = await app.send(method, pathOf(call, { params: { id: MISSING } }))
      expect([method, reply.status]).toEqual([method, 405])
      expect(reply.body.detail).toBe('Этот адрес не принимает такой запрос.')
      const allowed = reply.headers
        .get('allow')
        ?.split(', ')
        .filter((known) => known !== 'HEAD')
      expect(allowed?.toSorted()).toEqual(siblings.toSorted())
    }
  })

  it('is never cached', async () => {
    const reply = await app.request(call, { params: { id: MISSING } })
    expect(reply.headers.get('cache-control')).toBe('no-store')
  })
})

describe('the API as a whole', () => {
  it('takes lists of ids where it is known to', () => {
    const found = everyCall.flatMap(([name, call]) =>
      idListsOf(call).map(([field, most]) => [`${name}: ${field}`, most]),
    )
    expect(Object.fromEntries(found)).toEqual({
      'bulk.change: ids': MAX_IDS,
      'bulk.merge: merge': MAX_MERGED,
      'exports.create: ids': MAX_IDS,
      'tags.list: merged': MAX_IDS_IN_QUERY,
      'trash.restore: ids': MAX_IDS,
    })
  })

  it('serves nothing that the contract does not declare', async () => {
    const reply = await app.send('GET', '/api/v1/nothing/here/', undefined, owner.auth)
    expect([reply.status, reply.body]).toEqual([404, { detail: 'Ресурс не найден' }])
  })

  it('responds 404 to a path that cannot be decoded', async () => {
    const reply = await app.send('GET', '/api/v1/notes/%E0%A4%A/', undefined, owner.auth)
    expect([reply.status, reply.body.detail]).toEqual([404, 'Ресурс не найден'])
  })

  it('responds 413 to a body over the limit', async () => {
    const title = 'я'.repeat(8 * 1024 * 1024)
    const reply = await app.request(notes.create, { body: { title } }, owner.auth)
    expect(reply.status).toBe(413)
    expect(reply.body.detail).toMatch(/Слишком много данных/)
  })

  it.each([
    ['en', 'You need to sign in.'],
    ['en-US,en;q=0.9,ru;q=0.8', 'You need to sign in.'],
    ['ru,en;q=0.9', 'Необходимо авторизоваться.'],
    ['en;q=0.3,ru;q=0.5', 'Необходимо авторизоваться.'],
    ['fr', 'Необходимо авторизоваться.'],
    ['', 'Необходимо авторизоваться.'],
    // Each element costs: only the beginning of the list is read.
    [`${'a,'.repeat(100)}en`, 'Необходимо авторизоваться.'],
  ])('uses the language of Accept-Language %j', async (language, detail) => {
    const reply = await app.send('GET', '/api/v1/users/me/', undefined, {
      headers: { 'accept-language': language },
    })
    expect(reply.body.detail).toBe(detail)
  })
})
