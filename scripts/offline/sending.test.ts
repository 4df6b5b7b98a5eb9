import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import { expect, onTestFinished, test } from 'vitest'
import { bulk } from '../../contract/src/bulk.ts'
import type { Endpoint } from '../../contract/src/endpoint.ts'
import { tagNameKey } from '../../contract/src/fields.ts'
import { files, fileUrl } from '../../contract/src/files.ts'
import { links } from '../../contract/src/links.ts'
import { notes } from '../../contract/src/notes.ts'
import { tags } from '../../contract/src/tags.ts'
import { trash } from '../../contract/src/trash.ts'
import { createTestApp, type TestApp } from '../../server/src/testing/create-test-app.ts'
import { type Account, newAccount } from '../../server/src/testing/new-account.ts'
import { png } from '../../server/src/testing/pictures.ts'
import { createRandom, type Random } from '../../server/src/testing/random.ts'
import { CallFailure } from '../../web/src/api/failure.ts'
import {
  type Entry,
  entriesFor,
  folded,
  localEtag,
  siblingsOf,
  withEntries,
} from '../../web/src/offline/entry.ts'
import type { CallRequest } from '../../web/src/offline/responses.ts'
import {
  blockOverOtherTexts,
  type Ending,
  newMemory,
  type Outbox,
  sendAll,
  sendable,
  type Transport,
} from '../../web/src/offline/sending.ts'
import { startCuttingProxy } from './cutting-proxy.ts'
import { createMemoryOutbox, MemoryCopy } from './memory-outbox.ts'
import { createTransport } from './transport.ts'

/** `OFFLINE_STEPS=2000` takes minutes. `OFFLINE_SEED` brings other sequences. */
const STEPS = Number(process.env.OFFLINE_STEPS ?? 0) || 150
const SEED = 20_261_124 + Number(process.env.OFFLINE_SEED ?? 0)

const WORDS = ['дорога', 'книга', 'лес', 'письмо', 'ёж', 'house']
const NAMES = ['Работа', 'дом', 'Лес', 'идеи', 'ЛЕС', 'ёлка']

async function startApp(settings: Record<string, string> = {}): Promise<{ app: TestApp; account: Account }> {
  const app = await createTestApp({ settings })
  onTestFinished(() => app.close())
  return { app, account: await newAccount(app) }
}

/** A browser of an account: its copy, what waits, and a way to change things without a network. */
const createBrowser = () => {
  const copy = new MemoryCopy()
  const outbox = createMemoryOutbox(copy)
  const view = () => withEntries(copy.read(), outbox.now(), outbox.known)
  return {
    copy,
    outbox,
    view,
    change: (endpoint: Endpoint, request: CallRequest, ifMatch?: string): Entry[] => {
      const entries = entriesFor(view(), endpoint, request, {
        ...{ ifMatch, waiting: outbox.now(), resolved: outbox.known },
      })
      outbox.add(...entries)
      return entries
    },
  }
}
type Browser = ReturnType<typeof createBrowser>

/** The items with the names of their tags, without what the server gives them. */
async function contentOf({ view }: Pick<Browser, 'view'>) {
  const { items, tags: names, textsOf } = view()
  const texts = await textsOf([...items.keys()])
  const content = Array.from(items.values(), ({ id, title, url, pinned, tags }) => ({
    ...{ title, url, pinned, text: texts.get(id) },
    tags: tags.flatMap((tag) => names.get(tag) ?? []).sort(),
  }))
  const byTitle = content.sort((one, other) => (one.title < other.title ? -1 : 1))
  return { items: byTitle, tags: [...names.values()].sort() }
}

let marks = 0
/** Items that were created and not removed, whatever a copy says. */
let living = 0

/** Does something at random that a person can do without a network. */
function act({ view, change, outbox }: Browser, random: Random): void {
  const { items, tags: known } = view()
  const [item] = random.sample([...items.values()], 1)
  const [tag] = random.sample([...known], 1)
  const bodyOf = () => {
    marks += 1
    const text = `<p>${random.pick(WORDS)} ${random.pick(WORDS)}</p>`
    return { title: `${random.pick(WORDS)} ${marks}`, text: random.chance(0.5) ? text + picture() : text }
  }
  /** One that only this browser has, as the server will keep it; no two are of one width. */
  const picture = () => {
    const id = crypto.randomUUID()
    outbox.keepPicture(id, new Blob([new Uint8Array(png(marks, marks, 10))]))
    const size = `width="${marks}" height="10"`
    return `<p><img src="${fileUrl(id)}" alt="" ${size} loading="lazy" referrerpolicy="no-referrer" /></p>`
  }
  const save = (url: string | undefined) => {
    const { title, text } = bodyOf()
    return url === undefined ? { title, content: text } : { title, url, description: text }
  }
  const calls = (url: string | undefined) => (url === undefined ? notes : links)
  const some = () => random.sample(NAMES, random.between(0, 3))
  const choices = {
    create: () => {
      const url = random.chance(0.5) ? `https://example.org/${marks}` : undefined
      change(calls(url).create, { body: { ...save(url), tags: some() } })
      living += 1
    },
    update: () => {
      if (!item) return
      const { id: target, url, etag } = item
      const body = { ...save(url), add_tags: some(), remove_tags: some() }
      change(calls(url).update, { params: { id: target }, body }, etag)
    },
    remove: () => {
      if (!item || random.chance(0.7)) return
      change(calls(item.url).remove, { params: { id: item.id } })
      living -= 1
    },
    tag: () =>
      item &&
      change(bulk.change, { body: { ids: [item.id], add_tags: [random.pick(NAMES)], remove_tags: some() } }),
    pin: () => item && change(bulk.change, { body: { ids: [item.id], pinned: random.chance(0.5) } }),
    rename: () => {
      marks += 1
      if (tag) change(tags.update, { params: { id: tag[0] }, body: { name: `тег ${marks}` } })
    },
    removeTag: () => tag && random.chance(0.3) && change(tags.remove, { params: { id: tag[0] } }),
  }
  choices[random.pick(Object.keys(choices)) as keyof typeof choices]()
}

