// `node bench/src/offline-search.ts [ITEMS]`: what the search without a network costs. See bench/README.md.
import { serialize, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { EXCERPT_LENGTH } from '@kopilka/contract/limits.ts'
import { htmlToText } from '@kopilka/text/html-to-text.ts'
import { inOtherLayout } from '@kopilka/text/keyboard-layout.ts'
import { ITEM_KINDS } from '@kopilka/text/search/index-reader.ts'
import { search } from '@kopilka/text/search/search.ts'
import { wordsOf } from '@kopilka/text/tokenize.ts'
import { sampleItems } from '../../scripts/samples/sample-items.ts'
import { copyReader, indexItem, type SearchedItem } from '../../web/src/offline/search/copy-reader.ts'
import { createMemoryIndex } from '../../web/src/offline/search/memory-index.ts'

const ITEMS = Number(process.argv[2] ?? 20_000)
/** Queries of each form. */
const QUERIES = 200

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
const inUse = (): number => {
  collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
const timed = <T>(work: () => T): [result: T, milliseconds: number] => {
  const start = performance.now()
  return [work(), performance.now() - start]
}

const tags = new Map<string, string>()
const idOf = (name: string): string => {
  const id = tags.get(name) ?? `tag-${tags.size}`
  tags.set(name, id)
  return id
}
const items = new Map<string, SearchedItem>()
for (const { kind, created_at, save } of sampleItems({ count: ITEMS, until: Date.UTC(2026, 0, 1) })) {
  const time = new Date(created_at).toISOString()
  const own = 'url' in save ? { url: save.url, text: save.description } : { text: save.content }
  const item = { ...own, title: save.title, created_at: time, updated_at: time }
  const id = `01890000-0000-7000-8000-${String(items.size).padStart(12, '0')}`
  items.set(id, { ...item, id, kind, tags: (save.tags ?? []).map(idOf) })
}
const copy = {
  items: async (ids: readonly string[]) => ids.flatMap((id) => items.get(id) ?? []),
  tags: async () => Array.from(tags, ([name, id]) => ({ id, name })),
}

function build() {
  const index = createMemoryIndex()
  for (const item of items.values()) indexItem(index, item)
  return index
}

const [built, building] = timed(build)
const [stored, storing] = timed(() => built.store())
const bytes = serialize(stored)
const before = inUse()
const [index, opening] = timed(() => createMemoryIndex(structuredClone(stored)))
console.log(`${ITEMS} items, ${megabytes(serialize([...items.values()]).length)} as they are copied`)
console.log(`index built in ${(building / 1000).toFixed(1)} s, stored in ${storing.toFixed(0)} ms`)
console.log(
  `stored index ${megabytes(bytes.length)}: postings ${megabytes(stored.postings.length)}, ` +
    `terms ${megabytes(serialize(stored.terms).length)} (${stored.ends.length}), items ${megabytes(serialize(stored.items).length)}`,
)
console.log(`opened in ${opening.toFixed(0)} ms, takes ${megabytes(inUse() - before)} of memory`)

const all = [...items.values()]
let seed = 1
/** The same numbers in each run. */
const next = (below: number): number => {
  seed = (seed * 48_271) % 2_147_483_647
  return seed % below
}
// There is one at each place.
const pick = <T>(choices: readonly T[]): T => choices[next(choices.length)] as T
const wordsOfOne = (): string[] => {
  const { title, text } = pick(all)
  return wordsOf(`${title} ${htmlToText(text)}`).filter(({ length }) => length > 3)
}
const FORMS: Readonly<Record<string, () => string>> = {
  'one word': () => pick(wordsOfOne()),
  'two words': () => {
    const words = wordsOfOne()
    return `${pick(words)} ${pick(words)}`
  },
  'three letters': () => pick(wordsOfOne()).slice(0, 3),
  'two letters': () => pick(wordsOfOne()).slice(0, 2),
  'word and prefix': () => {
    const words = wordsOfOne()
    return `${pick(words)} ${pick(words).slice(0, 3)}`
  },
  phrase: () => {
    const words = wordsOfOne()
    const at = next(words.length - 1)
    return `"${words.slice(at, at + 2).join(' ')}"`
  },
  'tag and word': () =>
    `tag:${pick([...tags.keys()].filter((name) => !/\s/.test(name)))} ${pick(wordsOfOne())}`,
  'mistyped word': () => pick(wordsOfOne()).replace(/^(.)(.)(.)/, '$1$3$2'),
  'other layout': () => inOtherLayout(pick(wordsOfOne()))[0] ?? '',
  question: () => {
    const words = wordsOfOne()
    return `что такое ${pick(words)} и ${pick(words)} у ${pick(words)} неведомое`
  },
  nonsense: () => Array.from({ length: 10 }, () => `щ${next(1e9).toString(36)}ъ`).join(' '),
}

console.log('form: median, 95 %, slowest (ms)')
for (const [name, form] of Object.entries(FORMS)) {
  const times: number[] = []
  for (let at = 0; at < QUERIES; at += 1) {
    const request = { text: form(), exact: false, kinds: ITEM_KINDS, limit: 20, offset: 0 }
    const start = performance.now()
    await search(copyReader(index, copy), { ...request, excerptLength: EXCERPT_LENGTH })
    times.push(performance.now() - start)
  }
  times.sort((one, other) => one - other)
  const at = (share: number) => (times[Math.floor(share * (times.length - 1))] ?? 0).toFixed(1)
  console.log(`${name}: ${at(0.5)}, ${at(0.95)}, ${at(1)}`)
}

const [, changing] = timed(() => {
  for (const item of all.slice(0, 100)) indexItem(index, item)
})
console.log(`one change: ${(changing / 100).toFixed(2)} ms`)
