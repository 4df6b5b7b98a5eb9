import { setTimeout as sleep } from 'node:timers/promises'
import { changes } from '@kopilka/contract/changes.ts'
import { EXCERPT_LENGTH } from '@kopilka/contract/limits.ts'
import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { htmlToText } from '@kopilka/text/html-to-text.ts'
import { inOtherLayout } from '@kopilka/text/keyboard-layout.ts'
import { ITEM_KINDS, type Tag } from '@kopilka/text/search/index-reader.ts'
import { type SearchRequest, search as searchByRules } from '@kopilka/text/search/search.ts'
import { findSimilar as findSimilarByRules } from '@kopilka/text/search/similar.ts'
import { wordsOf } from '@kopilka/text/tokenize.ts'
import { expect } from 'vitest'
import { readConfig } from '../../server/src/config.ts'
import { quotasOf } from '../../server/src/db/usage.ts'
import { linkMapping, noteMapping } from '../../server/src/items/item.ts'
import { createItemStore } from '../../server/src/items/store.ts'
import { findSimilar, search } from '../../server/src/search/search.ts'
import { test } from '../../server/src/testing/fixtures.ts'
import { createRandom } from '../../server/src/testing/random.ts'
import { createWorkerPool } from '../../server/src/threads/worker-pool.ts'
import { copyReader, indexItem, type SearchedItem } from '../../web/src/offline/search/copy-reader.ts'
import { createMemoryIndex } from '../../web/src/offline/search/memory-index.ts'
import { sampleItems } from './sample-items.ts'

const [ITEMS, QUERIES, SIMILAR] = [5_000, 300, 100]
const UNTIL = Date.UTC(2026, 0, 1)
/** Items that are saved together. */
const TOGETHER = 100

/** What samples have none of: signs, encoded addresses, letters beyond the first plane, a long text, equal times. */
const SPECIAL = [
  { title: '??? Вопросы', content: '<p>Без ответа… «И всё же»</p>', tags: ['🙂', 'Ёлка'] },
  { title: '???', content: '<p>C++ и node.js, рок-н-ролл, 1С и COVID-19</p>', tags: ['C++'] },
  { title: 'Notes № 5 ❤\u{FE0F}', content: '<p>Кое-какие</p>', tags: ['осень', 'десерты'] },
  { title: 'Ещё: 𝒜 и \u{1F600}', content: '<ul><li data-checked="true"><p>кофейник</p></li></ul>', tags: [] },
  {
    title: '\uFF21 и прочее',
    content: `<p>${'длинный текст о разном '.repeat(2_000)} утконос</p>`,
    tags: [],
  },
].map((save, at) => ({ kind: 'note' as const, created_at: UNTIL - 5_000 * (at >> 1), save }))
const ADDRESSED = [
  'https://xn--80a1acny.xn--p1ai/%D0%B6%D1%83%D0%BA',
  'https://www.example.org/books?id=1',
  'http://sub.example.org/',
].map((url, at) => ({
  kind: 'link' as const,
  created_at: UNTIL - 5_000 * at,
  save: { title: 'Адрес', url, description: '<p>Без слов</p>', tags: ['ссылки'] },
}))

