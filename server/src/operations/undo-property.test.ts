import process from 'node:process'
import { isDeepStrictEqual } from 'node:util'
import { bulk } from '@kopilka/contract/bulk.ts'
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
import { readFile, runImport } from '../testing/send-file.ts'

/** `UNDO_OPERATIONS=200`, on 300 items, takes a minute on SQLite and more on PostgreSQL. `UNDO_SEED` brings other sequences. */
const OPERATIONS = Number(process.env.UNDO_OPERATIONS ?? 0) || 40
const ITEMS = OPERATIONS * 1.5
const SEED = 20_261_122 + Number(process.env.UNDO_SEED ?? 0)

const WORDS = ['заметка', 'книга', 'Город', 'running', 'ёж', 'письмо', 'дорога', 'лес', 'house', 'свет']
const NAMES = ['Работа', 'дом', 'Лес', 'ёлка', 'TODO', 'идеи']

let renames = 0
/** What renaming has added to the name of a tag. */
const RENAMED = /\d+$/

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

interface Ref {
  id: string
  name: string
}

const QUERIES = [...WORDS, ...NAMES.map((name) => `tag:${name}`)]
  .flatMap((word) => [word, `"${word}"`, `${word} лес`, `-${word}`])
  .slice(0, Math.min(OPERATIONS, 50))

/** All that a user sees: items with texts, tags and dates, tags with counts, the trash, and what queries find. */
async function contentOf({ app, account: { auth } }: User, queries: readonly string[] = QUERIES) {
  const pages = async (call: typeof notes.list | typeof links.list) => {
    const all = []
    for (let page = 1; ; page += 1) {
      const { results, count } = await app.call(call, { query: { page: String(page) } }, auth)
      all.push(...results)
      if (all.length >= count) return all
    }
  }
  const found = []
  for (const query of queries)
    found.push([
      query,
      await app.call(search, { query: { search: query, exact: '1', view: 'summary' } }, auth),
    ])
  return {
    notes: await pages(notes.list),
    links: await pages(links.list),
    tags: await app.call(tags.list, { query: {} }, auth),
    trash: (await app.call(trash.list, { query: {} }, auth)).results.map(({ id, title, tags }) => [
      id,
      title,
      tags,
    ]),
    found,
  }
}

const NEW_NAMES = ['новый', 'Срочно', 'потом']

/** What changes tags for themselves; the rest changes items. */
const TAG_CHOICES = ['removeTag', 'renameTag', 'mergeTags'] as const

