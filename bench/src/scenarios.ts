import { API_PREFIX } from '@kopilka/contract/endpoint.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { latest, search } from '@kopilka/contract/search.ts'
import { tags } from '@kopilka/contract/tags.ts'
import type { SampleItem } from '../../scripts/samples/sample-items.ts'

type NoteSave = Extract<SampleItem, { kind: 'note' }>['save']

/** What a scenario knows of the account whose requests it makes. */
export interface AccountData {
  /** Pages of the list of notes. */
  readonly pages: number
  /** Words that few, some and most sample items have, as they are in the index: the baseline needs no stems. */
  readonly words: {
    readonly rare: string
    readonly middling: string
    readonly common: string
    readonly two: string
  }
  /** Notes from all over the list. */
  readonly ids: readonly string[]
  /** More of them: what a server remembers of the words of some is not enough for others. */
  readonly manyIds: readonly string[]
  /** Notes to save. */
  readonly saves: readonly NoteSave[]
}

/** A request without the headers that say whose it is. */
export interface Requested {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

interface Requests {
  /** The status of every response. */
  readonly status: number
  readonly writes?: true
  /** The `index`-th request, from 0. */
  readonly request: (data: AccountData, index: number) => Requested
}

/** A frequent operation. */
export interface Scenario extends Requests {
  readonly name: string
  /** The share of its length by which the response may differ from the baseline's. Default: 0.01. */
  readonly tolerance?: number
  /** Other requests to the same server while these are measured. Absent: none. */
  readonly beside?: Requests & { readonly connections: number }
  /** Replaces the connections of the command line. */
  readonly connections?: readonly number[]
}

const list = (query: string): Requested => ({
  method: 'GET',
  path: `${API_PREFIX}${notes.list.path}${query}`,
})
const one = (method: string, id: string): Requested => ({
  method,
  path: `${API_PREFIX}${notes.read.path.replace(':id', id)}`,
})
const cyclic = <T>(values: readonly T[], index: number): T => {
  const value = values[index % values.length]
  if (value === undefined) throw new RangeError('The account is empty.')
  return value
}

/** The baseline sorts by time alone, cuts no excerpt around a match and highlights nothing. */
const FOUND = { status: 200, tolerance: 0.5 } as const
/** Words that many items have. */
const PARTIAL = 'соседи хлеб неделя зима'

/** Of one topic of the samples each: no item has two of them. */
const OF_TOPICS = [
  ['закваска', 'пельмени', 'сковорода', 'капуста', 'варенье', 'каша', 'пирог'],
  ['яблоня', 'смородина', 'пионы', 'обрезка'],
  ['смета', 'презентация', 'сотрудник', 'график', 'поставщик'],
] as const

/** Three words that never meet, others each time. */
const neverTogether = (index: number): string => OF_TOPICS.map((words) => cyclic(words, index)).join(' ')

const searchFor = (text: string): Requested => ({
  method: 'GET',
  path: `${API_PREFIX}${search.path}?search=${encodeURIComponent(text)}&view=summary`,
})

/** A page that the smallest account has as well. */
const DEEP = 300

/** The text of a large save, in bytes of HTML. */
const LARGE = 400_000

const READ_ONE: Requests = {
  status: 200,
  request: ({ ids }, index) => one('GET', cyclic(ids, index)),
}

const CREATE: Requests = {
  status: 201,
  writes: true,
  request: ({ saves }, index) => ({ ...list(''), method: 'POST', body: cyclic(saves, index) }),
}

/** Each save of a note has another text than the one before: an unchanged text costs less to index. */
const CHANGE: Requests = {
  status: 200,
  writes: true,
  request: ({ ids, saves }, index) => ({
    ...one('PUT', cyclic(ids, index)),
    body: cyclic(saves, index + Math.floor(index / ids.length)),
  }),
}

const CREATE_LARGE: Requests = {
  status: 201,
  writes: true,
  request: ({ saves }, index) => ({
    ...list(''),
    method: 'POST',
    body: { ...cyclic(saves, index), content: largeContent(saves, index % 10) },
  }),
}

const large = new Map<number, string>()

/** Notes made of the sample texts from the `first` on. */
function largeContent(saves: readonly NoteSave[], first: number): string {
  const known = large.get(first)
  if (known !== undefined) return known
  let [content, bytes] = ['', 0]
  for (let at = first; bytes < LARGE; at += 1) {
    const part = cyclic(saves, at).content
    content += part
    bytes += Buffer.byteLength(part)
  }
  large.set(first, content)
  return content
}

/** In no item: a query with it is matched in part. */
const UNKNOWN = 'жщукрат'
/** Within one mistake of a word of the samples. */
const MISTYPED = 'эрмиттаж'

/** Ten words of 33 letters that no item has, each within one mistake of none. */
const NONSENSE = Array.from(
  { length: 10 },
  (_, at) => 'жщъыэюфхцчш'.repeat(3).slice(at) + 'жщъыэ'.repeat(2).slice(0, at),
).join(' ')

/** What is measured, in this order. A new one needs its response in baseline.ts. */
export const SCENARIOS: readonly Scenario[] = [
  { name: 'first page', status: 200, request: () => list('') },
  { name: 'first page, short', status: 200, request: () => list('?view=summary') },
  { name: 'deep page', status: 200, request: () => list(`?page=${DEEP}`) },
  { name: 'middle page', status: 200, request: ({ pages }) => list(`?page=${Math.ceil(pages / 2)}`) },
  { name: 'one item', ...READ_ONE },
  { name: 'latest', status: 200, request: () => ({ method: 'GET', path: `${API_PREFIX}${latest.path}` }) },
  { name: 'search rare', ...FOUND, request: ({ words }) => searchFor(words.rare) },
  { name: 'search middling', ...FOUND, request: ({ words }) => searchFor(words.middling) },
  { name: 'search common', ...FOUND, request: ({ words }) => searchFor(words.common) },
  { name: 'search two words', ...FOUND, request: ({ words }) => searchFor(words.two) },
  {
    name: 'search partial',
    ...FOUND,
    request: ({ words }) => searchFor(`${words.two} ${PARTIAL} ${UNKNOWN}`),
  },
  {
    name: 'search partial mistyped',
    ...FOUND,
    request: ({ words }, index) => searchFor(`${words.two} ${neverTogether(index)} ${MISTYPED}`),
  },
  {
    name: 'search partial seldom',
    ...FOUND,
    request: ({ words }, index) => searchFor(`${words.two} ${neverTogether(index)}`),
  },
  {
    name: 'search partial excluded',
    ...FOUND,
    request: ({ words }) => searchFor(`${words.two} ${PARTIAL} ${UNKNOWN} -"нет такого"`),
  },
  {
    name: 'search partial untagged',
    status: 200,
    // All samples have tags: finding nothing takes longest, and sends least.
    tolerance: Number.POSITIVE_INFINITY,
    request: ({ words }) => {
      const text = encodeURIComponent(`${words.two} ${PARTIAL} ${UNKNOWN}`)
      return list(`?search=${text}&untagged=1&view=summary`)
    },
  },
  { name: 'search nonsense', ...FOUND, request: () => searchFor(NONSENSE) },
  {
    name: 'similar',
    ...FOUND,
    // Each word of the samples is in more items of a large account than are compared: nothing is found.
    tolerance: Number.POSITIVE_INFINITY,
    request: ({ manyIds }, index) => ({
      method: 'GET',
      path: `${API_PREFIX}${notes.similar.path.replace(':id', cyclic(manyIds, index))}`,
    }),
  },
  { name: 'tags', status: 200, request: () => ({ method: 'GET', path: `${API_PREFIX}${tags.list.path}` }) },
  { name: 'create', ...CREATE },
  { name: 'change', ...CHANGE },
  { name: 'reader alone', ...READ_ONE, connections: [1] },
  { name: 'reader beside 10 writers', ...READ_ONE, connections: [1], beside: { ...CREATE, connections: 10 } },
  {
    name: 'reader beside large saves',
    ...READ_ONE,
    connections: [1],
    beside: { ...CREATE_LARGE, connections: 1 },
  },
]

/** What {@link Scenario.beside} scenarios are compared with. */
export const READER_ALONE = 'reader alone'
