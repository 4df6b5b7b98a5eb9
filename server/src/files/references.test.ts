import { randomUUID } from 'node:crypto'
import { notes } from '@kopilka/contract/notes.ts'
import { trash } from '@kopilka/contract/trash.ts'
import { describe, expect } from 'vitest'
import { readConfig } from '../config.ts'
import { quotasOf } from '../db/usage.ts'
import { schedulePurge } from '../operations/purge-job.ts'
import type { TestApp } from '../testing/create-test-app.ts'
import { test } from '../testing/fixtures.ts'
import { type Account, newAccount } from '../testing/new-account.ts'
import { keepPicture, largePng, png, readPicture, sample, sendPicture } from '../testing/pictures.ts'
import { createWorkerPool } from '../threads/worker-pool.ts'
import { markUnusedFiles, purgeFiles } from './purge.ts'
import { type UseCursor, type UseOfFiles, useOfFiles } from './references.ts'
import { addChunk, beginFile, finishFile } from './store.ts'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR

const it = test.extend('purge', { scope: 'file' }, ({ app }, { onCleanup }) => {
  const pool = createWorkerPool(readConfig({ LOG_LEVEL: 'silent', ...app.database.settings }))
  onCleanup(() => pool.close())
  /** Purges as the job does, so many milliseconds from now. */
  return ({ id }: Account, after: number) => purgeFiles({ db: app.db, pool }, id, app.now() + after)
})

const imageOf = (id: string): string =>
  `<p>x</p><img src="/api/v1/files/${id}/" alt="x" width="8" height="8" />`

const noteWith = (app: TestApp, { auth }: Account, content: string) =>
  app.call(notes.create, { body: { title: 'Снимок', content } }, auth)

const statusOf = async (app: TestApp, account: Account, id: string): Promise<number> =>
  (await readPicture(app, account, id)).status

/** What is stored of an owner's pictures. */
async function stored({ db }: TestApp, { id }: Account): Promise<Record<string, number>> {
  const count = async (table: 'files' | 'file_chunks' | 'file_items') =>
    Number(
      (
        await db
          .selectFrom(table)
          .select(({ fn }) => fn.countAll().as('count'))
          .where('owner_id', '=', id)
          .executeTakeFirst()
      )?.count,
    )
  const usage = await db
    .selectFrom('usage')
    .select('file_bytes')
    .where('owner_id', '=', id)
    .executeTakeFirst()
  return {
    files: await count('files'),
    chunks: await count('file_chunks'),
    items: await count('file_items'),
    bytes: Number(usage?.file_bytes ?? 0),
  }
}

const NOTHING = { files: 0, chunks: 0, items: 0, bytes: 0 }

describe('a picture that something names stays', () => {
  it('in the text of an item, with its size and description', async ({ app, account, purge }) => {
    const { id } = await keepPicture(app, account, png(1))
    const { content } = await noteWith(app, account, imageOf(id))
    expect(content).toBe(imageOf(id).replace(' />', ' loading="lazy" referrerpolicy="no-referrer" />'))
    for (const day of [1, 2, 3]) await purge(account, day * 25 * HOUR)
    expect(await statusOf(app, account, id)).toBe(200)
  })

  it('in the trash, and goes a day after it is deleted for ever', async ({ app, account, purge }) => {
    const { id } = await keepPicture(app, account, largePng(600_000))
    const note = await noteWith(app, account, imageOf(id))
    await app.call(notes.remove, { params: { id: note.id } }, account.auth)
    for (const day of [1, 2, 3]) await purge(account, day * 25 * HOUR)
    expect(await statusOf(app, account, id)).toBe(200)
    await app.call(trash.remove, { params: { id: note.id } }, account.auth)
    await purge(account, 4 * DAY)
    await purge(account, 4 * DAY + 23 * HOUR)
    expect(await statusOf(app, account, id)).toBe(200)
    await purge(account, 5 * DAY)
    expect(await statusOf(app, account, id)).toBe(404)
    expect(await stored(app, account)).toEqual(NOTHING)
    expect((await sendPicture(app, account, largePng(600_000))).status).toBe(201)
  })

  it('in an earlier version', async ({ app, account, purge }) => {
    const { id } = await keepPicture(app, account, png(1))
    const note = await noteWith(app, account, imageOf(id))
    const params = { id: note.id }
    await app.call(notes.update, { params, body: { title: 'Без снимка', content: 'x' } }, account.auth)
    for (const day of [1, 2, 3]) await purge(account, day * 25 * HOUR)
    expect(await statusOf(app, account, id)).toBe(200)
  })

  it('where it was saved after the purge had looked', async ({ app, account }) => {
    const { id } = await keepPicture(app, account, png(1))
    const row = await app.db
      .selectFrom('files')
      .select('unused_since')
      .where('owner_id', '=', account.id)
      .executeTakeFirstOrThrow()
    const unused = [{ id, unused_since: Number(row.unused_since) }]
    await noteWith(app, account, imageOf(id))
    await app.db.write(markUnusedFiles, { owner_id: account.id, unused, used: [], now: app.now() + 30 * DAY })
    expect(await statusOf(app, account, id)).toBe(200)
  })
})