/** A tab that sends what waits, until it is killed: then nothing it waits for ever comes. */
function openTab(outbox: Outbox, transport: Transport) {
  let isAlive = true
  const underWay = new Set<Promise<unknown>>()
  const alive = async <T>(work: Promise<T>): Promise<T> => {
    underWay.add(work)
    const settled = await work.then(
      (value) => () => value,
      (failure) => () => {
        throw failure
      },
    )
    if (!isAlive) await new Promise(() => {})
    return settled()
  }
  const own: Outbox = {
    entries: () => alive(outbox.entries()),
    resolved: () => alive(outbox.resolved()),
    settle: (...what) => alive(isAlive ? outbox.settle(...what) : Promise.resolve()),
    noteTags: (...what) => alive(isAlive ? outbox.noteTags(...what) : Promise.resolve()),
    block: (...what) => alive(isAlive ? outbox.block(...what) : Promise.resolve()),
    kept: (id) => alive(outbox.kept(id)),
    picture: (id) => alive(outbox.picture(id)),
  }
  const sending = sendAll(own, {
    call: (...what) => alive(transport.call(...what)),
    upload: (picture) => alive(transport.upload(picture)),
    isThere: () => alive(transport.isThere()),
  })
  return {
    sending,
    kill: () => {
      isAlive = false
    },
    /** Resolves once nothing that a killed tab has begun is under way any more. */
    ended: () => Promise.allSettled(underWay),
  }
}

test('what was changed without a network reaches the server once and in order, however the network and the tabs fail', {
  timeout: 60_000 + STEPS * 1000,
}, async () => {
  const random = createRandom(SEED)
  const { app, account } = await startApp()
  const proxy = await startCuttingProxy(app.address, random)
  onTestFinished(proxy.close)
  const transport = createTransport(proxy.address, account.session.access_token)
  const browser = createBrowser()
  const { copy, outbox } = browser
  const created: string[] = []
  let follows = 0
  for (let step = 0; step < STEPS; step += 1) {
    proxy.state.failing = random.chance(0.2) ? 0 : 0.4
    for (let acts = random.between(0, 3); acts > 0; acts -= 1) act(browser, random)
    const tab = openTab(outbox, transport)
    const isKilled = random.chance(0.4)
    // A kill comes at any moment, also while the server saves.
    if (isKilled) await new Promise((resolve) => setTimeout(resolve, random.between(0, 12)))
    if (isKilled) tab.kill()
    // The copy follows once nothing is left to send (rounds.ts): it never has what the outbox does not know to be saved.
    else if ((await tab.sending).why === 'done') {
      await copy.follow(app, account)
      follows += 1
    }
  }
  proxy.state.failing = 0
  const expected = await contentOf(browser)
  for (const { change, title } of outbox.now()) if (change.action === 'create') created.push(title)
  expect(await sendAll(outbox, transport)).toEqual({ why: 'done' })
  expect(outbox.now()).toEqual([])
  // Pictures have the ids by now that the server has given them.
  let pictures = 0
  for (const item of expected.items) {
    const [, local] = /src="[^"]*\/([\w-]+)\/"/.exec(item.text ?? '') ?? []
    const id = outbox.known.get(local ?? '') ?? local
    if (!local || !id) continue
    item.text = item.text?.replace(local, id)
    const { status } = await app.request(files.read, { params: { id } }, account.auth)
    expect(status).toBe(200)
    pictures += 1
  }
  const fresh = new MemoryCopy()
  await fresh.follow(app, account)
  expect(await contentOf({ view: () => fresh.read() })).toEqual(expected)
  // What the browser has after it followed is the same.
  await copy.follow(app, account)
  expect(await contentOf(browser)).toEqual(expected)
  const inOrder = [...fresh.items.values()]
    .filter(({ title }) => created.includes(title))
    .sort((one, other) => (one.created_at < other.created_at ? -1 : 1))
    .map(({ title }) => title)
  expect(inOrder).toEqual(created.filter((title) => inOrder.includes(title)))
  expect(expected.items.length).toBe(living)
  expect(living).toBeGreaterThan(2)
  expect(pictures).toBeGreaterThan(0)
  expect(follows).toBeGreaterThan(STEPS / 50)
})

