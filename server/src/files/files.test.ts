import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { files } from '@kopilka/contract/files.ts'
import { tokens } from '@kopilka/contract/tokens.ts'
import { describe, expect } from 'vitest'
import type { TestApp } from '../testing/create-test-app.ts'
import { test } from '../testing/fixtures.ts'
import { type Account, newAccount } from '../testing/new-account.ts'
import { startPageServer } from '../testing/page-server.ts'
import { keepPicture, largePng, png, readPicture, SAMPLES, sample, sendPicture } from '../testing/pictures.ts'

const it = test
  /** A site with pictures and other things. */
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of the fixtures from this pattern
  .extend('site', { scope: 'file' }, async ({}, { onCleanup }) => {
    const server = await startPageServer(({ url = '' }, response) => {
      const send = (type: string, bytes: Uint8Array | string) =>
        void response.writeHead(200, { 'content-type': type }).end(bytes)
      if (url === '/picture') return send('image/png', png(77))
      if (url === '/moved') return void response.writeHead(302, { location: '/picture' }).end()
      if (url === '/as-file') return send('application/octet-stream', sample('webp'))
      if (url === '/large') return send('image/png', largePng(3_000_000))
      if (url === '/page') return send('text/html', '<p>x</p>')
      if (url === '/lie') return send('image/png', '<p>x</p>')
      if (url === '/svg') return send('image/svg+xml', '<svg></svg>')
      if (url === '/cut') return send('image/png', png(1).subarray(0, 60))
      if (url === '/broken') {
        response.writeHead(200, { 'content-type': 'image/png', 'content-length': 500 }).flushHeaders()
        return void response.destroy()
      }
      response.writeHead(404).end()
    })
    onCleanup(() => server.close())
    return server
  })
  .extend('options', { scope: 'file' }, () => ({
    settings: { FILE_LIMIT: '2MB', FILES_PER_USER: '5MB', FETCH_ALLOW: '127.0.0.1' },
  }))

describe('a picture', () => {
  it.for(SAMPLES)('that is %s comes back as it was kept', async (name, { app, account }) => {
    const { status, body } = await sendPicture(app, account, sample(name))
    expect(status).toBe(201)
    const { id, bytes, type } = body
    expect(body).toEqual({ id, url: `/api/v1/files/${id}/`, type, width: 40, height: 20, bytes })
    expect(files.create.response.parse(body)).toEqual(body)
    const read = await readPicture(app, account, id)
    expect([read.status, read.bytes.length]).toEqual([200, bytes])
    expect(read.bytes.includes('Canary')).toBe(false)
    expect(Object.fromEntries(read.headers)).toMatchObject({
      'content-type': type,
      'content-length': String(bytes),
      'content-disposition': `inline; filename="${id}.${type.slice(6)}"`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'same-origin',
    })
    const etag = read.headers.get('etag') ?? ''
    const again = await readPicture(app, account, id, { 'if-none-match': etag })
    expect([again.status, again.bytes.length]).toEqual([304, 0])
  })

  it('of many chunks comes back as it was sent, in whatever pieces', async ({ app, account }) => {
    const bytes = largePng(1_500_000)
    const pieces = Readable.toWeb(Readable.from([bytes.subarray(0, 10), bytes.subarray(10)]))
    const { status, body } = await sendPicture(app, account, pieces as ReadableStream, { type: 'image/jpeg' })
    expect([status, body.type]).toEqual([201, 'image/png'])
    expect((await readPicture(app, account, body.id)).bytes.equals(bytes)).toBe(true)
  })

  it('that is sent again, also at once, is the same', async ({ app, account }) => {
    const bytes = largePng(600_000, 2)
    const sent = await Promise.all([1, 2, 3].map(() => keepPicture(app, account, bytes)))
    sent.push(await keepPicture(app, account, bytes))
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1)
    const usage = await app.db
      .selectFrom('usage')
      .select('file_bytes')
      .where('owner_id', '=', account.id)
      .executeTakeFirst()
    expect(Number(usage?.file_bytes)).toBe(bytes.length)
  })

  it("is its owner's alone, also where others have the same", async ({ app, account }) => {
    const other = await newAccount(app)
    const { id } = await keepPicture(app, account, png(5))
    expect((await readPicture(app, other, id)).status).toBe(404)
    await keepPicture(app, other, png(5))
    expect((await readPicture(app, other, id)).status).toBe(200)
  })

  it('is read and kept with API tokens of the scope for it', async ({ app, account }) => {
    const withScope = async (scope: 'read' | 'write' | 'feed'): Promise<Pick<Account, 'auth'>> => {
      const { token } = await app.call(tokens.create, { body: { name: scope, scope } }, account.auth)
      return { auth: { token } }
    }
    const [read, write, feed] = [await withScope('read'), await withScope('write'), await withScope('feed')]
    const { id } = await keepPicture(app, write, png(6))
    expect((await sendPicture(app, read, png(6))).status).toBe(403)
    const statuses = await Promise.all([read, write, feed].map((who) => readPicture(app, who, id)))
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 403])
  })
})

