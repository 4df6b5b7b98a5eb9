import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { accounts } from '@kopilka/contract/accounts.ts'
import { bulk } from '@kopilka/contract/bulk.ts'
import { everyCall } from '@kopilka/contract/calls.ts'
import { API_PREFIX, type Endpoint } from '@kopilka/contract/endpoint.ts'
import { notes } from '@kopilka/contract/notes.ts'
import fastify from 'fastify'
import { describe, expect, onTestFinished } from 'vitest'
import type { AppError } from '../errors.ts'
import { pathOf } from '../testing/client.ts'
import type { TestApp } from '../testing/create-test-app.ts'
import { test } from '../testing/fixtures.ts'
import { newAccount } from '../testing/new-account.ts'
import { createWorkerPool } from '../threads/worker-pool.ts'
import { createBodyParser } from './json-body.ts'

const it = test
  /** Sends bytes and headers as they are; `pieces` are sent one after another, without a Content-Length. */
  .extend(
    'post',
    ({ app, account }) =>
      (
        pieces: readonly (string | Buffer)[],
        headers: Record<string, string | string[]>,
        path = `${API_PREFIX}${notes.create.path}`,
        method = 'POST',
      ): Promise<Reply> =>
        new Promise((resolve, reject) => {
          const [only] = pieces
          const length = pieces.length === 1 && only ? { 'content-length': Buffer.byteLength(only) } : {}
          const sent = request(
            `${app.address}${path}`,
            {
              method,
              headers: { authorization: `Bearer ${account.session.access_token}`, ...length, ...headers },
            },
            (reply) => {
              let text = ''
              reply.setEncoding('utf8').on('data', (part) => {
                text += part
              })
              reply.on('end', () => {
                resolve({ status: reply.statusCode ?? 0, body: JSON.parse(text) })
              })
            },
          )
          sent.on('error', reject)
          for (const piece of pieces) sent.write(piece)
          sent.end()
        }),
  )

const NOT_JSON = 'Запрос должен быть в формате JSON (Content-Type: application/json).'
const MALFORMED = 'Запрос не удалось прочитать: в нём должен быть JSON в кодировке UTF-8.'
const NOTE = JSON.stringify({ title: 'Ёж', content: 'в тумане' })

interface Reply {
  status: number
  body: { title?: unknown; content?: unknown; detail?: unknown }
}

const JSON_TYPE = { 'content-type': 'application/json' }