test('beside another client no save overwrites or deletes one that it has not seen, none is lost, and no tag that is gone comes back', {
  timeout: 60_000 + STEPS * 1000,
}, async () => {
  const random = createRandom(SEED + 1)
  const { app, account } = await startApp()
  const { auth } = account
  const proxy = await startCuttingProxy(app.address, random)
  onTestFinished(proxy.close)
  const transport = createTransport(proxy.address, account.session.access_token)
  const browser = createBrowser()
  const { copy, outbox, view, change } = browser
  /** What was saved, by its title: the title that whoever saved it had seen. */
  const seen = new Map<string, string | undefined>()
  /** The tags that saves of this browser gave, by their titles. */
  const tagged = new Map<string, readonly string[]>()
  /** The titles of items as they were deleted: elsewhere, and here by what is to delete them. */
  const deletedElsewhere: string[] = []
  const deletedHere = new Map<string, string>()
  /** Names that tags had elsewhere until they were renamed, merged or deleted there; none is given twice. */
  const gone = new Set<string>()
  /** What has become of tags that were merged (the other one) or deleted. */
  const become = new Map<string, string | undefined>()
  let count = 0
  const newName = () => {
    count += 1
    return `тег ${count}`
  }
  const bodyOf = () => {
    count += 1
    return { title: `${random.pick(WORDS)} ${count}`, content: `<p>${random.pick(WORDS)}</p>` }
  }
  /** Reads an item from the server itself. */
  const theirsOf = async (id: string) => {
    const { body, headers } = await app.request(notes.read, { params: { id } }, auth)
    return { title: String(body.title), etag: headers.get('etag') ?? '' }
  }
  const elsewhere = async (): Promise<void> => {
    const [item] = random.sample((await app.call(notes.list, { query: {} }, auth)).results, 1)
    if (!item) return
    const { title, etag } = await theirsOf(item.id)
    const params = { id: item.id }
    const options = { ...auth, headers: { 'if-match': etag } }
    if (random.chance(0.15)) {
      const { status } = await app.request(notes.remove, { params }, options)
      if (status === 204) deletedElsewhere.push(title)
      else expect([404, 412]).toContain(status)
      return
    }
    const body = {
      ...bodyOf(),
      add_tags: random.chance(0.3) ? [newName()] : [],
      ...(random.chance(0.3) && { pinned: random.chance(0.5) }),
    }
    const { status } = await app.request(notes.update, { params, body }, options)
    if (status === 200) seen.set(body.title, title)
    else expect([404, 412]).toContain(status)
  }
  /**
   * While nothing is under way: a save names its tags as it is sent. Left out is a tag that a save has created whose response was lost:
   * the browser does not know that it exists, and its name would create it anew.
   */
  const changeTagsElsewhere = async (): Promise<void> => {
    const unconfirmed = new Set(outbox.now().flatMap(({ newTags }) => Object.keys(newTags)))
    const all = await app.call(tags.list, { query: {} }, auth)
    const [tag, other] = random.sample(
      all.filter(({ name }) => !unconfirmed.has(tagNameKey(name))),
      2,
    )
    if (!tag || !other) return
    const params = { id: tag.id }
    const way = random.pick(['rename', 'merge', 'remove'] as const)
    if (way === 'rename') await app.call(tags.update, { params, body: { name: newName() } }, auth)
    if (way === 'merge') await app.call(tags.merge, { params, body: { into: other.id } }, auth)
    if (way === 'remove') await app.call(tags.remove, { params }, auth)
    if (way !== 'rename') become.set(tag.id, way === 'merge' ? other.id : undefined)
    gone.add(tag.name)
  }
  const here = (): void => {
    const [chosen] = random.sample([...view().items.values()], 1)
    if (chosen && random.chance(0.3))
      change(bulk.change, { body: { ids: [chosen.id], pinned: random.chance(0.5) } })
    const item = chosen && view().items.get(chosen.id)
    if (item && random.chance(0.1)) {
      const [removal] = change(notes.remove, { params: { id: item.id } })
      if (removal) deletedHere.set(removal.key, item.title)
      return
    }
    const body = bodyOf()
    const known = random.sample([...copy.tags], random.between(0, 2))
    const names = [...known.map(([, name]) => name), ...(random.chance(0.3) ? [newName()] : [])]
    tagged.set(
      body.title,
      known.map(([id]) => id),
    )
    const isNew = !item || random.chance(0.1)
    seen.set(body.title, isNew ? undefined : item.title)
    if (isNew) change(notes.create, { body: { ...body, tags: names } })
    else change(notes.update, { params: { id: item.id }, body: { ...body, add_tags: names } }, item.etag)
  }
  let conflicts = 0
  let missing = 0
  /** Titles that gave way to another one before they were sent, as far as the browser knows. */
  const given = new Set<string>()
  /**
   * Has the user keep their own of all that was changed elsewhere as well, as a new item where the other one was deleted there, and
   * what they deleted without having seen it. The title is new: one save alone has it.
   */
  const decide = async (): Promise<void> => {
    for (const entry of outbox.now().filter(({ state }) => state !== 'waiting')) {
      const own = siblingsOf(entry, outbox.now(), outbox.known)
      const last = own.at(-1)
      if (last?.change.action === 'remove') {
        outbox.replace(last.key, undefined)
        deletedHere.delete(last.key)
        continue
      }
      const isGone = entry.state === 'refused'
      if (isGone) expect(entry.error?.status).toBe(404)
      const { id = '', ...item } = { id: outbox.known.get(entry.target) ?? entry.target }
      const theirs = isGone ? undefined : await theirsOf(id)
      // Tags and a pin are given up alone where the item is gone (web/src/offline/decide.ts); the text says so as it is sent.
      if (isGone && entry.change.action === 'change') {
        const next = own.find(({ change }) => 'etag' in change && change.etag === localEtag(entry.key))
        const { etag } = entry.change
        if (next && 'etag' in next.change)
          outbox.replace(next.key, { ...next, change: { ...next.change, etag } })
        outbox.replace(entry.key, undefined)
        continue
      }
      // It was deleted since: the server says so as the change is sent again.
      const change = folded(own, theirs?.etag || undefined)
      if (!change || !('kind' in change) || change.action === 'remove' || change.action === 'change')
        throw new Error('no text waits')
      if (isGone) missing += 1
      else conflicts += 1
      for (const { title } of own) given.add(title)
      const { title } = bodyOf()
      seen.set(title, theirs?.title)
      tagged.set(
        title,
        own.flatMap((one) => tagged.get(one.title) ?? []),
      )
      const { add_tags = [], remove_tags: _, tags: names = add_tags, ...texts } = change.body
      const instead = {
        ...{ ...entry, ...item, title, key: crypto.randomUUID(), state: 'waiting' as const },
        knownTags: Object.assign({}, ...own.map(({ knownTags }) => knownTags)),
        newTags: Object.assign({}, ...own.map(({ newTags }) => newTags)),
        ...(isGone
          ? {
              target: crypto.randomUUID(),
              change: {
                action: 'create' as const,
                kind: change.kind,
                body: { ...texts, title, tags: names },
              },
            }
          : { change: { ...change, body: { ...change.body, title } } }),
      }
      for (const { key } of own) outbox.replace(key, key === entry.key ? instead : undefined)
    }
  }
  for (let at = 0; at < 3; at += 1) {
    const body = bodyOf()
    await app.call(notes.create, { body }, auth)
    seen.set(body.title, undefined)
  }
  await copy.follow(app, account)
  for (let step = 0; step < STEPS; step += 1) {
    proxy.state.failing = random.chance(0.4) ? 0 : 0.3
    for (let acts = random.between(0, 2); acts > 0; acts -= 1) here()
    const tab = openTab(outbox, transport)
    const isKilled = random.chance(0.3)
    if (random.chance(0.4)) await elsewhere()
    if (isKilled) tab.kill()
    else if ((await tab.sending).why === 'done') await copy.follow(app, account)
    await tab.ended()
    if (random.chance(0.2)) await changeTagsElsewhere()
    if (random.chance(0.3)) await decide()
  }
  proxy.state.failing = 0
  for (let isWaiting = true; isWaiting; isWaiting = outbox.now().length > 0) {
    expect(await sendAll(outbox, transport)).toEqual({ why: 'done' })
    await decide()
  }
  const reached = new Set<string>()
  const fresh = new MemoryCopy()
  await fresh.follow(app, account)
  for (const item of fresh.items.values())
    for (let title: string | undefined = item.title; title !== undefined; title = seen.get(title)) {
      expect(reached).not.toContain(title)
      reached.add(title)
    }
  for (const deleted of [...deletedElsewhere, ...deletedHere.values()])
    for (let title: string | undefined = deleted; title !== undefined; title = seen.get(title))
      reached.add(title)
  expect([...seen.keys()].filter((title) => !reached.has(title) && !given.has(title))).toEqual([])
  // What was deleted is in the trash as it was when whoever deleted it saw it.
  const trashed = new Set<string>()
  for (let page = 1, isMore = true; isMore; page += 1) {
    const { results, count } = await app.call(trash.list, { query: { page: String(page) } }, auth)
    for (const { title } of results) trashed.add(title)
    isMore = results.length > 0 && trashed.size < count
  }
  const wereSeen = [...deletedElsewhere, ...deletedHere.values()]
  expect([...trashed].filter((title) => !wereSeen.includes(title))).toEqual([])
  // No tag that is gone has come back, and what was to have it has the one in its place.
  expect([...fresh.tags.values()].filter((name) => gone.has(name))).toEqual([])
  const nowOf = (id: string): string | undefined => {
    let now: string | undefined = id
    while (now !== undefined && become.has(now)) now = become.get(now)
    return now
  }
  for (const { title, tags: has } of fresh.items.values())
    expect(has, title).toEqual(
      expect.arrayContaining((tagged.get(title) ?? []).flatMap((id) => nowOf(id) ?? [])),
    )
  expect(conflicts).toBeGreaterThan(STEPS / 50)
  expect(missing).toBeGreaterThan(0)
  expect(become.size).toBeGreaterThan(STEPS / 50)
  expect(deletedHere.size).toBeGreaterThan(0)
})

