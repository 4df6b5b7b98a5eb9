import process from 'node:process'
import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { operations } from '@kopilka/contract/operations.ts'
import { search } from '@kopilka/contract/search.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { trash } from '@kopilka/contract/trash.ts'
import { expect } from 'vitest'
import type { TestApp } from '../testing/create-test-app.ts'
import { test as it } from '../testing/fixtures.ts'
import { type Account, newAccount } from '../testing/new-account.ts'
import { createRandom, type Random } from '../testing/random.ts'

/** `UNDO_OPERATIONS=200` on 300 items takes minutes. */
const OPERATIONS = Number(process.env.UNDO_OPERATIONS ?? 0) || 30
const ITEMS = OPERATIONS * 1.5
const SEED = 20_261_122

const WORDS = ['заметка', 'книга', 'Город', 'running', 'ёж', 'письмо', 'дорога', 'лес', 'house', 'свет']
const NAMES = ['Работа', 'дом', 'Лес', 'ёлка', 'TODO', 'идеи']

let renames = 0

interface User {
  app: TestApp
  account: Account
}

const textOf = (random: Random): string => Array.from({ length: 6 }, () => random.pick(WORDS)).join(' ')

async function fill({ app, account }: User, random: Random): Promise<void> {
  for (let at = 0; at < ITEMS; at += 1) {
    const body = { title: `${textOf(random)} ${at}`, tags: random.sample(NAMES, random.between(0, 3)) }
    const html = `<p>${textOf(random)}</p>`
    if (random.chance(0.6)) await app.call(notes.create, { body: { ...body, content: html } }, account.auth)
    else {
      const url = `https://example.org/${random.pick(WORDS)}`
      await app.call(links.create, { body: { ...body, url, description: html } }, account.auth)
    }
  }
}

/** All that a user sees: items with texts, tags and dates, tags with counts, the trash, and what 50 queries find. */
async function contentOf({ app, account: { auth } }: User) {
  const pages = async (call: typeof notes.list | typeof links.list) => {
    const all = []
    for (let page = 1; ; page += 1) {
      const { results, count } = await app.call(call, { query: { page: String(page) } }, auth)
      all.push(...results)
      if (all.length >= count) return all
    }
  }
  const found = []
  for (const word of [...WORDS, ...NAMES.map((name) => `tag:${name}`)])
    for (const query of [word, `"${word}"`, `${word} лес`])
      found.push([
        query,
        await app.call(search, { query: { search: query, exact: '1', view: 'summary' } }, auth),
      ])
  return {
    notes: await pages(notes.list),
    links: await pages(links.list),
    tags: await app.call(tags.list, { query: {} }, auth),
    trash: (await app.call(trash.list, { query: {} }, auth)).results.map(({ id, title }) => [id, title]),
    found: found.slice(0, 50),
  }
}

/** Does something at random that can be undone. Resolves to its operation; undefined where there was nothing to do it to. */
async function change({ app, account: { auth } }: User, random: Random): Promise<string | undefined> {
  const operationOf = async (reply: Promise<{ status: number; headers: Headers }>) => {
    const { status, headers } = await reply
    expect(status).toBeLessThan(300)
    return headers.get('operation') ?? undefined
  }
  const all = await app.call(notes.list, { query: { page: String(random.between(1, 2)) } }, auth)
  const [note] = random.sample(all.results, 1)
  const [tag] = random.sample(await app.call(tags.list, { query: {} }, auth), 1)
  const trashed = (await app.call(trash.list, { query: {} }, auth)).results
  const choices = {
    removeNote: () => note && app.request(notes.remove, { params: { id: note.id } }, auth),
    async removeLink() {
      const { results } = await app.call(links.list, { query: {} }, auth)
      const [link] = random.sample(results, 1)
      return link && app.request(links.remove, { params: { id: link.id } }, auth)
    },
    removeTag: () => tag && app.request(tags.remove, { params: { id: tag.id } }, auth),
    renameTag: () =>
      tag &&
      app.request(tags.update, { params: { id: tag.id }, body: { name: `${tag.name}${++renames}` } }, auth),
    restore: () =>
      trashed.length > 0
        ? app.request(trash.restore, { body: { ids: random.sample(trashed, 3).map(({ id }) => id) } }, auth)
        : undefined,
    async restoreVersion() {
      for (const { id } of all.results) {
        const { results } = await app.call(notes.versions, { params: { id } }, auth)
        const [version] = random.sample(results, 1)
        if (!version) continue
        const params = { id, revision: String(version.revision) }
        return app.request(notes.restoreVersion, { params }, auth)
      }
      return undefined
    },
  }
  const reply = await random.pick(Object.values(choices))()
  return reply && operationOf(Promise.resolve(reply))
}

it('undoes any sequence of operations of two users in turn, the last first: everything is as it was', {
  timeout: 60_000 + OPERATIONS * 10_000,
}, async ({ app, account }) => {
  const random = createRandom(SEED)
  const users: User[] = [
    { app, account },
    { app, account: await newAccount(app) },
  ]
  for (const user of users) {
    await fill(user, random)
    // Some have a version to go back to.
    const { results } = await app.call(notes.list, { query: {} }, user.account.auth)
    for (const { id, title } of results)
      await app.call(
        notes.update,
        { params: { id }, body: { title: `${title} вторая`, content: textOf(random) } },
        user.account.auth,
      )
  }
  const before = await Promise.all(users.map(contentOf))
  const done: { user: User; operation: string }[] = []
  for (let at = 0; at < OPERATIONS; at += 1) {
    const user = users[at % users.length]
    const operation = user && (await change(user, random))
    if (user && operation !== undefined) done.push({ user, operation })
  }
  expect(done.length).toBeGreaterThan(OPERATIONS / 2)
  for (const { user, operation } of done.toReversed()) {
    const undone = await app.call(operations.undo, { params: { id: operation } }, user.account.auth)
    expect(undone.skipped).toEqual([])
  }
  expect(await Promise.all(users.map(contentOf))).toEqual(before)
})