describe('a body is JSON', () => {
  it.for([
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json; charset=UTF-8',
    'application/json;charset="utf-8"',
    'application/json ; Charset = utf8',
    'application/json; profile=x',
  ])('said as %j', async (type, { post }) => {
    const { status, body } = await post([NOTE], { 'content-type': type })
    expect([status, body.title]).toEqual([201, 'Ёж'])
  })

  it.for([
    'text/plain',
    'text/json',
    'application/jsonx',
    'application/json-patch+json',
    'application/problem+json',
    'application/json;charset=windows-1251',
    'application/json; charset=utf-16',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'json',
    '*/*',
    ';',
    'application/json, text/plain',
  ])('and no %j', async (type, { post }) => {
    const { status, body } = await post([NOTE], { 'content-type': type })
    expect([status, body.detail]).toEqual([415, NOT_JSON])
  })

  it('with a JSON Content-Type', async ({ post }) => {
    const { status, body } = await post([NOTE], {})
    expect([status, body.detail]).toEqual([415, NOT_JSON])
  })

  it.for(['gzip', 'GZIP', 'br', 'deflate, gzip', 'x'])(
    'and not encoded as %s',
    async (encoding, { post }) => {
      const { status, body } = await post([gzipSync(NOTE)], { ...JSON_TYPE, 'content-encoding': encoding })
      expect([status, body.detail]).toEqual([
        415,
        'Сжатые запросы не принимаются: пришлите JSON без Content-Encoding.',
      ])
    },
  )

  it.for([
    ['bytes that are no UTF-8', Buffer.from('{"title":"\xff\xfe","content":"x"}', 'latin1')],
    ['half a character', Buffer.from(NOTE).subarray(0, 11)],
    ['windows-1251', Buffer.from('{"title":"\xc5\xe6","content":"x"}', 'latin1')],
    ['a NUL', '{"title":"\0","content":"x"}'],
    ['__proto__', '{"title":"x","content":"x","__proto__":{"tags":["x"]}}'],
    ['an escaped __proto__', '{"title":"x","content":"x","\\u005f_proto__":{}}'],
    ['constructor.prototype', '{"title":"x","content":"x","constructor":{"prototype":{}}}'],
    ['a comma too many', '{"title":"x",}'],
    ['single quotes', "{'title':'x'}"],
    ['NaN', '{"title":NaN}'],
    ['two values', '{}{}'],
    ['100,000 open brackets', '['.repeat(100_000)],
  ] as const)('and no %s', async ([_, bytes], { post }) => {
    const { status, body } = await post([bytes], JSON_TYPE)
    expect([status, body.detail]).toEqual([400, MALFORMED])
  })

  it.for([
    ['100,000 brackets', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['100,000 brackets as a title', `{"title":${'['.repeat(100_000)}${']'.repeat(100_000)},"content":"x"}`],
    [
      '100,000 objects as tags',
      `{"title":"x","content":"x","tags":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`,
    ],
    ['a list', '[]'],
    ['a text', '"x"'],
    ['null', 'null'],
    ['a number', '1e999'],
  ] as const)('whose shape is checked: %s', async ([_, bytes], { post }) => {
    expect((await post([bytes], JSON_TYPE)).status).toBe(400)
  })

  const TOO_LARGE = 'Слишком много данных в одном запросе. Сократите текст и попробуйте снова.'
  const note = (rest: string) => `{"title":"x","content":"x"${rest}}`

  it.for([
    ['2,000,000 tags', note(`,"tags":[${'1,'.repeat(2_000_000)}1]`), 413],
    ['100,000 tags', note(`,"tags":[${'"x",'.repeat(100_000)}"x"]`), 413],
    [
      '700,000 keys',
      `{${Array.from({ length: 700_000 }, (_, at) => `"${at}":1,`).join('')}"title":"x"}`,
      413,
    ],
    ['1,000,000 brackets', note(`,"tags":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`), 400],
    ['8 MB of accents', JSON.stringify({ title: 'x', content: '\u0301'.repeat(4_000_000) }), 400],
    ['a title of 8 MB of accents', JSON.stringify({ title: '\u0301'.repeat(4_000_000), content: 'x' }), 400],
    ['8 MB of <>', JSON.stringify({ title: 'x', content: '<>'.repeat(4_000_000) }), 400],
    ['10,000 tags', note(`,"tags":[${'"x",'.repeat(9_999)}"x"]`), 400],
  ] as const)('of honest size: no %s', async ([_, bytes, expected], { post }) => {
    const { status, body } = await post([bytes], JSON_TYPE)
    expect([status, body.detail === TOO_LARGE]).toEqual([expected, expected === 413])
  })

  it('of half a megabyte, with every character escaped', async ({ post }) => {
    const content = `<p>${'я'.repeat(499_993)}</p>`
    const escaped = content.replace(/я/g, '\\u044f')
    const { status, body } = await post([`{"title":"x","content":"${escaped}"}`], JSON_TYPE)
    expect([status, body.content === content]).toEqual([201, true])
  })

  it.for(everyCall.filter(([, { body, maxBodyBytes }]) => body && !maxBodyBytes))(
    'and a small one, where nobody has much to say: %s',
    async ([_, call], { post }) => {
      const path = pathOf(call, { params: { id: '01a1fa45-9743-7383-8dfc-4ee65ccd69d0' } })
      const { status } = await post(['x'.repeat(64 * 1024 + 1)], JSON_TYPE, path, call.method)
      expect(status).toBe(413)
    },
  )

  it.for(everyCall.filter(([, { body, access }]) => body && access === 'public'))(
    'and a shorter one, where nobody has signed in: %s',
    async ([_, call], { post }) => {
      const status = async (bytes: number) =>
        (await post(['x'.repeat(bytes)], JSON_TYPE, pathOf(call, {}), call.method)).status
      expect([await status(10 * 1024), await status(10 * 1024 + 1)]).toEqual([400, 413])
    },
  )

  it('of the longest registration, with every character escaped', async ({ post }) => {
    const emoji = (count: number) => '\\ud83e\\udd94'.repeat(count)
    const email = `${emoji(248)}@ё.рф`
    const body = `{"first_name":"${emoji(150)}","last_name":"${emoji(150)}","email":"${email}","password":"${emoji(200)}"}`
    expect((await post([body], JSON_TYPE, `${API_PREFIX}${accounts.register.path}`)).status).toBe(201)
  })

  it('in which the last of duplicate keys wins, a byte order mark is ignored, and escapes may be lone surrogates', async ({
    post,
  }) => {
    const { status, body } = await post(
      [Buffer.from('\uFEFF{"title":"first","title":"x\\ud800y","content":"x"}')],
      JSON_TYPE,
    )
    expect([status, body.title]).toEqual([201, 'x\uFFFDy'])
  })
})

describe('a body is accepted', () => {
  it('in pieces', async ({ post }) => {
    const bytes = Buffer.from(NOTE)
    const { status, body } = await post([bytes.subarray(0, 11), bytes.subarray(11)], JSON_TYPE)
    expect([status, body.title]).toEqual([201, 'Ёж'])
  })

  it('up to the limit, with and without a Content-Length', async ({ post }) => {
    const large = 'x'.repeat(5 * 1024 * 1024)
    const detail = 'Слишком много данных в одном запросе. Сократите текст и попробуйте снова.'
    for (const pieces of [[large + large], [large, large]]) {
      const { status, body } = await post(pieces, JSON_TYPE)
      expect([status, body.detail]).toEqual([413, detail])
    }
    const login = `${API_PREFIX}${accounts.login.path}`
    expect((await post(['x'.repeat(70_000)], JSON_TYPE, login)).status).toBe(413)
  })

  it.for(['100-continue', 'miracles'])('with any Expect header: %s', async (expectation, { post }) => {
    expect((await post([NOTE], { ...JSON_TYPE, expect: expectation })).status).toBe(201)
  })

  it('empty, if no field is required', async ({ app, post }) => {
    const logout = `${API_PREFIX}${accounts.logout.path}`
    for (const headers of [{ ...JSON_TYPE, 'content-length': '0' }, {}]) {
      const own = await newAccount(app)
      const authorization = `Bearer ${own.session.access_token}`
      expect((await post([], { ...headers, authorization, 'content-length': '0' }, logout)).status).toBe(200)
    }
    const nothing = await post([], { ...JSON_TYPE, 'content-length': '0' })
    expect([nothing.status, nothing.body.title]).toEqual([400, ['Обязательное поле']])
  })
})

describe('a body is parsed in another thread', () => {
  /** Parses bodies of a call; resolves to the result, and how many the threads have parsed. */
  const parserOf = async (app: TestApp, call: Endpoint) => {
    const pool = createWorkerPool(app.database.settings)
    const server = fastify({ forceCloseConnections: true })
    onTestFinished(async () => {
      await server.close()
      await pool.close()
    })
    const bodyOf = createBodyParser(server, pool)
    server.post('/', async (request, reply) => {
      const parsing = bodyOf(call, request, { reply, owner_id: 'a' })
      const body = await parsing.catch(({ code }: AppError) => code)
      return { body, done: pool.done() }
    })
    const address = await server.listen({ host: '127.0.0.1', port: 0 })
    return async (body: string) => {
      const reply = await fetch(address, { method: 'POST', headers: JSON_TYPE, body })
      return (await reply.json()) as { body: unknown; done: number }
    }
  }

  it('if it is longer than 10 KB, and no other', async ({ app }) => {
    const parse = await parserOf(app, notes.create)
    const parsed = async (bytes: number) => {
      const rest = JSON.stringify({ title: 'Ёж', content: '' })
      const note = { title: 'Ёж', content: 'x'.repeat(bytes - Buffer.byteLength(rest)) }
      const { body, done } = await parse(JSON.stringify(note))
      expect(body).toMatchObject(note)
      return done
    }
    const sizes = [10 * 1024, 10 * 1024 + 1, 65 * 1024, 10 * 1024]
    const done = []
    for (const size of sizes) done.push(await parsed(size))
    expect(done).toEqual([0, 1, 2, 2])
  })

  it('however many conditions of a filter are unknown', async ({ app }) => {
    const parse = await parserOf(app, bulk.change)
    const filter = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [at, 1]))
    expect(await parse(JSON.stringify({ filter }))).toEqual({ body: 'formInvalid', done: 1 })
  })
})