test('what somebody else has changed meanwhile is never overwritten without a question', async () => {
  const { app, account } = await startApp()
  const { auth } = account
  const made = await app.call(notes.create, { body: { title: 'Было', content: '<p>а</p>' } }, auth)
  const params = { id: made.id }
  const browser = createBrowser()
  const { copy, outbox } = browser
  await copy.follow(app, account)
  const transport = createTransport(app.address, account.session.access_token)
  browser.change(notes.update, { params, body: { title: 'Моё', content: '<p>б</p>' } }, '"1"')
  const [own] = browser.change(
    notes.update,
    { params, body: { title: 'Моё 2', content: '<p>в</p>' } },
    localEtag(outbox.now()[0]?.key ?? ''),
  )
  browser.change(notes.create, { body: { title: 'Другая', content: '<p>г</p>' } })
  await app.call(notes.update, { params, body: { title: 'Чужое', content: '<p>д</p>' } }, auth)

  expect(await sendAll(outbox, transport)).toEqual({ why: 'done' })
  const titles = async () =>
    (await app.call(notes.list, { query: {} }, auth)).results.map(({ title }) => title).sort()
  expect(await titles()).toEqual(['Другая', 'Чужое'])
  expect(outbox.now().map(({ state }) => state)).toEqual(['conflict', 'waiting'])
  expect(sendable(outbox.now(), await outbox.resolved())).toEqual([])
  // The user keeps theirs: both changes as one, over the version that they have seen.
  const theirs = await app.request(notes.read, { params }, auth)
  const change = folded(outbox.now(), theirs.headers.get('etag') ?? '')
  const [first] = outbox.now()
  if (!first || !own || !change) throw new Error('nothing waits')
  outbox.replace(first.key, { ...first, change, state: 'waiting' })
  outbox.replace(own.key, { ...own, change })
  expect(sendable(outbox.now(), await outbox.resolved())).toHaveLength(2)
  await sendAll(outbox, transport)
  expect(await titles()).toEqual(['Другая', 'Моё 2'])
})

test.each<[string, { tags?: string[]; pinned?: boolean }, object, removed?: string]>([
  ['the same tag was given', { tags: ['дача', 'дом'] }, { add_tags: ['дача'] }],
  ['the same tag was taken', { tags: [] }, { remove_tags: ['дом'] }],
  ['it was pinned', { pinned: true }, { pinned: true }],
  ['the tag was deleted', { tags: ['лес'] }, { add_tags: ['лес'] }, 'лес'],
])(
  'what was changed elsewhere is not overwritten where %s on both sides',
  async (_, theirs, own, removed) => {
    const { app, account } = await startApp()
    const { auth } = account
    const body = { title: 'Было', content: '<p>а</p>', tags: ['дом'] }
    const edited = await app.call(notes.create, { body }, auth)
    const deleted = await app.call(notes.create, { body }, auth)
    await app.call(notes.create, { body: { ...body, title: 'Другая', tags: ['лес'] } }, auth)
    const browser = createBrowser()
    const { copy, outbox, view } = browser
    await copy.follow(app, account)
    const etagOf = ({ id }: { id: string }) => view().items.get(id)?.etag
    for (const { id } of [edited, deleted]) browser.change(bulk.change, { body: { ids: [id], ...own } })
    const params = { id: edited.id }
    const mine = { title: 'Моё', content: '<p>б</p>' }
    browser.change(notes.update, { params, body: mine }, etagOf(edited))
    browser.change(notes.remove, { params: { id: deleted.id } })

    for (const { id } of [edited, deleted]) {
      const changed = { title: 'Чужое', content: '<p>в</p>', ...theirs }
      await app.call(notes.update, { params: { id }, body: changed }, auth)
    }
    for (const { id, name } of await app.call(tags.list, { query: {} }, auth))
      if (name === removed) await app.call(tags.remove, { params: { id } }, auth)
    await sendAll(outbox, createTransport(app.address, account.session.access_token))
    const { results } = await app.call(notes.list, { query: {} }, auth)
    expect(results.map(({ title }) => title).sort()).toEqual(['Другая', 'Чужое', 'Чужое'])
    expect(outbox.now().map(({ state }) => state)).toEqual(['conflict', 'conflict'])
  },
)