describe('a picture that nothing names', () => {
  it('lives for 30 days from its last upload, because a draft may have it', async ({
    app,
    account,
    purge,
  }) => {
    const { id } = await keepPicture(app, account, png(1))
    await purge(account, 30 * DAY - HOUR)
    expect(await statusOf(app, account, id)).toBe(200)
    await purge(account, 30 * DAY + HOUR)
    expect([await statusOf(app, account, id), await stored(app, account)]).toEqual([404, NOTHING])
  })

  it("stays text where it is another's", async ({ app, account, purge }) => {
    const other = await newAccount(app)
    const { id } = await keepPicture(app, other, png(1))
    const { content } = await noteWith(app, account, imageOf(id))
    expect(content).toContain(`/api/v1/files/${id}/`)
    expect(await statusOf(app, account, id)).toBe(404)
    await purge(other, 31 * DAY)
    expect(await statusOf(app, other, id)).toBe(404)
    // Who sends it after all has it in the note.
    await keepPicture(app, account, png(1))
    for (const day of [31, 32, 33]) await purge(account, day * DAY)
    expect(await statusOf(app, account, id)).toBe(200)
  })

  it('is not counted without end where nobody has it', async ({ app, account, purge }) => {
    const { id } = await keepPicture(app, account, png(1))
    const unknown = () => Array.from({ length: 300 }, () => imageOf(randomUUID())).join('')
    const note = await noteWith(app, account, `${unknown()}${imageOf(id)}`)
    expect(await stored(app, account)).toMatchObject({ items: 101 })
    const body = { title: 'y', content: `${unknown()}${imageOf(id)}` }
    await app.call(notes.update, { params: { id: note.id }, body }, account.auth)
    expect(await stored(app, account)).toMatchObject({ items: 101 })
    for (const day of [31, 32, 33]) await purge(account, day * DAY)
    expect(await statusOf(app, account, id)).toBe(200)
  })

  it('is forgotten in steps where hundreds of items have named it, and so is an item', async ({
    app,
    account,
    purge,
  }) => {
    const { id } = await keepPicture(app, account, png(1))
    const note = await noteWith(app, account, 'x')
    const rows = (length: number, row: () => { file_id: string; item_id: string }) =>
      Array.from({ length }, () => ({ owner_id: account.id, ...row() }))
    const named = rows(600, () => ({ file_id: id, item_id: randomUUID() }))
    const naming = rows(500, () => ({ file_id: randomUUID(), item_id: note.id }))
    await app.db.insertInto('file_items').values(named).execute()
    await app.db.insertInto('file_items').values(naming).execute()
    await purge(account, 31 * DAY)
    expect(await stored(app, account)).toEqual({ ...NOTHING, items: 500 })
    await app.call(notes.remove, { params: { id: note.id } }, account.auth)
    await app.call(trash.remove, { params: { id: note.id } }, account.auth)
    expect(await stored(app, account)).toEqual(NOTHING)
  })

  it('is looked for in steps, also within one picture and one item', async ({ app, account }) => {
    const [unused, used] = [
      await keepPicture(app, account, png(41)),
      await keepPicture(app, account, png(42)),
    ]
    const items = []
    for (const content of ['<p>1</p>', '<p>2</p>', imageOf(used.id)])
      items.push(await noteWith(app, account, content))
    const [first] = items
    for (const content of ['<p>3</p>', '<p>4</p>'])
      await app.call(
        notes.update,
        { params: { id: first?.id ?? '' }, body: { title: 'Снимок', content } },
        account.auth,
      )
    await app.db
      .insertInto('file_items')
      .values(items.map(({ id }) => ({ owner_id: account.id, file_id: unused.id, item_id: id })))
      .execute()
    const found: UseOfFiles[] = []
    for (let from: UseCursor | undefined = { after: '' }; from !== undefined; from = found.at(-1)?.next)
      found.push(
        await useOfFiles(app.db, {
          ...from,
          owner_id: account.id,
          most: { texts: 1, characters: 1_000_000 },
        }),
      )
    expect(found.flatMap((one) => one.unused.map(({ id }) => id))).toEqual([unused.id])
    const withinItems = found.flatMap(({ next }) => next?.within?.item_id ?? [])
    expect(withinItems.filter((id) => id === first?.id).length).toBeGreaterThan(1)
    expect(new Set(withinItems)).toEqual(new Set(items.map(({ id }) => id)))
  })

  it('is purged by the job', async ({ startApp }) => {
    const app = await startApp()
    const account = await newAccount(app)
    const { id } = await keepPicture(app, account, png(1))
    await app.db.updateTable('files').set({ unused_since: 1 }).where('owner_id', '=', account.id).execute()
    await app.db.write(schedulePurge, { now: app.now() })
    await expect.poll(() => statusOf(app, account, id), { timeout: 20_000 }).toBe(404)
  })
})