/** Both searches over the same items: those of the server's database, and those of its change feed in memory. */
const it = test.extend('both', { scope: 'file' }, async ({ app, owner }, { onCleanup }) => {
  const pool = createWorkerPool(app.database.settings)
  onCleanup(() => pool.close())
  const quotas = quotasOf(readConfig({}))
  const store = createItemStore({ db: app.db, clock: app.now, pool, quotas })
  const drafts = [...SPECIAL, ...ADDRESSED, ...sampleItems({ count: ITEMS, until: UNTIL })].map((item) => ({
    owner_id: owner.id,
    kind: item.kind,
    created_at: item.created_at,
    draft: item.kind === 'note' ? noteMapping.toDraft(item.save) : linkMapping.toDraft(item.save),
  }))
  for (let at = 0; at < drafts.length; at += TOGETHER) await store.createMany(drafts.slice(at, at + TOGETHER))
  const items = new Map<string, SearchedItem>()
  const tags: Tag[] = []
  for (let since: string | undefined; ; ) {
    const query = { limit: '1000', ...(since !== undefined && { since }) }
    const page = await app.call(changes.follow, { query }, owner.auth)
    const common = ({ tags, ...item }: (typeof page.notes | typeof page.urllinks)[number]) => ({
      ...item,
      tags: tags.map(({ id }) => id),
    })
    for (const note of page.notes) items.set(note.id, { ...common(note), kind: 'note', text: note.content })
    for (const link of page.urllinks)
      items.set(link.id, { ...common(link), kind: 'link', url: link.url, text: link.description })
    tags.push(...page.tags)
    since = page.next
    if (!page.has_more) break
  }
  const index = createMemoryIndex()
  for (const item of items.values()) indexItem(index, item)
  const copy = {
    items: async (ids: readonly string[]) => ids.flatMap((id) => items.get(id) ?? []),
    tags: async () => tags,
  }
  // As it is opened by the next page.
  const opened = createMemoryIndex(structuredClone(index.store()))
  const reader = () => copyReader(opened, copy)
  return { items: [...items.values()], tags, reader, db: app.db, owner_id: owner.id }
})

/** A query of some form about one of the items. */
function queryAbout(
  item: SearchedItem,
  tags: readonly Tag[],
  random: ReturnType<typeof createRandom>,
): string {
  const words = wordsOf(`${item.title} ${htmlToText(item.text).slice(0, 2_000)}`)
  const word = () => random.pick(words)
  const long = () => random.pick(words.filter(({ length }) => length > 4).concat('слово'))
  const mistyped = () => {
    const [typed, at] = [long(), random.between(0, 4)]
    const letter = random.pick(['', 'о', 'e', typed[at] ?? ''])
    return typed.slice(0, at) + letter + typed.slice(at + 1)
  }
  const start = random.between(0, Math.max(words.length - 3, 0))
  const phrase = () => `"${words.slice(start, start + random.between(1, 3)).join(' ')}"`
  const inOther = () => inOtherLayout(long())[0] ?? ''
  const prefix = () => long().slice(0, random.between(2, 5))
  const tag = () => {
    const { name } = random.pick(tags)
    return `tag:${/\s/.test(name) ? `"${name}"` : name}`
  }
  const site = () => `site:${item.url ? new URL(item.url).hostname : 'example.org'}`
  /** Another grammatical form, which may be one of another word as well. */
  const inflected = () => long().slice(0, -1) + random.pick(['ами', 'у', 'ы', 'ing', 's', 'ed'])
  const respelled = () =>
    random.pick([
      (typed: string) => typed.replace(/[её]/, (letter) => (letter === 'ё' ? 'е' : 'ё')),
      (typed: string) => typed.replace(/[аоуыэюяaeiou]/, '$&\u0301'),
      (typed: string) => typed.normalize('NFD'),
    ])(long())
  const forms = [
    () => inflected(),
    () => `${inflected()} ${word()}`,
    () => respelled(),
    () => `${tag()} ${site()}`,
    () => `${phrase()} ${tag()} -${long()}`,
    () => word(),
    () => long(),
    () => prefix(),
    () => `${word()} ${word()}`,
    () => `${long()} ${prefix()}`,
    () => `${long()} ${long()} ${word()}`,
    () => `${long().toUpperCase()} -${long()}`,
    () => phrase(),
    () => `${phrase()} ${word()}`,
    () => `${word()} -${phrase()}`,
    () => `${tag()} ${word()}`,
    () => `-${tag()} ${long()}`,
    () => `${site()} ${long()}`,
    () => site(),
    () => mistyped(),
    () => `${mistyped()} ${word()}`,
    () => inOther(),
    () => `${inOther()} ${word()}`,
    () => `${inOther()} ${inOther()}`,
    () => `что такое ${long()} и ${long()} в неведомое`,
    () => `how to ${long()} ${mistyped()} unheardof ${long()}`,
    () => item.title,
    () => (item.url ? item.url.slice(0, 40) : `${word()}-${word()}`),
    () =>
      random.pick([
        '???',
        '"…"',
        '🙂',
        '№',
        '❤',
        '´',
        'tag:🙂',
        'c++',
        'node js',
        'рокнролл',
        '𝒜',
        'a',
        'и',
        '1c',
        'утконос',
      ]),
  ]
  return random.pick(forms)()
}