test.each<[string, { add_tags?: string[]; pinned?: boolean }]>([
  ['a tag', { add_tags: ['дача'] }],
  ['a pin', { pinned: true }],
])('%s whose response was lost is no conflict for the text that follows', async (_, own) => {
  const { app, account } = await startApp()
  const { auth } = account
  const body = { title: 'Было', content: '<p>а</p>' }
  const { id } = await app.call(notes.create, { body }, auth)
  const browser = createBrowser()
  const { copy, outbox, view } = browser
  await copy.follow(app, account)
  browser.change(bulk.change, { body: { ids: [id], ...own } })
  const mine = { title: 'Моё', content: '<p>б</p>' }
  browser.change(notes.update, { params: { id }, body: mine }, view().items.get(id)?.etag)
  await app.call(bulk.change, { body: { ids: [id], ...own } }, auth)
  expect(await sendAll(outbox, createTransport(app.address, account.session.access_token))).toEqual({
    why: 'done',
  })
  expect(outbox.now()).toEqual([])
  expect((await app.call(notes.read, { params: { id } }, auth)).title).toBe('Моё')
})

test('a form that has shown no text of somebody else does not overwrite it behind a pin that was made over it', async () => {
  const { app, account } = await startApp()
  const { auth } = account
  const body = { title: 'Было', content: '<p>а</p>' }
  const { id } = await app.call(notes.create, { body }, auth)
  const params = { id }
  await app.call(notes.update, { params, body: { ...body, title: 'Чужое' } }, auth)
  const { copy, outbox, change } = createBrowser()
  await copy.follow(app, account)
  change(bulk.change, { body: { ids: [id], pinned: true } })
  change(notes.update, { params, body: { ...body, title: 'Моё' } }, '"1"')
  await sendAll(outbox, createTransport(app.address, account.session.access_token))
  expect(outbox.now()).toMatchObject([{ state: 'conflict', title: 'Моё' }])
  expect(await app.call(notes.read, { params }, auth)).toMatchObject({ title: 'Чужое', pinned: true })
})

test('a note that was changed elsewhere before its creation was confirmed is not overwritten by what follows', async () => {
  const { app, account } = await startApp()
  const { auth } = account
  const browser = createBrowser()
  const { outbox } = browser
  const [created] = browser.change(notes.create, { body: { title: 'Новая', content: '<p>а</p>' } })
  const { target = '', key = '' } = created ?? {}
  browser.change(
    notes.update,
    { params: { id: target }, body: { title: 'Моя', content: '<p>б</p>' } },
    localEtag(key),
  )
  // The server has saved it, and the response was lost.
  const headers = { 'idempotency-key': key }
  const saved = await app.request(
    notes.create,
    { body: { title: 'Новая', content: '<p>а</p>' } },
    { ...auth, headers },
  )
  const params = { id: String(saved.body.id) }
  app.advance(1000)
  await app.call(notes.update, { params, body: { title: 'Чужая', content: '<p>в</p>' } }, auth)
  await sendAll(outbox, createTransport(app.address, account.session.access_token))
  expect(await app.call(notes.read, { params }, auth)).toMatchObject({ title: 'Чужая' })
  expect(outbox.now()).toMatchObject([{ state: 'conflict', title: 'Моя' }])
})

test('tags that were renamed elsewhere meanwhile are meant by their new names', async () => {
  const { app, account } = await startApp()
  const { auth } = account
  const body = { title: 'Было', content: '<p>а</p>', tags: ['Лес', 'Дом'] }
  const made = await app.call(notes.create, { body }, auth)
  const browser = createBrowser()
  const { copy, outbox } = browser
  await copy.follow(app, account)
  const params = { id: made.id }
  const saved = { title: 'Стало', content: '<p>б</p>', add_tags: [], remove_tags: ['Лес'] }
  browser.change(notes.update, { params, body: saved }, '"1"')
  browser.change(bulk.change, { body: { ids: [made.id], remove_tags: ['дом'] } })
  const [created] = browser.change(notes.create, { body: { ...body, title: 'Новая', tags: ['лес', 'Сад'] } })
  // The server has saved this one, and the response was lost.
  browser.change(notes.create, { body: { ...body, title: 'Другая', tags: ['Дом'] } })
  const headers = { 'idempotency-key': outbox.now().at(-1)?.key ?? '' }
  await app.call(notes.create, { body: { ...body, title: 'Другая', tags: ['Дом'] } }, { ...auth, headers })
  const rename = async (name: string, to: string) => {
    const tag = made.tags.find((one) => one.name === name)
    await app.call(tags.update, { params: { id: tag?.id ?? '' }, body: { name: to } }, auth)
  }
  await rename('Лес', 'Роща')
  await rename('Дом', 'Изба')

  expect(await sendAll(outbox, createTransport(app.address, account.session.access_token))).toEqual({
    why: 'done',
  })
  expect(outbox.now()).toEqual([])
  const { results } = await app.call(notes.list, { query: { sort: 'title' } }, auth)
  expect(results.map(({ title, tags }) => [title, tags.map(({ name }) => name)])).toEqual([
    ['Другая', ['Изба']],
    ['Новая', ['Роща', 'Сад']],
    ['Стало', []],
  ])
  expect((await app.call(tags.list, { query: {} }, auth)).map(({ name }) => name)).toEqual([
    ...['Изба', 'Роща', 'Сад'],
  ])
  expect(Object.keys(created?.newTags ?? {})).toEqual(['сад'])
})

test('a creation whose response was lost is known again however often its tags were renamed meanwhile', async () => {
  const { app, account } = await startApp()
  const { auth } = account
  const { tags: made } = await app.call(
    notes.create,
    { body: { title: 'Было', content: '<p>а</p>', tags: ['Лес'] } },
    auth,
  )
  const { copy, outbox, change } = createBrowser()
  await copy.follow(app, account)
  change(notes.create, { body: { title: 'Новая', content: '<p>б</p>', tags: ['Лес'] } })
  const rename = (name: string) =>
    app.call(tags.update, { params: { id: made[0]?.id ?? '' }, body: { name } }, auth)
  const transport = createTransport(app.address, account.session.access_token)
  /** The server takes what is created, or nothing, and the response is lost. */
  const losing = (isTaken: boolean): Transport => ({
    ...transport,
    call: async (endpoint, ...what) => {
      const isCreation = endpoint === notes.create
      const response = isCreation && !isTaken ? undefined : await transport.call(endpoint, ...what)
      if (isCreation || !response) throw new CallFailure('no-response')
      return response
    },
  })
  for (const [name, isTaken] of [
    ['Роща', false],
    ['Бор', true],
    ['Чаща', false],
  ] as const) {
    await rename(name)
    expect(await sendAll(outbox, losing(isTaken))).toEqual({ why: 'later' })
  }
  await rename('Дубрава')
  expect(await sendAll(outbox, transport)).toEqual({ why: 'done' })
  expect(outbox.now()).toEqual([])
  const { results } = await app.call(notes.list, { query: { sort: 'title' } }, auth)
  expect(results.map(({ title, tags }) => [title, tags.map(({ name }) => name)])).toEqual([
    ['Было', ['Дубрава']],
    ['Новая', ['Дубрава']],
  ])
  expect(await app.call(tags.list, { query: {} }, auth)).toMatchObject([{ name: 'Дубрава' }])
})

