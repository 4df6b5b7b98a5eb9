import type { Tag } from '@kopilka/text/search/index-reader.ts'
import type { SearchResult } from '@kopilka/text/search/search.ts'
import { ANALYSER } from '@kopilka/text/search/terms.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Change, type Entry, withEntries } from '../entry.ts'
import { kept } from '../kept-item.ts'
import type { Copy } from '../responses.ts'
import { readSome, type SearchedItem } from './copy-reader.ts'
import { type IndexState, indexLog } from './index-log.ts'
import { overlayOf } from './overlay.ts'
import { createSearchEngine, type IndexStorage, type KeptIndex, type Overlay } from './search-engine.ts'

/** A copy in memory, with the stores of the log and the kept index. */
class Storage implements IndexStorage {
  readonly #items = new Map<string, SearchedItem>()
  #tags: readonly Tag[] = []
  #log = new Map<number, readonly string[]>()
  #revision = 0
  #kept: KeptIndex | undefined
  #state: IndexState | undefined
  #isLost = false
  #fails = false
  /** How many items were read. */
  read = 0
  /** The most characters of texts that were read at once. */
  most = 0
  /** After so many nothing can be read, as if the tab were closed. */
  readable = Number.POSITIVE_INFINITY

  /** Nothing more can be written. */
  isFull = false
  /** Somebody else has signed in. */
  isOthers = false

