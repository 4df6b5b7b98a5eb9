import process from 'node:process'
import { bulk } from '@kopilka/contract/bulk.ts'
import { changes } from '@kopilka/contract/changes.ts'
import type { Endpoint } from '@kopilka/contract/endpoint.ts'
import { links } from '@kopilka/contract/links.ts'
import { translate } from '@kopilka/contract/messages.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { operations } from '@kopilka/contract/operations.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { tokens } from '@kopilka/contract/tokens.ts'
import { trash } from '@kopilka/contract/trash.ts'
import { expect, it, onTestFinished } from 'vitest'
import { Copy, serverContent } from '../testing/copy.ts'
import { createTestApp, type TestApp } from '../testing/create-test-app.ts'
import { type Account, newAccount } from '../testing/new-account.ts'
import { createRandom, type Random } from '../testing/random.ts'
import { readFile, runImport } from '../testing/send-file.ts'
import { createTestDatabase } from '../testing/test-database.ts'

/** `FEED_STEPS=600` takes minutes. `FEED_SEED` brings other sequences. */
const STEPS = Number(process.env.FEED_STEPS ?? 0) || 60
const SEED = 20_261_123 + Number(process.env.FEED_SEED ?? 0)

const WORDS = ['заметка', 'книга', 'Город', 'ёж', 'письмо', 'дорога', 'лес', 'house', 'свет']
const NAMES = ['Работа', 'дом', 'Лес', 'ёлка', 'TODO', 'идеи', 'РАБОТА', 'лес']

const textOf = (random: Random): string => Array.from({ length: 4 }, () => random.pick(WORDS)).join(' ')

/** What one of three clients does, on either of two servers. */
interface Actor {
  readonly app: TestApp
  readonly account: Account
  readonly random: Random
  /** Operations that can be undone, of all clients. */
  readonly done: string[]
  readonly linkdingToken: string
  /** An account runs one import at a time. */
  readonly mayImport: boolean
}

let names = 0

/** Does something at random; others do so at the same time, so it may be refused. */
async function act({ app, account, random, done, linkdingToken, mayImport }: Actor): Promise<string> {
  const { auth } = account
  const request = async (call: Endpoint, input: Parameters<TestApp['request']>[1]) => {
    const reply = await app.request(call, input, auth)
    // A search that takes too long on a loaded machine is refused, as others are.
    const isGivenUp = reply.status === 503 && reply.body.detail === translate('tooSlow', 'ru')
    if (!isGivenUp)
      expect(reply.status, `${call.method} ${call.path} ${JSON.stringify(reply.body)}`).toBeLessThan(500)
    const operation = reply.headers.get('operation')
    if (operation !== null) done.push(operation)
    return reply
  }
  const found = await app.call(notes.list, { query: { page: String(random.between(1, 2)) } }, auth)
  const foundLinks = await app.call(links.list, { query: {} }, auth)
  const items = [...found.results, ...foundLinks.results]
  const [note] = random.sample(found.results, 1)
  const [link] = random.sample(foundLinks.results, 1)
  const [tag, other] = random.sample(await app.call(tags.list, { query: {} }, auth), 2)
  const trashed = (await app.call(trash.list, { query: {} }, auth)).results
  const [gone] = random.sample(trashed, 1)
  const named = () => [
    ...random.sample(NAMES, random.between(0, 3)),
    ...(random.chance(0.2) ? [`новый ${++names}`] : []),
  ]
  const noteOf = () => ({
    title: textOf(random),
    content: `<p>${textOf(random)}</p>`,
    tags: named(),
    pinned: random.chance(0.2),
  })
  const linkOf = () => ({
    ...noteOf(),
    description: textOf(random),
    url: `https://example.org/${random.between(1, 30)}`,
  })
  const some = (most: number) => random.sample(items, random.between(1, most)).map(({ id }) => id)
  const importFile = async (text: string) => {
    const { id, state } = await readFile(app, account, text)
    if (state !== 'ready') return undefined
    const duplicates = random.pick(['skip', 'merge', 'add'] as const)
    const { operation } = await runImport(app, account, id, { duplicates, add_tags: random.sample(NAMES, 1) })
    if (operation !== undefined) done.push(operation)
    return undefined
  }
  const choices = {
    createNotes: async () => {
      for (let at = 0; at < 3; at += 1) await request(notes.create, { body: noteOf() })
    },
    createNote: () => request(notes.create, { body: noteOf() }),
    createLinks: async () => {
      for (let at = 0; at < 3; at += 1) await request(links.create, { body: linkOf() })
    },
    createLink: () => request(links.create, { body: linkOf() }),
    updateNote: () => note && request(notes.update, { params: { id: note.id }, body: noteOf() }),
    updateLink: () => link && request(links.update, { params: { id: link.id }, body: linkOf() }),
    addTags: () =>
      note &&
      request(notes.update, {
        params: { id: note.id },
        body: {
          title: note.title,
          content: note.content,
          add_tags: named(),
          remove_tags: random.sample(NAMES, 1),
        },
      }),
    removeNote: () => note && request(notes.remove, { params: { id: note.id } }),
    removeLink: () => link && request(links.remove, { params: { id: link.id } }),
    restoreVersion: () => note && request(notes.restoreVersion, { params: { id: note.id, revision: '1' } }),
    removeTag: () => tag && request(tags.remove, { params: { id: tag.id } }),
    renameTag: () =>
      tag &&
      request(tags.update, {
        params: { id: tag.id },
        body: { name: random.pick([`${tag.name}${++names}`, tag.name.toUpperCase()]) },
      }),
    mergeTags: () =>
      tag && other && request(tags.merge, { params: { id: tag.id }, body: { into: other.id } }),
    removeMany: () => items.length > 0 && request(bulk.change, { body: { ids: some(4), delete: true } }),
    changeMany: () =>
      items.length > 0 &&
      request(bulk.change, {
        body: {
          ids: some(12),
          add_tags: named(),
          remove_tags: random.sample(NAMES, 1),
          pinned: random.chance(0.5),
        },
      }),
    changeFound: () =>
      request(bulk.change, {
        body: { filter: { search: random.pick(WORDS) }, add_tags: [`${random.pick(NAMES)} ${++names}`] },
      }),
    mergeItems: () => {
      const [keep, ...merge] = random.sample(foundLinks.results, 3).map(({ id }) => id)
      return merge.length > 0 && request(bulk.merge, { body: { keep, merge } })
    },
    restore: () =>
      trashed.length > 0 &&
      request(trash.restore, { body: { ids: random.sample(trashed, 3).map(({ id }) => id) } }),
    forget: () => gone && request(trash.remove, { params: { id: gone.id } }),
    undo: () => done.length > 0 && request(operations.undo, { params: { id: random.pick(done) } }),
    undoLast: () => request(operations.undo, { params: { id: done.at(-1) ?? account.id } }),
    undoAgain: () => done.length > 0 && request(operations.undo, { params: { id: random.pick(done) } }),
    importLinks: () =>
      mayImport &&
      random.chance(0.8) &&
      importFile(Array.from({ length: 4 }, () => `https://example.org/${random.between(1, 30)}`).join('\n')),
    linkdingTag: async () => {
      const headers = { authorization: `Token ${linkdingToken}` }
      const { status } = await app.send('POST', '/linkding/api/tags/', { name: `тег${++names}` }, { headers })
      expect(status).toBe(201)
    },
  }
  const choice = random.pick(Object.keys(choices))
  await choices[choice as keyof typeof choices]()
  return choice
}