test('a name that somebody else has given a tag meanwhile is not overwritten without a question', async () => {
  const { app, account } = await startApp()
  const { auth } = account
  const body = { title: 'Заметка', content: '<p>а</p>', tags: ['Лес', 'Дом'] }
  const made = await app.call(notes.create, { body }, auth)
  const { copy, outbox, change } = createBrowser()
  await copy.follow(app, account)
  const idOf = (name: string) => made.tags.find((tag) => tag.name === name)?.id ?? ''
  const rename = (id: string, name: string) => [tags.update, { params: { id }, body: { name } }] as const
  for (const name of ['Роща', 'Чаща']) change(...rename(idOf('Лес'), name))
  // Of its own renaming the browser may have got no response, and another spelling is the same name.
  change(...rename(idOf('Дом'), 'Изба'))
  for (const [id, name] of [
    [idOf('Лес'), 'Бор'],
    [idOf('Дом'), 'изба'],
  ] as const)
    await app.call(...rename(id, name), auth)
  const transport = createTransport(app.address, account.session.access_token)
  expect(await sendAll(outbox, transport)).toEqual({ why: 'done' })
  expect(outbox.now()).toMatchObject([
    { change: { name: 'Роща' }, state: 'conflict', error: { status: 412, detail: 'Бор' } },
    { change: { name: 'Чаща' }, state: 'waiting' },
  ])
  const names = async () => (await app.call(tags.list, { query: {} }, auth)).map(({ name }) => name)
  expect(await names()).toEqual(['Бор', 'Изба'])
})

test('tags that were merged or deleted elsewhere meanwhile do not come back, and those in their place are meant', async () => {
  const { app, account } = await startApp()
  const { auth } = account
  const body = { title: 'Было', content: '<p>а</p>', tags: ['Лес', 'Дом', 'Сад', 'Луг'] }
  const made = await app.call(notes.create, { body }, auth)
  // What a tag is called says nothing: an object may have a property of that name by itself.
  const others = ['Роща', 'Изба', 'constructor']
  const other = await app.call(notes.create, { body: { ...body, title: 'Другая', tags: others } }, auth)
  const browser = createBrowser()
  const { copy, outbox } = browser
  await copy.follow(app, account)
  const params = { id: made.id }
  const saved = { title: 'Стало', content: '<p>б</p>', add_tags: ['Луг'], remove_tags: ['Лес', 'сад'] }
  browser.change(notes.update, { params, body: saved }, '"1"')
  browser.change(bulk.change, { body: { ids: [other.id], add_tags: ['Сад'], remove_tags: ['Луг'] } })
  browser.change(bulk.change, { body: { ids: [other.id], add_tags: ['дом'], remove_tags: ['constructor'] } })
  browser.change(notes.create, {
    body: { ...body, title: 'Новая', tags: ['лес', 'Дом', 'Сад', 'Поле', 'constructor'] },
  })
  // The server has saved this one, and the response was lost.
  browser.change(notes.create, { body: { ...body, title: 'Ещё', tags: ['Дом', 'сад'] } })
  const headers = { 'idempotency-key': outbox.now().at(-1)?.key ?? '' }
  await app.call(
    notes.create,
    { body: { ...body, title: 'Ещё', tags: ['Дом', 'сад'] } },
    { ...auth, headers },
  )
  const idOf = (name: string) => [...made.tags, ...other.tags].find((tag) => tag.name === name)?.id ?? ''
  const merge = (id: string, into: string) =>
    app.call(tags.merge, { params: { id: idOf(id) }, body: { into: idOf(into) } }, auth)
  await merge('Лес', 'Роща')
  await merge('Дом', 'Луг')
  await merge('Луг', 'Изба')
  await app.call(tags.remove, { params: { id: idOf('Сад') } }, auth)
  await app.call(tags.update, { params: { id: idOf('Изба') }, body: { name: 'Хата' } }, auth)

  expect(await sendAll(outbox, createTransport(app.address, account.session.access_token))).toEqual({
    why: 'done',
  })
  expect(outbox.now()).toEqual([])
  const { results } = await app.call(notes.list, { query: { sort: 'title' } }, auth)
  expect(results.map(({ title, tags }) => [title, tags.map(({ name }) => name)])).toEqual([
    ['Другая', ['Роща', 'Хата']],
    ['Ещё', ['Хата']],
    ['Новая', ['Поле', 'Роща', 'Хата', 'constructor']],
    ['Стало', ['Хата']],
  ])
  expect((await app.call(tags.list, { query: {} }, auth)).map(({ name }) => name)).toEqual([
    ...['Поле', 'Роща', 'Хата', 'constructor'],
  ])
})

test('changes of an item keep their order where some of them know it by the id of the server alone', async () => {
  const { app, account } = await startApp()
  const { auth } = account
  const browser = createBrowser()
  const { outbox } = browser
  const [created] = browser.change(notes.create, { body: { title: 'Новая', content: '<p>а</p>' } })
  const local = created?.target ?? ''
  const body = { title: 'Раньше', content: '<p>б</p>' }
  browser.change(notes.update, { params: { id: local }, body }, localEtag(created?.key ?? ''))
  const transport = createTransport(app.address, account.session.access_token)
  // The network is lost after the creation.
  const lost = Promise.reject(new CallFailure('no-response'))
  lost.catch(() => {})
  const cut: Transport = {
    ...transport,
    call: (endpoint, ...what) => (endpoint === notes.create ? transport.call(endpoint, ...what) : lost),
  }
  expect(await sendAll(outbox, cut)).toEqual({ why: 'later' })
  const id = outbox.known.get(local) ?? ''
  const { etag } = browser.view().items.get(id) ?? {}
  browser.change(notes.update, { params: { id }, body: { ...body, title: 'Позже' } }, etag)
  browser.change(bulk.change, { body: { ids: [id], pinned: true } })
  const theirs = { title: 'Чужая', content: '<p>в</p>' }
  await app.call(notes.update, { params: { id }, body: theirs }, auth)

  expect(await sendAll(outbox, transport)).toEqual({ why: 'done' })
  expect(outbox.now().map(({ state }) => state)).toEqual(['conflict', 'waiting', 'waiting'])
  expect(await app.call(notes.read, { params: { id } }, auth)).toMatchObject({ ...theirs, pinned: false })
  // Whatever is decided of the first is decided of all.
  const [first] = outbox.now()
  if (!first) throw new Error('nothing waits')
  expect(folded(siblingsOf(first, outbox.now(), outbox.known), '"2"')).toMatchObject({
    body: { title: 'Позже', pinned: true },
  })
})