it('that is large waits while two others of its owner are not there yet, and nobody else does', async ({
  app,
  account,
}) => {
  const note = JSON.stringify({ title: 'Ёж', content: 'x'.repeat(100_000) })
  /** Sends the head and the first half of a large body; `finish` sends the rest and resolves to the status. */
  const begin = (of: typeof account) => {
    const sent = request(`${app.address}${API_PREFIX}${notes.create.path}`, {
      method: 'POST',
      headers: {
        ...JSON_TYPE,
        authorization: `Bearer ${of.session.access_token}`,
        'content-length': Buffer.byteLength(note),
      },
    })
    const status = new Promise<number>((resolve, reject) => {
      sent.on('response', (reply) => resolve(reply.resume().statusCode ?? 0))
      sent.on('error', reject)
    })
    sent.write(note.slice(0, 50_000))
    const finish = () => {
      sent.end(note.slice(50_000))
      return status
    }
    return { finish }
  }
  const [first, second] = [begin(account), begin(account)]
  // Both are waited for from here on: the server has responded to later requests of the same owner.
  for (let at = 0; at < 5; at += 1) await app.call(notes.list, { query: {} }, account.auth)
  let isDone = false
  const third = begin(account)
    .finish()
    .then((status) => {
      isDone = true
      return status
    })
  const other = await newAccount(app)
  for (let at = 0; at < 3; at += 1) expect(await begin(other).finish()).toBe(201)
  expect(isDone).toBe(false)
  expect(await first.finish()).toBe(201)
  expect(await third).toBe(201)
  expect(await second.finish()).toBe(201)
})