it('three clients that write at random on two servers, and follow the changes, each end with what the server has', {
  timeout: 60_000 + STEPS * 3000,
}, async () => {
  const database = await createTestDatabase({ isMigrated: true })
  const one = await createTestApp({ database })
  const other = await createTestApp({ database })
  const servers = [one, other]
  onTestFinished(async () => {
    for (const server of servers) await server.close()
    await database.remove()
  })
  const random = createRandom(SEED)
  const accounts = [await newAccount(one), await newAccount(one)]
  for (const account of accounts) {
    const done: string[] = []
    const body = { name: 'linkding', scope: 'write' } as const
    const { token: linkdingToken } = await one.call(tokens.create, { body }, account.auth)
    const clients = Array.from({ length: 3 }, () => new Copy())
    for (let at = 0; at < STEPS / 2; at += 1) {
      // Two at once, on either server; the copies are made meanwhile.
      const actors = [true, false].map(
        (mayImport): Actor => ({
          app: random.pick(servers),
          random: createRandom(random.between(1, 1e9)),
          ...{ account, done, linkdingToken, mayImport },
        }),
      )
      const followers = clients.filter(() => random.chance(0.3))
      const limits = followers.map(() => random.pick([1, 2, 3, 7, 500]))
      await Promise.all([
        ...actors.map((actor) => act(actor)),
        ...followers.map(async (copy, index) => {
          for (let pages = random.between(1, 4); pages > 0; pages -= 1)
            await copy.advance(random.pick(servers), account, limits[index])
        }),
      ])
    }
    const expected = await serverContent(one, account)
    expect(expected.items.length).toBeGreaterThan(5)
    const late = new Copy()
    for (const copy of [...clients, late]) {
      await copy.catchUp(random.pick(servers), account, random.pick([1, 3, 500]))
      expect(copy.content()).toEqual(expected)
    }
    expect(late.cursor).toBe(clients[0]?.cursor)
    const nothing = await one.call(changes.follow, { query: { since: late.cursor ?? '' } }, account.auth)
    expect(nothing).toMatchObject({
      notes: [],
      urllinks: [],
      changed: [],
      tags: [],
      deleted_items: [],
      deleted_tags: [],
      has_more: false,
      next: late.cursor,
    })
  }
})