test('what the server refuses stays with its reason, and holds up nothing but what needs it', async () => {
  const { app, account } = await startApp({ ITEMS_PER_USER: '1' })
  const browser = createBrowser()
  const { outbox } = browser
  browser.change(notes.create, { body: { title: 'Первая', content: '<p>а</p>' } })
  const [refused] = browser.change(notes.create, { body: { title: 'Вторая', content: '<p>б</p>' } })
  const params = { id: refused?.target ?? '' }
  browser.change(
    notes.update,
    { params, body: { title: 'Вторая 2', content: '<p>в</p>' } },
    localEtag(refused?.key ?? ''),
  )
  const [first] = browser.change(notes.remove, { params: { id: outbox.now()[0]?.target ?? '' } })
  expect(first).toBeDefined()
  const transport = createTransport(app.address, account.session.access_token)
  await sendAll(outbox, transport)
  expect(outbox.now()).toMatchObject([
    { title: 'Вторая', state: 'refused', error: { status: 403, detail: expect.stringMatching(/[а-я]/) } },
    { title: 'Вторая 2', state: 'waiting' },
  ])
  // There is room now.
  if (refused) outbox.replace(refused.key, refused)
  expect(await sendAll(outbox, transport)).toEqual({ why: 'done' } satisfies Ending)
  const { results } = await app.call(notes.list, { query: {} }, account.auth)
  expect(results.map(({ title }) => title)).toEqual(['Вторая 2'])
})

test('a server that cannot save now refuses nothing: what waits is sent once it can', async () => {
  const { app, account } = await startApp()
  const browser = createBrowser()
  const { outbox } = browser
  browser.change(notes.create, { body: { title: 'Первая', content: '<p>а</p>' } })
  browser.change(notes.create, { body: { title: 'Вторая', content: '<p>б</p>' } })
  const token = account.session.access_token
  let status = 0
  const away = createServer((_request, response) => {
    const headers = { 'content-type': 'application/json', 'retry-after': '7' }
    response.writeHead(status, headers).end('{"detail":"Попробуйте позже"}')
  })
  await new Promise<void>((resolve) => away.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void away.close())
  const { port } = away.address() as AddressInfo
  for (status of [408, 425, 429, 502, 503, 504])
    expect(await sendAll(outbox, createTransport(`http://127.0.0.1:${port}`, token)), `${status}`).toEqual({
      why: 'later',
      seconds: 7,
    } satisfies Ending)
  expect(outbox.now().map(({ state }) => state)).toEqual(['waiting', 'waiting'])
  expect(await sendAll(outbox, createTransport(app.address, token))).toEqual({ why: 'done' })
  const { results } = await app.call(notes.list, { query: {} }, account.auth)
  expect(results.map(({ title }) => title).sort()).toEqual(['Вторая', 'Первая'])
})

