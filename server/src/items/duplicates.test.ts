import { bulk } from '@kopilka/contract/bulk.ts'
import { type LinkSummary, links } from '@kopilka/contract/links.ts'
import { operations } from '@kopilka/contract/operations.ts'
import { trash } from '@kopilka/contract/trash.ts'
import { expect } from 'vitest'
import type { TestApp } from '../testing/create-test-app.ts'
import { test as it } from '../testing/fixtures.ts'
import type { Account } from '../testing/new-account.ts'
import { createRandom, type Random } from '../testing/random.ts'
import { linkKeyOf } from './identity.ts'

/** Two spellings each of few pages, so that there are many copies. */
const ADDRESSES = ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((page) => [
  `https://${page}.example/`,
  `http://www.${page}.example?utm_source=x`,
])

const STEPS = 60

const body = (random: Random) => ({
  url: random.pick(ADDRESSES),
  title: random.pick(['раз', 'два', 'три']),
  description: 'x',
})

const storedLinks = async (app: TestApp, { auth }: Account): Promise<LinkSummary[]> => {
  const all: LinkSummary[] = []
  for (let page = 1; ; page += 1) {
    const query = { page: String(page), view: 'summary' as const }
    const { count, results } = await app.call(links.list, { query }, auth)
    all.push(...results.map((link) => ({ ...link, excerpt: '' })))
    if (all.length >= count) return all
  }
}

/** What the list of duplicates is to be: the links grouped by their pages. */
function grouped(all: readonly LinkSummary[]) {
  const newestFirst = (one: { id: string }, other: { id: string }) => (one.id < other.id ? 1 : -1)
  const groups = [...Map.groupBy(all, ({ url }) => linkKeyOf(url)).values()]
    .filter(({ length }) => length > 1)
    .map((group) => group.toSorted(newestFirst).map(({ id }) => id))
  return groups.sort(([one = ''], [other = '']) => newestFirst({ id: one }, { id: other }))
}

async function listed(app: TestApp, { auth }: Account): Promise<string[][]> {
  const { count, results } = await app.call(links.duplicates, { query: {} }, auth)
  expect(count).toBe(results.length)
  for (const group of results) expect(group.count).toBe(group.results.length)
  return results.map((group) => group.results.map(({ id }) => id))
}

it('lists the same pages as grouping all links does, whatever was done to them', {
  timeout: 60_000,
}, async ({ app, account }) => {
  const { auth } = account
  const random = createRandom(20_261_122)
  const done: string[] = []
  const keep = ({ headers }: { headers: Headers }) => {
    const operation = headers.get('operation')
    if (operation !== null) done.push(operation)
  }
  const create = () => app.call(links.create, { body: body(random) }, auth)
  const steps = {
    create,
    createTwo: () => Promise.all([create(), create()]),
    change: async (ids: string[]) => {
      for (const id of ids.slice(0, 1))
        await app.call(links.update, { params: { id }, body: body(random) }, auth)
    },
    changeTwo: (ids: string[]) =>
      Promise.all(
        ids.slice(0, 2).map((id) => app.call(links.update, { params: { id }, body: body(random) }, auth)),
      ),
    restoreVersion: async ([id = '']: string[]) => {
      const { results } = await app.call(links.versions, { params: { id } }, auth)
      for (const { revision } of results.slice(0, 1))
        keep(await app.request(links.restoreVersion, { params: { id, revision: String(revision) } }, auth))
    },
    remove: async ([id = '']: string[]) => keep(await app.request(links.remove, { params: { id } }, auth)),
    removeMany: async (ids: string[]) =>
      keep(await app.request(bulk.change, { body: { ids, delete: true } }, auth)),
    pin: async (ids: string[]) =>
      keep(await app.request(bulk.change, { body: { ids, pinned: random.chance(0.5) } }, auth)),
    merge: async ([first = '', ...merge]: string[]) =>
      merge.length > 0 && keep(await app.request(bulk.merge, { body: { keep: first, merge } }, auth)),
    restore: async () => {
      const { results } = await app.call(trash.list, { query: {} }, auth)
      const ids = random.sample(results, 3).map(({ id }) => id)
      if (ids.length > 0) keep(await app.request(trash.restore, { body: { ids } }, auth))
    },
    undo: async () => {
      const [id] = random.sample(done, 1)
      if (id !== undefined) done.splice(done.indexOf(id), 1)
      if (id !== undefined) await app.call(operations.undo, { params: { id } }, auth)
    },
  }
  let most = 0
  for (let at = 0; at < STEPS; at += 1) {
    // Once by more than the saves of one version.
    app.advance(at === STEPS / 2 ? 6 * 60_000 : 1000)
    const all = await storedLinks(app, account)
    const name = all.length < 8 ? 'create' : random.pick(Object.keys(steps) as (keyof typeof steps)[])
    await steps[name](random.sample(all, random.between(1, 4)).map(({ id }) => id))
    const expected = grouped(await storedLinks(app, account))
    expect([name, await listed(app, account)]).toEqual([name, expected])
    most = Math.max(most, expected.length)
  }
  expect(most).toBeGreaterThan(3)
})

it('counts a page that two requests at once change two links to, which add no text', async ({
  app,
  account,
}) => {
  const save = (url: string) => ({ url, title: 'x', description: 'y' })
  for (let round = 1; round <= 10; round += 1) {
    const ids = await Promise.all(
      ['a', 'b'].map(async (page) => {
        const body = save(`https://${page}${round}.example/`)
        return (await app.call(links.create, { body }, account.auth)).id
      }),
    )
    const body = save(`https://c${round}.example/`)
    await Promise.all(ids.map((id) => app.call(links.update, { params: { id }, body }, account.auth)))
    expect((await app.call(links.duplicates, { query: {} }, account.auth)).count).toBe(round)
  }
})

it('counts a page once that many requests keep at once', async ({ app, account }) => {
  const save = () => app.call(links.create, { body: body(createRandom(1)) }, account.auth)
  const saved = await Promise.all(Array.from({ length: 30 }, save))
  const { count, results } = await app.call(links.duplicates, { query: {} }, account.auth)
  expect([count, results.length, results[0]?.count, results[0]?.results.length]).toEqual([1, 1, 30, 20])
  await Promise.all(saved.slice(1).map(({ id }) => app.call(links.remove, { params: { id } }, account.auth)))
  expect(await app.call(links.duplicates, { query: {} }, account.auth)).toEqual({ count: 0, results: [] })
})
