import type { Condition, Leaf } from '@kopilka/text/search/condition.ts'
import {
  type ConditionMatch,
  type CountAndFirst,
  type Counts,
  type Dated,
  type ItemKind,
  type Sort,
  sumOf,
} from '@kopilka/text/search/index-reader.ts'
import { hasSigns } from '@kopilka/text/search/query.ts'
import { type IndexDocument, listOf, TERMS } from '@kopilka/text/search/terms.ts'
import { and, andNot, type Bits, bitsFor, count, has, or, set, unset } from './bits.ts'
import { byCodePoints } from './code-points.ts'

/** What the index knows of an item besides its terms. Times are in milliseconds. */
export interface IndexedItem {
  readonly id: string
  readonly kind: ItemKind
  readonly created_at: number
  readonly updated_at: number
  readonly title: string
  /** Its place in alphabetical order. */
  readonly titleKey: string
}

/** An index as it is stored. Items are numbered by their places. */
export interface StoredIndex {
  readonly items: readonly IndexedItem[]
  /** Sorted, each with a line feed after it. One text takes a third of what a list of texts does. */
  readonly terms: string
  /** For each term, the end of its postings. */
  readonly ends: Uint32Array
  /** The numbers of the items that have a term, ascending: the gaps between them as variable-length integers. */
  readonly postings: Uint8Array
}

const EMPTY: StoredIndex = { items: [], terms: '', ends: new Uint32Array(), postings: new Uint8Array() }

/** Type of the terms that hold a form of a word and its stem: the vocabulary. */
const formTerm = (form: string, stem = ''): string => `~${form} ${stem}`
const partsOf = (term: string): [form: string, stem: string] => {
  const space = term.indexOf(' ')
  return [term.slice(1, space), term.slice(space + 1)]
}

/** Sorts after all that follows a prefix in a term. */
const LAST = '\uFFFF'
/** Terms and prefixes whose items are remembered until the index changes. */
const MAX_CACHED = 500

type Use = (number: number) => void

/** The place of the first of the sorted terms that is not before `term`. */
function placeOf(term: string, sorted: readonly string[]): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? '') < term) low = middle + 1
    else high = middle
  }
  return low
}

export type MemoryIndex = ReturnType<typeof createMemoryIndex>

/**
 * The index of search in memory. Most of it is a stored index, which never changes; later items are in lists beside it until
 * {@link MemoryIndex.store} joins both. An item that changes gets another number; what has the old one is overlooked.
 */