describe('an upload that breaks off', () => {
  const quotas = quotasOf(readConfig({}))
  const facts = (id: string, bytes: number) => ({
    id,
    type: 'image/png' as const,
    width: 8,
    height: 8,
    bytes,
  })
  const ID = '01a1fa45-9743-8383-8dfc-4ee65ccd69d0'

  it('is never seen, and gone an hour later', async ({ app, account, purge }) => {
    const owner_id = account.id
    await app.db.write(beginFile, { owner_id, facts: facts(ID, 10), now: app.now(), quotas })
    await app.db.write(addChunk, { owner_id, id: ID, seq: 0, bytes: Buffer.from('12345') })
    expect(await app.db.write(finishFile, { owner_id, id: ID, now: app.now(), quotas })).toBe(false)
    expect(await statusOf(app, account, ID)).toBe(404)
    await purge(account, 0)
    expect(await stored(app, account)).toEqual({ ...NOTHING, files: 1, chunks: 1 })
    await purge(account, 2 * HOUR)
    expect(await stored(app, account)).toEqual(NOTHING)
  })

  it('leaves nothing where its sender goes', async ({ app, account }) => {
    const gone = new AbortController()
    const bytes = largePng(900_000)
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(bytes.subarray(0, 400_000)),
      pull: () => gone.abort(),
    })
    await expect(
      fetch(`${app.address}/api/v1/files/`, {
        method: 'POST',
        headers: { 'content-type': 'image/png', authorization: `Bearer ${account.auth.token}` },
        ...{ body, signal: gone.signal, duplex: 'half' },
      } as RequestInit),
    ).rejects.toThrow()
    expect((await sendPicture(app, account, bytes)).status).toBe(201)
    expect(await stored(app, account)).toMatchObject({ files: 1, bytes: bytes.length })
  })
})