/** Does something at random that can be undone. Resolves to its operation; undefined where there was nothing to do it to. */
async function change(
  { app, account }: User,
  random: Random,
  isLeftOut: (choice: string) => boolean = () => false,
): Promise<string | undefined> {
  const { auth } = account
  const query = { page: String(random.between(1, 2)) }
  const found = await app.call(notes.list, { query }, auth)
  const foundLinks = await app.call(links.list, { query: {} }, auth)
  const items = [...found.results, ...foundLinks.results]
  const [note] = random.sample(found.results, 1)
  const [link] = random.sample(foundLinks.results, 1)
  const [tag, other] = random.sample(await app.call(tags.list, { query: {} }, auth), 2)
  const trashed = (await app.call(trash.list, { query: {} }, auth)).results
  const some = (most: number) => random.sample(items, random.between(1, most)).map(({ id }) => id)
  const restoreVersion = async (calls: typeof notes | typeof links, ids: readonly string[]) => {
    for (const id of ids) {
      const { results } = await app.call(calls.versions, { params: { id } }, auth)
      const [version] = random.sample(results, 1)
      if (version)
        return app.request(calls.restoreVersion, { params: { id, revision: String(version.revision) } }, auth)
    }
    return undefined
  }
  const choices = {
    removeNote: () => note && app.request(notes.remove, { params: { id: note.id } }, auth),
    removeLink: () => link && app.request(links.remove, { params: { id: link.id } }, auth),
    removeTag: () => tag && app.request(tags.remove, { params: { id: tag.id } }, auth),
    renameTag: () =>
      tag &&
      app.request(tags.update, { params: { id: tag.id }, body: { name: `${tag.name}${++renames}` } }, auth),
    mergeTags: () =>
      tag && other && app.request(tags.merge, { params: { id: tag.id }, body: { into: other.id } }, auth),
    removeMany: () =>
      items.length > 0 && app.request(bulk.change, { body: { ids: some(5), delete: true } }, auth),
    changeMany: () => {
      const add_tags = random.sample([...NAMES, ...NEW_NAMES], random.between(0, 2))
      const remove_tags = random.sample(NAMES, random.between(0, 2))
      const pinned = random.pick([true, false, null]) ?? undefined
      if (items.length === 0 || (add_tags.length + remove_tags.length === 0 && pinned === undefined)) return
      return app.request(bulk.change, { body: { ids: some(12), add_tags, remove_tags, pinned } }, auth)
    },
    mergeItems: () => {
      const ids = random.pick([found.results.map(({ id }) => id), foundLinks.results.map(({ id }) => id)])
      const [keep, ...merge] = random.sample(ids, random.between(2, 4))
      return merge.length > 0 && app.request(bulk.merge, { body: { keep, merge } }, auth)
    },
    restore: () =>
      trashed.length > 0 &&
      app.request(trash.restore, { body: { ids: random.sample(trashed, 3).map(({ id }) => id) } }, auth),
    restoreNote: () =>
      restoreVersion(
        notes,
        random.sample(found.results, 15).map(({ id }) => id),
      ),
    restoreLink: () =>
      restoreVersion(
        links,
        random.sample(foundLinks.results, 15).map(({ id }) => id),
      ),
    importLinks: async () => {
      const known = random.sample(foundLinks.results, 3).map(({ url }) => url)
      const rows = [...known, `https://example.org/${random.between(1, 1_000)}`].map((url) => {
        const name = random.pick([...NAMES, ...NEW_NAMES])
        return [url, textOf(random), name, `2020-01-0${random.between(1, 9)}`].join()
      })
      const read = await readFile(app, account, ['url,title,tags,created', ...rows].join('\n'), 'ссылки.csv')
      const { state, operation } = await runImport(app, account, read.id, { duplicates: 'merge' })
      expect(state).toBe('done')
      return operation
    },
  }
  const choice = random.pick(Object.keys(choices).filter((name) => !isLeftOut(name)))
  const reply = await choices[choice as keyof typeof choices]()
  if (!reply || typeof reply === 'string') return reply || undefined
  expect([choice, reply.status, reply.body]).toEqual([
    choice,
    expect.toSatisfy((status) => status < 300),
    reply.body,
  ])
  return reply.headers.get('operation') ?? undefined
}

/** Some have a version to go back to. */
async function saveSome({ app, account: { auth } }: User, random: Random): Promise<void> {
  const { results } = await app.call(notes.list, { query: {} }, auth)
  for (const { id, title } of results)
    await app.call(
      notes.update,
      {
        params: { id },
        body: { title: `${title} вторая`, content: textOf(random), tags: random.sample(NAMES, 2) },
      },
      auth,
    )
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
    await saveSome(user, random)
  }
  const before = await Promise.all(users.map((user) => contentOf(user)))
  const done: { user: User; operation: string }[] = []
  for (let at = 0; at < OPERATIONS; at += 1) {
    const user = users[at % users.length]
    app.advance(1000)
    const operation = user && (await change(user, random))
    if (user && operation !== undefined) done.push({ user, operation })
  }
  expect(done.length).toBeGreaterThan(OPERATIONS / 2)
  for (const { user, operation } of done.toReversed()) {
    const undone = await app.call(operations.undo, { params: { id: operation } }, user.account.auth)
    expect(undone.skipped).toEqual([])
  }
  expect(await Promise.all(users.map((user) => contentOf(user)))).toEqual(before)
})