describe('what is refused', () => {
  it('is a body that is no picture, in words', async ({ app, account }) => {
    const refused = async (content: Uint8Array | string, type?: string) => {
      const { status, body } = await sendPicture(app, account, content, type === undefined ? {} : { type })
      return [status, body.detail]
    }
    expect(await refused('text')).toEqual([
      415,
      'Это не картинка, которую можно сохранить. Подходят PNG, JPEG, WebP, GIF и AVIF.',
    ])
    expect(await refused('<svg></svg>', 'image/svg+xml')).toEqual([
      415,
      'Картинки SVG не принимаются: в них могут быть скрипты. Сохраните картинку как PNG и попробуйте снова.',
    ])
    expect(await refused(png(1).subarray(0, 50))).toEqual([
      400,
      'Картинка повреждена или пришла не целиком. Выберите файл ещё раз.',
    ])
    expect(await refused('')).toEqual([400, 'Файл пуст: картинки в нём нет.'])
    expect(await refused(png(1), 'text/plain')).toEqual([
      415,
      'Картинку присылают как есть, с Content-Type: image/… или application/octet-stream.',
    ])
  })

  it('is a larger one than the limit, announced or not', async ({ app, account }) => {
    const bytes = largePng(2_500_000)
    const stream = Readable.toWeb(Readable.from([bytes])) as ReadableStream
    for (const content of [bytes, stream]) {
      const { status, body } = await sendPicture(app, account, content)
      expect([status, body]).toEqual([
        413,
        {
          detail: 'Картинка больше, чем принимает этот сервер. Уменьшите её и попробуйте снова.',
          file: ['Не больше 2 МБ'],
        },
      ])
    }
  })

  it('is one for which there is no room, until others are gone', async ({ app, account }) => {
    const send = async (seed: number) => (await sendPicture(app, account, largePng(1_900_000, seed))).status
    expect([await send(1), await send(2), await send(3), await send(1)]).toEqual([201, 201, 403, 201])
    const both = await Promise.all([sendPicture(app, account, png(1)), sendPicture(app, account, png(2))])
    expect(both.map(({ status }) => status)).toEqual([201, 201])
  })
})

describe('a picture of another site', () => {
  const ask = (app: TestApp, account: Account, url: string) =>
    app.request(files.fetch, { body: { url } }, account.auth)

  it.for([
    ['/picture', 'image/png'],
    ['/moved', 'image/png'],
    ['/as-file', 'image/webp'],
  ] as const)('at %s is kept', async ([path, type], { app, account, site }) => {
    const { status, body } = await ask(app, account, `${site.url}${path}`)
    expect([status, body.type]).toEqual([201, type])
    expect((await readPicture(app, account, String(body.id))).status).toBe(200)
  })

  it.for([
    ['/missing', 400, 'Такой картинки на сайте нет (код 404 или 410).'],
    ['/page', 400, 'По этому адресу не картинка, а что-то другое.'],
    ['/lie', 415, 'Это не картинка, которую можно сохранить. Подходят PNG, JPEG, WebP, GIF и AVIF.'],
    [
      '/svg',
      415,
      'Картинки SVG не принимаются: в них могут быть скрипты. Сохраните картинку как PNG и попробуйте снова.',
    ],
    ['/large', 413, 'Картинка больше, чем принимает этот сервер. Уменьшите её и попробуйте снова.'],
    ['/cut', 400, 'Картинка повреждена или пришла не целиком. Выберите файл ещё раз.'],
    ['/broken', 400, 'Сайт оборвал соединение или ответил непонятно. Попробуйте позже.'],
  ] as const)('at %s is refused', async ([path, status, detail], { app, account, site }) => {
    const reply = await ask(app, account, `${site.url}${path}`)
    expect([reply.status, reply.body.detail]).toEqual([status, detail])
  })

  it('inside the network is not fetched', async ({ app, account }) => {
    const reply = await ask(app, account, 'http://10.0.0.1/picture.png')
    expect([reply.status, reply.body.detail]).toEqual([
      400,
      'Этот адрес не в открытом интернете: сервер его не открывает.',
    ])
  })
})

it('sends an owner eight pictures at a time, and the next where a client that reads nothing has gone', async ({
  startApp,
  onTestFinished,
}) => {
  const app = await startApp({ settings: { FILE_LIMIT: '10MB' } })
  const account = await newAccount(app)
  // More than the buffers of a connection take.
  const { url } = await keepPicture(app, account, largePng(9_500_000))
  const open = () => {
    const socket = connect(Number(new URL(app.address).port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.write(`GET ${url} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${account.auth.token}\r\n\r\n`)
    return { socket, begun: once(socket, 'readable') }
  }
  const first = Array.from({ length: 8 }, open)
  await Promise.all(first.map(({ begun }) => begun))
  const last = open()
  for (let request = 0; request < 20; request += 1) await app.send('GET', '/readyz')
  expect(last.socket.readableLength).toBe(0)
  first[0]?.socket.destroy()
  await last.begun
  expect(String(last.socket.read())).toMatch(/^HTTP\/1\.1 200 /)
})