describe('pictures within texts', () => {
  const data = (type: string, bytes: Uint8Array) =>
    `data:image/${type};base64,${Buffer.from(bytes).toString('base64')}`

  it('become files when the note is saved', async ({ app, account }) => {
    const code = `<pre><code>&lt;img src="${data('png', png(3))}"&gt;</code></pre>`
    const svg = `<img src="${data('svg+xml', Buffer.from('<svg></svg>'))}" alt="svg" />`
    const { id, content } = await noteWith(
      app,
      account,
      `<p>a</p><img alt="раз" src="${data('png', png(3))}"><img src='${data('jpeg', sample('webp'))}'>${code}${svg}`,
    )
    const [first, second, ...more] = Array.from(
      content.matchAll(/\/api\/v1\/files\/([\da-f-]{36})\//g),
      ([, one]) => one,
    )
    expect(more).toEqual([])
    const kept = await Promise.all([first, second].map((one) => readPicture(app, account, one ?? '')))
    expect(kept.map(({ bytes }) => bytes)).toEqual([png(3), sample('webp')])
    expect(content).toContain('alt="раз"')
    expect(content).toMatch(/<img[^>]*\swidth="8"\sheight="8"/)
    expect(content).toMatch(/<img[^>]*\swidth="40"\sheight="20"/)
    expect(content).toContain('data:image/svg+xml')
    expect(content).toContain(`&lt;img src="${data('png', png(3))}"&gt;`)
    const params = { id }
    const saved = await app.call(notes.update, { params, body: { title: 'y', content } }, account.auth)
    expect(saved.content).toBe(content)
  })

  it('are the same files as those that are uploaded, and keep a size that the text gives', async ({
    app,
    account,
  }) => {
    const bytes = largePng(300_000)
    const { content } = await noteWith(app, account, `<img width="5" src="${data('png', bytes)}">`)
    expect(content).toMatch(/<img[^>]*\swidth="5"/)
    expect(content).toMatch(/<img[^>]*\sheight="\d+"/)
    expect(await stored(app, account)).toMatchObject({ files: 1, chunks: 2 })
    const { id } = await keepPicture(app, account, bytes)
    expect(content).toContain(id)
    expect((await readPicture(app, account, id)).bytes.equals(bytes)).toBe(true)
  })

  it('become files however many there are, and whatever parameters their addresses have', async ({
    app,
    account,
  }) => {
    const sent = Array.from({ length: 120 }, (_, seed) => {
      const bytes = Buffer.from(png(1_000 + seed)).toString('base64')
      return `<p><img src="data:image/png;charset=utf-8;base64,${bytes}">${seed}</p>`
    })
    const { content } = await noteWith(app, account, sent.join(''))
    expect(content).not.toContain('data:')
    expect(await stored(app, account)).toMatchObject({ files: 120, items: 120 })
    const ends = Array.from(content.matchAll(/height="8"[^>]*>(\d+)<\/p>/g), ([, number]) => Number(number))
    expect(ends).toEqual(Array.from(ends.keys()))
  })

  it('become 500 files at a save, and the rest at the next', { timeout: 120_000 }, async ({
    app,
    account,
  }) => {
    const sent = Array.from(
      { length: 510 },
      (_, seed) => `<img src="${data('png', png(10_000 + seed))}">${seed}`,
    )
    const { id, content } = await noteWith(app, account, `<p>${sent.join('')}</p>`)
    expect(content.split('data:')).toHaveLength(11)
    expect(await stored(app, account)).toMatchObject({ files: 500, items: 500 })
    const body = { title: 'x', content }
    const saved = await app.call(notes.update, { params: { id }, body }, account.auth)
    expect(saved.content).not.toContain('data:')
    expect(await stored(app, account)).toMatchObject({ files: 510, items: 510 })
    expect(Array.from(saved.content.matchAll(/>(\d+)/g), ([, number]) => Number(number))).toEqual([
      ...Array(510).keys(),
    ])
  })

  it('make no other request of one that is sent again, once there is room', async ({ startApp }) => {
    const app = await startApp({ settings: { FILES_PER_USER: '1000' } })
    const account = await newAccount(app)
    const use = (more: number) =>
      app.db
        .updateTable('usage')
        .set(({ eb }) => ({ file_bytes: eb('file_bytes', '+', more) }))
        .where('owner_id', '=', account.id)
        .execute()
    await keepPicture(app, account, png(1))
    await use(900)
    const save = () =>
      app.request(
        notes.create,
        { body: { title: 'x', content: `<img src="${data('png', png(3))}">` } },
        { ...account.auth, headers: { 'idempotency-key': 'a' } },
      )
    const first = await save()
    await use(-900)
    const second = await save()
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.body).toEqual(first.body)
  })

  it('stay there where there is no room for files, without what is private', async ({ startApp }) => {
    const app = await startApp({ settings: { FILES_PER_USER: '10' } })
    const account = await newAccount(app)
    const images = [png(3), sample('webpExif')].map((bytes) => `<img src="${data('png', bytes)}">`)
    const { content } = await noteWith(app, account, `${images.join('')}<p>конец</p>`)
    expect(content).toContain(data('png', png(3)))
    const [, webp = ''] = /data:image\/webp;base64,([^"]+)"/.exec(content) ?? []
    const kept = Buffer.from(webp, 'base64')
    expect([kept.toString('latin1', 8, 12), kept.includes('Canary')]).toEqual(['WEBP', false])
    expect(content).toContain('<p>конец</p>')
  })
})

describe('a picture in a text without its size', () => {
  it('has it once the text is saved', async ({ app, account }) => {
    const other = await newAccount(app)
    const { url } = await keepPicture(app, account, sample('jpeg'))
    const { url: foreign } = await keepPicture(app, other, sample('webp'))
    const { id, content } = await noteWith(
      app,
      account,
      `<p><img src='${url}' alt="а > б"><IMG ALT="б" SRC=${url}><img width="10" src="${url}"><img src="${url}" height="10">` +
        `<img src="${url}" width="50%"><img src="${url}" width="1" height="2"><img src="${foreign}">x</p>` +
        `<pre>&lt;img src="${url}"&gt;</pre>`,
    )
    const sizes = (html: string) =>
      Array.from(html.matchAll(/<img([^>]*)>/g), ([, tag = '']) =>
        ['width', 'height'].map((side) => new RegExp(`\\s${side}="([^"]*)"`).exec(tag)?.[1]),
      )
    expect(sizes(content)).toEqual([
      // What is not read for certain stays.
      [undefined, undefined],
      ['40', '20'],
      ['10', '5'],
      ['20', '10'],
      ['50%', undefined],
      ['1', '2'],
      [undefined, undefined],
    ])
    const body = { title: 'y', content: `<img src="${url}">${'<p>долго</p>'.repeat(2_000)}` }
    const saved = await app.call(notes.update, { params: { id }, body }, account.auth)
    expect(sizes(saved.content)).toEqual([['40', '20']])
  })

  it('makes no other request of one that is sent again', async ({ app, account }) => {
    const { url } = await keepPicture(app, account, png(9))
    const save = () =>
      app.request(
        notes.create,
        { body: { title: 'x', content: `<p><img src="${url}">x</p>` } },
        { ...account.auth, headers: { 'idempotency-key': 'size' } },
      )
    const [first, second] = [await save(), await save()]
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.body).toEqual(first.body)
  })
})