/** An item as it was, with the tags that have by now the names of those that are gone: they may have been created again since. */
function withTagsOf<Item extends { readonly tags: readonly Ref[] }>(
  item: Item | undefined,
  tags: readonly Ref[],
): Item | undefined {
  const isThere = ({ id }: Ref) => tags.some((tag) => tag.id === id)
  const namesakeOf = ({ name }: Ref) => tags.find((tag) => tag.name === name)
  return item && { ...item, tags: item.tags.map((tag) => refOf((!isThere(tag) && namesakeOf(tag)) || tag)) }
}

const refOf = ({ id, name }: Ref): Ref => ({ id, name })

/** All items by their ids, and the tags. */
async function itemsOf(user: User) {
  const { notes, links, tags } = await contentOf(user, [])
  return { tags, items: new Map([...notes, ...links].map((item) => [item.id, item])) }
}

it('undoes operations in any order: an item is as it was before the operation, or was changed since and is named', {
  timeout: 60_000 + OPERATIONS * 10_000,
}, async ({ app, account }) => {
  const random = createRandom(SEED + 1)
  const user = { app, account }
  await fill(user, random)
  await saveSome(user, random)
  const done: { operation: string; before: Awaited<ReturnType<typeof itemsOf>> }[] = []
  const undoOne = async (at: number) => {
    const [{ operation, before } = { operation: '', before: await itemsOf(user) }] = done.splice(at, 1)
    const now = await itemsOf(user)
    const { restored, skipped } = await app.call(operations.undo, { params: { id: operation } }, account.auth)
    const after = await itemsOf(user)
    const left = new Set(skipped.map(({ id }) => id))
    let changed = 0
    for (const id of new Set([...now.items.keys(), ...after.items.keys()])) {
      const [was, is] = [now.items.get(id), after.items.get(id)]
      if (isDeepStrictEqual(was, is)) continue
      changed += 1
      expect(left).not.toContain(id)
      expect(is).toEqual(withTagsOf(before.items.get(id), after.tags))
    }
    expect(changed).toBeLessThanOrEqual(restored)
    for (const { id, name, notes_count, urllinks_count } of after.tags) {
      const tagged = [...after.items.values()].filter(({ tags }) => tags.some((tag) => tag.id === id))
      expect([name, tagged.length]).toEqual([name, notes_count + urllinks_count])
    }
  }
  for (let at = 0; at < OPERATIONS / 2; at += 1) {
    const before = await itemsOf(user)
    app.advance(1000)
    // A tag that was deleted or merged since is not given back to an item: other tests look at that.
    const operation = await change(user, random, (choice) => TAG_CHOICES.some((one) => one === choice))
    if (operation !== undefined) done.push({ operation, before })
    if (random.chance(0.4) && done.length > 0) await undoOne(random.between(0, done.length - 1))
  }
  while (done.length > 0) await undoOne(random.between(0, done.length - 1))
})

type Content = Awaited<ReturnType<typeof contentOf>>

/** Ids of items and tags, and names of tags, that need not be as they were. */
interface Named {
  items: Set<string>
  tags: Set<string>
}

/** What was not named, and what queries find where nothing was. */
function unnamed(content: Content, { items, tags }: Named) {
  const names = (some: readonly Ref[]) =>
    some.flatMap(({ id, name }) => (tags.has(id) || tags.has(name.toLowerCase()) ? [] : name))
  const kept = <Item extends { id: string; tags: readonly Ref[] }>(all: readonly Item[]) =>
    all.filter(({ id }) => !items.has(id)).map((item) => ({ ...item, tags: names(item.tags) }))
  return {
    items: kept([...content.notes, ...content.links]),
    trash: content.trash.filter(([id]) => !items.has(String(id))),
    tags: names(content.tags),
    found: items.size + tags.size === 0 && content.found,
  }
}