/** On PostgreSQL the first takes a minute. */
const TIMEOUT = { timeout: 300_000 }

it(
  'finds in the browser what the server finds, in the same order, in every form of query',
  TIMEOUT,
  async ({ both: { items, tags, reader, db, owner_id } }) => {
    expect(items.length).toBe(ITEMS + SPECIAL.length + ADDRESSED.length)
    const random = createRandom(1)
    const seen = { found: 0, corrected: 0, partial: 0, highlighted: 0 }
    for (let at = 0; at < QUERIES; at += 1) {
      const text = queryAbout(random.pick(items), tags, random)
      const request: SearchRequest = {
        text,
        exact: at % 10 === 9,
        kinds: random.pick([ITEM_KINDS, ITEM_KINDS, ['note'], ['link']]),
        tag_id: at % 12 === 5 ? random.pick(tags).id : undefined,
        untagged: at % 12 === 8,
        sort: random.chance(0.5) ? undefined : random.pick(['created', 'updated', 'title']),
        limit: 15,
        offset: random.pick([0, 0, 15, 30]),
        excerptLength: EXCERPT_LENGTH,
      }
      const [onServer, inBrowser] = await Promise.all([
        search(db, { ...request, owner_id }),
        searchByRules(reader(), request),
      ])
      expect({ request, ...inBrowser }).toEqual({ request, ...onServer })
      seen.found += Number(onServer.counts.note + onServer.counts.link > 0)
      seen.corrected += Number(onServer.corrected !== undefined)
      seen.partial += Number(onServer.partial === true)
      seen.highlighted += Number(
        [...onServer.excerpts.values()].some(({ highlights }) => highlights.excerpt.length > 0),
      )
    }
    console.log(`${QUERIES} queries: ${JSON.stringify(seen)}`)
    // Otherwise the test would compare nothing.
    expect(seen.found).toBeGreaterThan(QUERIES / 2)
    expect(seen.highlighted).toBeGreaterThan(QUERIES / 4)
    expect(seen.corrected).toBeGreaterThan(QUERIES / 30)
    expect(seen.partial).toBeGreaterThan(QUERIES / 30)
  },
)

it(
  'finds the same similar items in the browser',
  TIMEOUT,
  async ({ both: { items, reader, db, owner_id } }) => {
    const random = createRandom(2)
    let found = 0
    for (let at = 0; at < SIMILAR; at += 1) {
      const request = { id: random.pick(items).id, limit: 6 }
      const onServer = await findSimilar(db, { ...request, owner_id })
      expect(await findSimilarByRules(reader(), request)).toEqual(onServer)
      found += Number(onServer.length > 0)
    }
    expect(found).toBeGreaterThan(SIMILAR / 2)
  },
)

it('counts as the lists of the API do', async ({ app, owner, both: { reader } }) => {
  // The searches above held this process longer than a connection may idle: the server closes it now, before a request takes it.
  await sleep(100)
  for (const text of ['хлеб', 'хле', 'книга год', 'ghbdtn', '???', '№', '❤\u{FE0F}', '´']) {
    const page = async (list: typeof notes.list | typeof links.list) => {
      const query = { search: text, page: '2', view: 'summary' } as const
      const { count, results, corrected, partial } = await app.call(list, { query }, owner.auth)
      return { count, ids: results.map(({ id }) => id), corrected, partial }
    }
    const asked = { text, exact: false, limit: 15, offset: 15, excerptLength: EXCERPT_LENGTH }
    for (const [kind, list] of [
      ['note', notes.list],
      ['link', links.list],
    ] as const) {
      const { counts, ids, corrected, partial } = await searchByRules(reader(), { ...asked, kinds: [kind] })
      expect({ text, count: counts[kind], ids: ids[kind], corrected, partial }).toEqual({
        text,
        ...(await page(list)),
      })
    }
  }
})