  readonly #stores = indexLog({
    read: async (work) => {
      if (this.isOthers) throw new Error('The database is of another sign-in.')
      let isAborted = false
      const inTime = async <T>(value: () => T): Promise<T> => {
        if (isAborted) throw new Error('The transaction has ended.')
        return value()
      }
      return work({
        revision: this.#revision,
        state: () => inTime(() => this.#state),
        changedAfter: (last) =>
          inTime(() => [...this.#log].flatMap(([key, ids]) => (key > last ? [ids] : []))),
        ids: () => inTime(() => [...this.#items.keys()]),
        index: () =>
          inTime(() => {
            isAborted = this.#isLost
            if (isAborted) throw new Error('The file is not there.')
            return structuredClone(this.#kept)
          }),
      })
    },
    write: async (work) => {
      if (this.isFull || this.isOthers) throw new Error('Nothing can be written.')
      return work({
        state: async () => this.#state,
        putState: async (state) => {
          this.#state = state
        },
        putIndex: async (index) => {
          this.#kept = structuredClone(index)
          this.#isLost = false
        },
        forget: async (last) => {
          for (const key of [...this.#log.keys()]) if (key <= last) this.#log.delete(key)
        },
      })
    },
  })
  readonly changes = this.#stores.changes
  readonly keep = this.#stores.keep
  readonly isBehind = () => this.#stores.isBehind(ANALYSER)

  put(item: SearchedItem): void {
    this.#items.set(item.id, item)
    this.#note(item.id)
  }
  delete(id: string): void {
    this.#items.delete(id)
    this.#note(id)
  }
  setTags(tags: readonly Tag[]): void {
    this.#tags = tags
  }
  /** The same copy with these changes, without an index. */
  anew({ items, removed, tags = this.#tags }: Overlay): Storage {
    const other = new Storage()
    for (const item of [...this.#items.values(), ...items]) other.put(item)
    for (const id of removed) other.delete(id)
    other.setTags(tags)
    return other
  }
  #note(id: string): void {
    this.#revision += 1
    this.#log.set(this.#revision, [id])
  }

  async items(ids: readonly string[]) {
    if (this.#fails || this.read > this.readable) throw new Error('The database is away.')
    const found = await readSome(ids, async (id) => {
      this.read += 1
      return this.#items.get(id)
    })
    this.most = Math.max(
      this.most,
      found.reduce((sum, { text }) => sum + text.length, 0),
    )
    return found
  }
  async tags() {
    return this.#tags
  }
  /** Reads no items meanwhile. */
  async failing(work: () => Promise<void>): Promise<void> {
    this.#fails = true
    await work().catch(() => {})
    this.#fails = false
  }
  /** The kept index cannot be read any more, or is not there. */
  lose(how: 'file' | 'value'): void {
    if (how === 'file') this.#isLost = true
    else this.#kept = undefined
  }
  /** As if another version of the page had kept the index. */
  age(): void {
    if (this.#state) this.#state = { ...this.#state, analyser: this.#state.analyser - 1 }
  }
}

const WORDS =
  'заметка заметки книга книгами ёлка лес лесной работать красиво кофе кофейник мир рок-н-ролл отчёты run running note C++ hope'.split(
    ' ',
  )
const QUERIES = [
  ...['заметок', 'книга лес', 'коф', 'работ', '"кофе мир"', '-"мир кофе" кофе', 'лес -книга', 'tag:лес'],
  ...['-тег:мир кофе', 'site:example.org', 'ghbdtn', 'rybuf', 'книгу неведомое', 'кннига', 'runn', 'c++'],
  ...['!!', 'рокнролл', 'красивый отчет заметка', 'кофейнек'],
]
const TAGS = ['лес', 'мир', 'running'].map((name, at) => ({ id: `0000-${at}`, name }))

const all = async (engine: ReturnType<typeof createSearchEngine>, queries = QUERIES) => {
  const found: (SearchResult | undefined)[] = []
  for (const text of queries)
    for (const sort of [undefined, 'title', 'updated'] as const)
      found.push(
        await engine.search({
          ...{ text, sort, exact: false, kinds: ['note', 'link'], limit: 10, offset: 0, excerptLength: 100 },
          ...(sort === 'updated' && { untagged: true }),
          ...(sort === 'title' && { tag_id: '0000-1' }),
        }),
      )
  return found
}

const words = (most: number) =>
  fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: most }).map((some) => some.join(' '))
const item: fc.Arbitrary<SearchedItem> = fc
  .record({
    number: fc.nat({ max: 12 }),
    title: words(3),
    text: words(12).map((text) => `<p>${text}</p>`),
    time: fc.nat({ max: 5 }),
    tags: fc.subarray(TAGS.map(({ id }) => id)),
    isLink: fc.boolean(),
  })
  .map(({ number, time, isLink, ...rest }) => ({
    ...{ ...rest, id: `id-${number}-${isLink}`, kind: isLink ? 'link' : 'note' },
    ...(isLink && { url: 'https://example.org/книга' }),
    created_at: new Date(1e12 + number).toISOString(),
    updated_at: new Date(1e12 + time).toISOString(),
  }))
const step = fc.oneof(
  { weight: 6, arbitrary: item.map((item) => (storage: Storage) => storage.put(item)) },
  {
    weight: 2,
    arbitrary: item.map(
      ({ id }) =>
        (storage: Storage) =>
          storage.delete(id),
    ),
  },
  { weight: 1, arbitrary: fc.subarray(TAGS).map((tags) => (storage: Storage) => storage.setTags(tags)) },
  { weight: 4, arbitrary: fc.constantFrom('search', 'search', 'keep', 'reopen', 'fail', 'age', 'lose') },
  {
    weight: 1,
    arbitrary: fc.record<Overlay>({
      items: fc.uniqueArray(item, { maxLength: 3, selector: ({ id }) => id }),
      removed: fc.constantFrom([], ['id-1-true', 'id-20-false']),
      tags: fc.option(fc.constant(TAGS.slice(1)), { nil: undefined }),
    }),
  },
)

const noteOf = (number: number): SearchedItem => ({
  ...{ id: `id-${number}`, kind: 'note', title: 'Лес', text: '<p>Книга</p>', tags: [] },
  ...{ created_at: '2026-01-31T00:00:00.000Z', updated_at: '2026-01-31T00:00:00.000Z' },
})
const request = { text: 'лес', exact: true, kinds: ['note'], limit: 1, offset: 0 } as const

describe('an index that follows changes', () => {
  it('finds what one made anew finds, in several tabs that are closed at any time', async () => {
    let found = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat({ max: 1 }), step), { minLength: 10, maxLength: 40 }),
        async (steps) => {
          const storage = new Storage()
          storage.setTags(TAGS)
          const tabs = [createSearchEngine(storage), createSearchEngine(storage)]
          let overlay: Overlay = { items: [], removed: [] }
          const told = new Map<(typeof tabs)[number], readonly string[]>()
          const tell = async (tab: (typeof tabs)[number]) => {
            const ids = [...overlay.items.map(({ id }) => id), ...overlay.removed]
            const restored = (told.get(tab) ?? []).filter((id) => !ids.includes(id))
            told.set(tab, ids)
            await tab.overlay({ ...overlay, restored })
          }
          for (const [at, change] of steps) {
            const tab = tabs[at] ?? createSearchEngine(storage)
            await tell(tab)
            if (typeof change === 'function') change(storage)
            else if (change === 'search') await all(tab, QUERIES.slice(0, 4))
            else if (change === 'keep') await tab.catchUp().then(tab.keep)
            else if (change === 'fail') await storage.failing(() => tab.catchUp()).then(tab.keep)
            else if (change === 'reopen') tabs[at] = createSearchEngine(storage)
            else if (change === 'age') storage.age()
            else if (change === 'lose') storage.lose('file')
            else overlay = { ...change, items: change.items.filter(({ id }) => !change.removed.includes(id)) }
          }
          const expected = await all(createSearchEngine(storage.anew(overlay)))
          for (const tab of tabs) {
            await tell(tab)
            expect(await all(tab)).toEqual(expected)
          }
          found += Number(expected.some((result) => result && result.counts.link > 0))
        },
      ),
      { numRuns: 20 },
    )
    expect(found).toBeGreaterThan(7)
  })

  it('is opened as it was kept: only what changed since is read', async () => {
    const storage = new Storage()
    const put = (number: number) => storage.put(noteOf(number))
    for (let number = 0; number < 200; number += 1) put(number)
    const first = createSearchEngine(storage)
    await first.catchUp()
    await first.keep()
    put(7)
    put(200)
    storage.read = 0
    const second = createSearchEngine(storage)
    await second.catchUp()
    expect(storage.read).toBe(2)
    expect((await second.search(request))?.counts.note).toBe(201)
    expect(await second.search({ ...request, text: ' ' })).toBeUndefined()
  })
  it('is behind until a build that was interrupted has been continued', async () => {
    const storage = new Storage()
    for (let number = 0; number < 1_500; number += 1) storage.put(noteOf(number))
    expect(await storage.isBehind()).toBe(true)
    storage.readable = 1_200
    await expect(createSearchEngine(storage).catchUp()).rejects.toThrow()
    expect(await storage.isBehind()).toBe(true)
    storage.readable = Number.POSITIVE_INFINITY
    storage.read = 0
    const later = createSearchEngine(storage)
    await later.catchUp()
    await later.keep()
    expect(storage.read).toBe(500)
    expect(await storage.isBehind()).toBe(false)
  })

  it.for(['file', 'value'] as const)('is built anew where its %s is lost, by every tab', async (how) => {
    const storage = new Storage()
    const early = createSearchEngine(storage)
    storage.put(noteOf(0))
    await early.catchUp()
    for (let number = 1; number < 10; number += 1) storage.put(noteOf(number))
    const first = createSearchEngine(storage)
    await first.catchUp()
    await first.keep()
    storage.lose(how)
    const second = createSearchEngine(storage)
    expect((await second.search(request))?.counts.note).toBe(10)
    expect(await storage.isBehind()).toBe(true)
    expect((await early.search(request))?.counts.note).toBe(10)
    await second.keep()
    expect(await storage.isBehind()).toBe(false)
    storage.read = 0
    await createSearchEngine(storage).catchUp()
    expect(storage.read).toBe(0)
  })

  it('has a few long texts in memory at a time, and finds all', async () => {
    const storage = new Storage()
    const text = `<p>${'лес книга '.repeat(20_000)}</p>`
    for (let number = 0; number < 12; number += 1) storage.put({ ...noteOf(number), text })
    const engine = createSearchEngine(storage)
    await engine.overlay({ items: [{ ...noteOf(3), text }], removed: ['id-11'] })
    for (const words of ['лес', '"лес книга"'])
      expect((await engine.search({ ...request, text: words }))?.counts.note).toBe(11)
    expect(storage.most).toBeLessThan(6 * text.length)
  })

  it('reads no more for a search that is not wanted any more, and nothing for one that has not begun', async () => {
    const storage = new Storage()
    for (let number = 0; number < 300; number += 1)
      storage.put({ ...noteOf(number), text: '<p>Лес книга</p>' })
    const { changes, keep } = storage
    const ending = new AbortController()
    let onRead = () => {}
    let reads = 0
    const engine = createSearchEngine({
      ...{ changes, keep, tags: () => storage.tags() },
      items: (ids) => {
        reads += 1
        onRead()
        return storage.items(ids)
      },
    })
    await engine.catchUp()
    reads = 0
    onRead = () => ending.abort()
    const phrase = { ...request, text: '"лес книга"' }
    const given = [engine.search(phrase, ending.signal), engine.search(phrase, ending.signal)]
    const similar = engine.similarTo({ id: 'id-0', limit: 6 }, ending.signal)
    const outcomes = await Promise.allSettled([...given, similar])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(reads).toBe(1)
    expect((await engine.search(phrase))?.counts.note).toBe(300)
    expect(reads).toBeGreaterThan(6)
  })

  it('is searched where it cannot be kept, but not after another sign-in', async () => {
    const storage = new Storage()
    storage.isFull = true
    for (let number = 0; number < 1_200; number += 1) storage.put(noteOf(number))
    const engine = createSearchEngine(storage)
    expect((await engine.search(request))?.counts.note).toBe(1_200)
    await expect(engine.keep()).rejects.toThrow()
    storage.isOthers = true
    await expect(engine.search(request)).rejects.toThrow()
  })
})

describe('what the worker is told of changes that wait', () => {
  const time = '2026-01-31T00:00:00.000Z'
  const entry = (target: string, change: Change): Entry => ({
    ...{
      key: `${target} ${change.action}`,
      at: time,
      target,
      title: '',
      change,
      newTags: {},
      state: 'waiting',
    },
  })
  const pin = (id: string) => entry(id, { action: 'change', kind: 'note', body: { pinned: true } })
  const copyOf = (etag: string, read: string[]): Copy => ({
    items: new Map(
      [0, 1, 2].map((number) => [
        `${number}`,
        kept({
          ...{ id: `${number}`, title: 'Лес', content: '<p>Книга</p>', etag, pinned: false },
          ...{ created_at: time, updated_at: time, tags: [{ id: 'tag', name: 'лес' }] },
        }).item,
      ]),
    ),
    tags: new Map([['tag', 'лес']]),
    textsOf: async (ids) => {
      read.push(...ids)
      return new Map(ids.map((id) => [id, '<p>Книга</p>']))
    },
  })

  it('is no item of a tag that is deleted, whose rules overlook it', async () => {
    const read: string[] = []
    const copy = copyOf('1', read)
    const view = withEntries(copy, [entry('tag', { action: 'removeTag' })])
    const { overlay } = await overlayOf(copy, view, new Map())
    expect(overlay).toEqual({ items: [], removed: [], restored: [], tags: [] })
    expect(read).toEqual([])
  })

  it('is what differs from what it was told before', async () => {
    const read: string[] = []
    const copy = copyOf('1', read)
    const removal = entry('2', { action: 'remove', kind: 'note' })
    const first = await overlayOf(copy, withEntries(copy, [pin('0'), removal]), new Map())
    expect(first.overlay).toMatchObject({ items: [{ id: '0' }], removed: ['2'], restored: [] })
    const second = await overlayOf(copy, withEntries(copy, [pin('0'), removal, pin('1')]), first.sent)
    expect(second.overlay).toMatchObject({ items: [{ id: '1' }], removed: [], restored: [] })
    expect(read).toEqual(['0', '1'])
    const third = await overlayOf(copy, withEntries(copy, [pin('1')]), second.sent)
    expect(third.overlay).toMatchObject({ items: [], removed: [], restored: ['0', '2'] })
    // What lies below the change is another version.
    const later = copyOf('2', read)
    const fourth = await overlayOf(later, withEntries(later, [pin('1')]), third.sent)
    expect(fourth.overlay).toMatchObject({ items: [{ id: '1' }], removed: [], restored: [] })
    const none = await overlayOf(later, later, fourth.sent)
    expect(none.overlay).toEqual({ items: [], removed: [], restored: ['1'] })
  })
})