/** A server that says nothing but one status, without JSON; `isThere`: but for the call that tells whether the server is there. */
async function startProxy(status: number, isThere: boolean): Promise<string> {
  const proxy = createServer((request, response) => {
    const isSite = isThere && request.url?.endsWith('/site/')
    if (isSite) response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    else response.writeHead(status, { 'content-type': 'text/plain' }).end('404 page not found')
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void proxy.close())
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}

test('a proxy whose server is stopped neither deletes nor refuses anything', async () => {
  const { app, account } = await startApp()
  const { auth } = account
  const made = await app.call(notes.create, { body: { title: 'Лишняя', content: '<p>а</p>' } }, auth)
  const browser = createBrowser()
  const { copy, outbox } = browser
  await copy.follow(app, account)
  browser.change(notes.remove, { params: { id: made.id } })
  browser.change(notes.create, { body: { title: 'Новая', content: '<p>б</p>' } })
  const token = account.session.access_token
  for (const status of [403, 404, 405, 410]) {
    const stopped = createTransport(await startProxy(status, false), token)
    expect(await sendAll(outbox, stopped), `${status}`).toMatchObject({ why: 'later' })
    expect(outbox.now().map(({ state }) => state)).toEqual(['waiting', 'waiting'])
  }
  expect(await sendAll(outbox, createTransport(app.address, token))).toEqual({ why: 'done' })
  const { results } = await app.call(notes.list, { query: {} }, auth)
  expect(results.map(({ title }) => title)).toEqual(['Новая'])
})

test('after a restore from a backup no save or deletion goes over a text that the user has not seen', async () => {
  const { app, account } = await startApp()
  const { auth } = account
  const { copy, outbox, change } = createBrowser()
  const add = async (title: string) =>
    (await app.call(notes.create, { body: { title, content: '<p>Было</p>' } }, auth)).id
  const [other, deleted, pinned, same, gone] = await Promise.all(
    ['Другая', 'Удалённая', 'Закреплённая', 'Та же', 'Пропавшая'].map(add),
  )
  const all = [other, deleted, pinned, same, gone].map((id) => id ?? '')
  await copy.follow(app, account)
  const etag = copy.items.get(all[0] ?? '')?.etag
  const save = (id = '') =>
    change(notes.update, { params: { id }, body: { title: 'Моё', content: '<p>Моё</p>' } }, etag)
  const blocked = [...save(other), ...change(notes.remove, { params: { id: deleted ?? '' } })]
  const others = [
    ...change(bulk.change, { body: { ids: [pinned], pinned: true } }),
    ...[...save(same), ...save(gone)],
    ...change(notes.create, { body: { title: 'Новая', content: '<p>Новая</p>' } }),
  ]
  // As where the backup is older than what the browser has seen, and somebody has saved another text since.
  const written = app.db.updateTable('items').set({ body: '<p>Иное</p>' })
  await written.where('id', 'in', [other, deleted, pinned].map(String)).execute()
  await app.call(notes.remove, { params: { id: gone ?? '' } }, auth)
  const transport = createTransport(app.address, account.session.access_token)
  await blockOverOtherTexts(outbox, transport)
  const stateOf = (entry: Entry) => outbox.now().find(({ key }) => key === entry.key)?.state
  expect(blocked.map(stateOf)).toEqual(['conflict', 'conflict'])
  expect(others.map(stateOf)).toEqual(['waiting', 'waiting', 'waiting', 'waiting'])
  expect(await sendAll(outbox, transport)).toEqual({ why: 'done' })
  const { results } = await app.call(notes.list, { query: { sort: 'title' } }, auth)
  expect(results.map(({ title, content }) => [title, content])).toEqual([
    ['Закреплённая', '<p>Иное</p>'],
    ['Другая', '<p>Иное</p>'],
    ['Моё', '<p>Моё</p>'],
    ['Новая', '<p>Новая</p>'],
    ['Удалённая', '<p>Иное</p>'],
  ])
})

test('what a proxy alone refuses while the server is there holds nothing else up', async () => {
  const { account } = await startApp()
  const browser = createBrowser()
  const [refused] = browser.change(notes.create, { body: { title: 'Первая', content: '<p>а</p>' } })
  const transport = createTransport(await startProxy(403, true), account.session.access_token)
  expect(await sendAll(browser.outbox, transport)).toEqual({ why: 'done' })
  expect(browser.outbox.now()).toMatchObject([
    { key: refused?.key, state: 'refused', error: { status: 403 } },
  ])
})

test('what alone gets no response while the server is there is left to the user after some time, and holds nothing else up', async () => {
  const { app, account } = await startApp()
  const browser = createBrowser()
  const { outbox } = browser
  for (const title of ['Большая', 'Малая'])
    browser.change(notes.create, { body: { title, content: '<p>а</p>' } })
  const through = createTransport(app.address, account.session.access_token)
  let isThere = false
  const dropping: Transport = {
    ...through,
    isThere: async () => isThere,
    call: (endpoint, request, options) =>
      JSON.stringify(request).includes('Большая')
        ? Promise.reject(new CallFailure('no-response'))
        : through.call(endpoint, request, options),
  }
  let now = 0
  const options = { memory: newMemory(), now: () => now }
  const expectLater = async (times: number, afterMs: number) => {
    for (let time = 0; time < times; time += 1) {
      now += afterMs
      expect(await sendAll(outbox, dropping, options)).toEqual({ why: 'later' })
    }
  }
  // That says nothing of the change.
  await expectLater(10, 60_000)
  isThere = true
  // One outage may break several tries, and those of long ago are another one's.
  await expectLater(10, 500)
  await expectLater(10, 20 * 60_000)
  await expectLater(3, 60_000)
  expect(outbox.now()).toMatchObject([{ state: 'waiting' }, { state: 'waiting' }])
  now += 60_000
  expect(await sendAll(outbox, dropping, options)).toEqual({ why: 'done' })
  const [refused, ...others] = outbox.now()
  expect(refused).toMatchObject({ title: 'Большая', state: 'refused', error: { status: 'no-response' } })
  expect(others).toEqual([])
  if (refused) outbox.replace(refused.key, { ...refused, state: 'waiting', error: undefined })
  expect(await sendAll(outbox, through, options)).toEqual({ why: 'done' })
  const { results } = await app.call(notes.list, { query: {} }, account.auth)
  expect(results.map(({ title }) => title)).toEqual(['Большая', 'Малая'])
})

test('pictures of a text are sent before it, once', async () => {
  const { app, account } = await startApp()
  const browser = createBrowser()
  const id = crypto.randomUUID()
  browser.outbox.keepPicture(id, new Blob([new Uint8Array(png(1, 20, 10))]))
  const img = `<img src="${fileUrl(id)}" alt="" width="20" height="10">`
  for (const title of ['Одна', 'Другая'])
    browser.change(notes.create, { body: { title, content: `<p>${img}</p>` } })
  const transport = createTransport(app.address, account.session.access_token)
  let uploads = 0
  const counting: Transport = {
    ...transport,
    upload: (picture) => {
      uploads += 1
      return transport.upload(picture)
    },
  }
  expect(await sendAll(browser.outbox, counting)).toEqual({ why: 'done' })
  expect(uploads).toBe(1)
  const { results } = await app.call(notes.list, { query: {} }, account.auth)
  for (const { content } of results) {
    expect(content).not.toContain(id)
    expect(content).toContain(fileUrl(browser.outbox.known.get(id) ?? ''))
  }
})

test('a picture whose text is refused stays in the browser until the text is taken: the server drops files that no text names', async () => {
  const { app, account } = await startApp({ ITEMS_PER_USER: '1' })
  const { auth } = account
  const first = await app.call(notes.create, { body: { title: 'Первая', content: '<p>а</p>' } }, auth)
  const { change, outbox } = createBrowser()
  const id = crypto.randomUUID()
  outbox.keepPicture(id, new Blob([new Uint8Array(png(1, 20, 10))]))
  const content = `<p><img src="${fileUrl(id)}" alt="" width="20" height="10"></p>`
  const [refused] = change(notes.create, { body: { title: 'С картинкой', content } })
  const transport = createTransport(app.address, account.session.access_token)
  await sendAll(outbox, transport)
  expect(outbox.now()).toMatchObject([{ state: 'refused' }])
  expect(await outbox.picture(id)).toBeDefined()
  // There is room now.
  await app.call(notes.remove, { params: { id: first.id } }, auth)
  if (refused) outbox.replace(refused.key, refused)
  expect(await sendAll(outbox, transport)).toEqual({ why: 'done' })
  expect(await outbox.picture(id)).toBeUndefined()
  const { results } = await app.call(notes.list, { query: {} }, auth)
  expect(results).toMatchObject([{ content: expect.stringContaining(fileUrl(outbox.known.get(id) ?? '')) }])
})