/** Each tag counts the items that have it, and search finds as many. */
async function expectCounted({ app, account: { auth } }: User, content: Content): Promise<void> {
  for (const { id, name, notes_count, urllinks_count } of content.tags) {
    const carriers = (items: readonly { tags: readonly Ref[] }[]) =>
      items.filter(({ tags }) => tags.some((tag) => tag.id === id)).length
    const counted = { name, notes_count, urllinks_count }
    expect(counted).toEqual({
      ...{ name, notes_count: carriers(content.notes), urllinks_count: carriers(content.links) },
    })
    const query = { search: `tag:"${name}"`, exact: '1', view: 'summary' } as const
    const found = await app.call(search, { query }, auth)
    // Search takes «TODO7» for «TODO» as well.
    const isAlone = !content.tags.some((tag) => tag.id !== id && tag.name.startsWith(name))
    expect({ ...counted, ...(isAlone && found) }).toMatchObject(counted)
  }
}

it('undoes operations on items and tags of two users in any order: what no undo named is as it was at first', {
  timeout: 60_000 + OPERATIONS * 10_000,
}, async ({ app, account }) => {
  const random = createRandom(SEED + 2)
  const users: { user: User; before: Content; named: Named; done: string[] }[] = []
  for (const user of [
    { app, account },
    { app, account: await newAccount(app) },
  ]) {
    await fill(user, random)
    await saveSome(user, random)
    const named: Named = { items: new Set(), tags: new Set() }
    users.push({ user, before: await contentOf(user), named, done: [] })
  }
  const undoOne = async ({ user, before, named, done }: (typeof users)[number]) => {
    const [operation = ''] = done.splice(random.between(0, done.length - 1), 1)
    const { auth } = user.account
    const { skipped } = await app.call(operations.undo, { params: { id: operation } }, auth)
    for (const { kind, id } of skipped) named[kind === 'tag' ? 'tags' : 'items'].add(id)
    // Another tag may have the name of one that was deleted; what an operation added stays on what is left as it is.
    for (const { kind, title } of skipped) if (kind === 'tag') named.tags.add(title.toLowerCase())
    // A tag that was not there at first may be what items got for one that was, whose name it had before it was renamed.
    for (const { kind, id, title } of skipped)
      if (kind === 'tag' && !before.tags.some((tag) => tag.id === id))
        named.tags.add(title.toLowerCase().replace(RENAMED, ''))
    if (skipped.length > 0) for (const name of NEW_NAMES) named.tags.add(name.toLowerCase())
  }
  for (let at = 0; at < OPERATIONS; at += 1) {
    const turn = users[at % users.length]
    if (!turn) continue
    app.advance(1000)
    const operation = await change(turn.user, random)
    if (operation !== undefined) turn.done.push(operation)
    if (random.chance(0.3) && turn.done.length > 0) await undoOne(turn)
  }
  for (const turn of users) {
    const { user, before, named } = turn
    while (turn.done.length > 0) await undoOne(turn)
    const after = await contentOf(user)
    await expectCounted(user, after)
    expect(named.items.size).toBeLessThan(ITEMS / 2)
    // Items got a new tag for a deleted one of its name (docs/decisions/027-one-journal.md), unless an undo named that one.
    const stands = ({ id, name }: Ref) =>
      before.tags.some((tag) => tag.id === id || (tag.name === name && !named.tags.has(tag.id)))
    for (const { tags } of [...after.notes, ...after.links].filter(({ id }) => named.items.has(id)))
      for (const tag of tags) if (!stands(tag)) named.tags.add(tag.id)
    // A change of a named item that was left as it is may have created a tag that nobody has by now.
    if (named.items.size > 0)
      for (const { notes_count, urllinks_count, ...tag } of after.tags)
        if (notes_count + urllinks_count === 0 && !stands(tag)) named.tags.add(tag.id)
    expect(unnamed(after, named)).toEqual(unnamed(before, named))
  }
})