export function createMemoryIndex(stored: StoredIndex = EMPTY) {
  let { items: storedItems, ends, postings } = stored
  let terms = stored.terms.split('\n')
  terms.pop()

  let items = [...storedItems]
  const numbers = new Map(items.map(({ id }, number) => [id, number]))
  /** Items of these numbers are there. */
  let alive = bitsFor(items.length)
  let links = bitsFor(items.length)
  for (const [number, { kind }] of items.entries()) {
    set(alive, number)
    if (kind === 'link') set(links, number)
  }
  /** The numbers of items that were added since, by their terms. */
  let added = new Map<string, number[]>()
  let [sortedAdded, unsorted]: [string[], string[]] = [[], []]
  /** All that are there, the newest first. */
  let newestFirst: Uint32Array | undefined
  const cache = new Map<string, Bits>()

  const changed = (): void => {
    newestFirst = undefined
    cache.clear()
  }

  const sortedTerms = (): readonly string[] => {
    // The sorting algorithm of JavaScript takes sorted parts as they are.
    if (unsorted.length > 0) sortedAdded = [...sortedAdded, ...unsorted.sort()].sort()
    unsorted = []
    return sortedAdded
  }

  /** Calls `use` with the numbers of the items that have a stored term, those of deleted items included. */
  const eachStored = (term: number, use: Use): void => {
    const end = ends[term] ?? 0
    let number = -1
    for (let at = term === 0 ? 0 : (ends[term - 1] ?? 0); at < end; ) {
      let byte = postings[at++] ?? 0
      let gap = byte & 127
      for (let shift = 7; byte > 127; shift += 7) {
        byte = postings[at++] ?? 0
        gap |= (byte & 127) << shift
      }
      number += gap
      use(number)
    }
  }

  /** Calls `use` with the numbers of the items that were added with a term. */
  const eachAdded = (term: string, use: Use): void => {
    for (const number of added.get(term) ?? []) use(number)
  }

  /** Calls `use` with each term that has a prefix, and with a function that tells the numbers of its items. */
  const eachTerm = (prefix: string, use: (term: string, each: (use: Use) => void) => void): void => {
    const end = placeOf(prefix + LAST, terms)
    for (let at = placeOf(prefix, terms); at < end; at += 1)
      use(terms[at] ?? '', (use) => eachStored(at, use))
    const later = sortedTerms()
    for (const term of later.slice(placeOf(prefix, later), placeOf(prefix + LAST, later)))
      use(term, (use) => eachAdded(term, use))
  }

  const withLeaf = ({ term, prefix = false }: Leaf): Bits => {
    const key = `${prefix ? '*' : ''}${term}`
    const known = cache.get(key)
    if (known) return known
    const found = bitsFor(items.length)
    const add = (number: number) => set(found, number)
    if (prefix) eachTerm(term, (_, each) => each(add))
    else {
      const place = placeOf(term, terms)
      if (terms[place] === term) eachStored(place, add)
      eachAdded(term, add)
    }
    and(found, alive)
    if (cache.size >= MAX_CACHED) cache.clear()
    cache.set(key, found)
    return found
  }

  /** The items that meet a condition, as bits of the caller's own. */
  const meeting = (condition: Condition): Bits => {
    if ('term' in condition) return withLeaf(condition).slice()
    if ('these' in condition) return andNot(meeting(condition.these), meeting(condition.but))
    const [first, ...others] = 'all' in condition ? condition.all : condition.any
    const join = 'all' in condition ? and : or
    return others.reduce((found, other) => join(found, meeting(other)), meeting(first))
  }

  const countsIn = (found: Bits): Counts => {
    const link = count(and(found.slice(), links))
    return { note: count(found) - link, link }
  }

  const inOrder = (): Uint32Array => {
    newestFirst ??= Uint32Array.from(numbers.values()).sort((one, other) => {
      const [first, second] = [items[one], items[other]]
      if (!first || !second) return 0
      return second.created_at - first.created_at || (first.id < second.id ? 1 : -1)
    })
    return newestFirst
  }

  const datedOf = ({ id, kind, created_at }: IndexedItem): Dated => ({ id, kind, time: created_at })

  const newestIn = (found: Bits, limit: number): Dated[] => {
    const newest: Dated[] = []
    for (const number of inOrder()) {
      if (newest.length >= limit) break
      const item = has(found, number) ? items[number] : undefined
      if (item) newest.push(datedOf(item))
    }
    return newest
  }

  /** The forms of the vocabulary that begin with a text, each with its stem. */
  const formsWith = (prefix: string): [form: string, stem: string][] => {
    const found = new Map<string, [string, string]>()
    eachTerm(`~${prefix}`, (term, each) => {
      let isThere = false
      each((number) => {
        isThere ||= has(alive, number)
      })
      if (isThere) found.set(term, partsOf(term))
    })
    return [...found.values()]
  }

  const remove = (id: string): void => {
    const number = numbers.get(id)
    if (number === undefined) return
    unset(alive, number)
    numbers.delete(id)
    changed()
  }

  return {
    /** Number of items that were added since the index was stored, and of those whose numbers are no longer used. */
    get unstored(): number {
      return items.length - storedItems.length + (items.length - numbers.size)
    },

    /** Adds an item or replaces it. */
    put(item: IndexedItem, document: IndexDocument, tagIds: readonly string[]): void {
      remove(item.id)
      const number = items.length
      items.push(item)
      numbers.set(item.id, number)
      alive = set(alive, number)
      if (item.kind === 'link') links = set(links, number)
      else links = bitsFor(number + 1, links)
      const add = (term: string): void => {
        const known = added.get(term)
        if (known) known.push(number)
        else {
          added.set(term, [number])
          unsorted.push(term)
        }
      }
      for (const term of listOf(document.terms)) add(term)
      for (const id of tagIds) add(TERMS.tag(id))
      const stems = listOf(document.stems)
      for (const [at, form] of listOf(document.forms).entries()) add(formTerm(form, stems[at]))
      changed()
    },

    remove,

    /** Joins what was added with what is stored, without what is not there any more. Takes some 0.1 s for 20,000 items. */
    store(): StoredIndex {
      const kept = items.filter((_, number) => has(alive, number))
      const renumbered = new Int32Array(items.length).fill(-1)
      for (const [number, { id }] of kept.entries()) renumbered[numbers.get(id) ?? 0] = number
      const [joined, joinedEnds]: [string[], number[]] = [[], []]
      let bytes = new Uint8Array(postings.length * 2 + 1024)
      let end = 0
      const write = (term: string, ...parts: ((use: Use) => void)[]): void => {
        const start = end
        let last = -1
        for (const each of parts)
          each((number) => {
            const renewed = renumbered[number] ?? -1
            if (renewed < 0) return
            if (end + 5 > bytes.length) {
              const larger = new Uint8Array(bytes.length * 2)
              larger.set(bytes)
              bytes = larger
            }
            let gap = renewed - last
            last = renewed
            for (; gap > 127; gap >>= 7) bytes[end++] = (gap & 127) | 128
            bytes[end++] = gap
          })
        if (end === start) return
        joined.push(term)
        joinedEnds.push(end)
      }
      const later = sortedTerms()
      const writeAdded = (term: string): void => write(term, (use) => eachAdded(term, use))
      let next = 0
      for (const [at, term] of terms.entries()) {
        for (let other = later[next]; other !== undefined && other < term; other = later[next]) {
          writeAdded(other)
          next += 1
        }
        if (later[next] === term) {
          write(
            term,
            (use) => eachStored(at, use),
            (use) => eachAdded(term, use),
          )
          next += 1
        } else write(term, (use) => eachStored(at, use))
      }
      for (const term of later.slice(next)) writeAdded(term)

      storedItems = items = kept
      ;[terms, ends, postings] = [joined, Uint32Array.from(joinedEnds), bytes.slice(0, end)]
      ;[added, sortedAdded, unsorted] = [new Map(), [], []]
      numbers.clear()
      ;[alive, links] = [bitsFor(items.length), bitsFor(items.length)]
      for (const [number, { id, kind }] of items.entries()) {
        numbers.set(id, number)
        set(alive, number)
        if (kind === 'link') set(links, number)
      }
      items = [...kept]
      changed()
      return { items: kept, terms: terms.map((term) => `${term}\n`).join(''), ends, postings }
    },

    counts: (): Counts => countsIn(alive),

    countAndFirst(condition: Condition, limit: number): CountAndFirst {
      const found = meeting(condition)
      const counts = countsIn(found)
      return { counts, all: sumOf(counts) > limit ? undefined : newestIn(found, limit) }
    },

    newest(
      condition: Condition,
      { kind, limit }: { kind?: ItemKind | undefined; limit: number },
    ): readonly Dated[] {
      const found = meeting(condition)
      if (kind !== undefined) (kind === 'link' ? and : andNot)(found, links)
      return newestIn(found, limit)
    },

    count: (condition: Condition): number => count(meeting(condition)),

    conditionsMet(conditions: readonly Condition[]): readonly ConditionMatch[] {
      const met = new Uint32Array(items.length)
      const any = bitsFor(items.length)
      for (const [bit, condition] of conditions.entries()) {
        const found = meeting(condition)
        or(any, found)
        for (let number = 0; number < met.length; number += 1)
          if (has(found, number)) met[number] = (met[number] ?? 0) | (1 << bit)
      }
      return items.flatMap((item, number) =>
        has(any, number) ? { ...datedOf(item), met: met[number] ?? 0 } : [],
      )
    },

    /** Those of the items that have one of these terms. */
    among(ids: readonly string[], leaves: readonly Leaf[]): ReadonlySet<string> {
      const found = leaves.reduce((found, leaf) => or(found, withLeaf(leaf)), bitsFor(items.length))
      return new Set(ids.filter((id) => has(found, numbers.get(id) ?? items.length)))
    },

    /** Items of a kind whose titles have signs, given as `signsIn` returns them. */
    withSigns: (kind: ItemKind, signs: string): IndexedItem[] =>
      [...numbers.values()].flatMap((number) => {
        const item = items[number]
        return item?.kind === kind && hasSigns(item.title, signs) ? item : []
      }),

    /** These items in an order. */
    sorted(ids: readonly string[], sort: Sort): IndexedItem[] {
      const found = ids.flatMap((id) => items[numbers.get(id) ?? items.length] ?? [])
      if (sort === 'title')
        return found.sort(
          (one, other) => byCodePoints(one.titleKey, other.titleKey) || (one.id < other.id ? -1 : 1),
        )
      const time = sort === 'created' ? 'created_at' : 'updated_at'
      return found.sort((one, other) => other[time] - one[time] || (one.id < other.id ? 1 : -1))
    },

    formsWith,
  }
}
