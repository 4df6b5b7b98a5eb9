import { htmlToText } from '@kopilka/text/html-to-text.ts'
import { readableAddress } from '@kopilka/text/readable-address.ts'
import { anyOf } from '@kopilka/text/search/conditions.ts'
import { createIndexDocument } from '@kopilka/text/search/document.ts'
import {
  type FoundItem,
  type IndexReader,
  type ItemKind,
  RANKED_BODY_LENGTH,
  type Tag,
} from '@kopilka/text/search/index-reader.ts'
import { TERMS } from '@kopilka/text/search/terms.ts'
import { sortKey } from '@kopilka/text/sort-key.ts'
import type { MemoryIndex } from './memory-index.ts'

/** An item of the copy, as search needs it. */
export interface SearchedItem {
  readonly id: string
  readonly kind: ItemKind
  readonly title: string
  /** Of links alone. */
  readonly url?: string | undefined
  /** Clean HTML. */
  readonly text: string
  readonly created_at: string
  readonly updated_at: string
  /** The ids of its tags. */
  readonly tags: readonly string[]
}

/** The copy, as search reads it. */
export interface SearchedCopy {
  /**
   * Items with these ids, in their order; what is not there is left out. Where texts are long it may end early, after an item at
   * least: see {@link inParts}.
   */
  items(ids: readonly string[]): Promise<readonly SearchedItem[]>
  /** All tags, in any order. */
  tags(): Promise<readonly Tag[]>
}

/** Adds an item of the copy to the index, or replaces it there. Takes some 0.3 ms for a short text. */
export function indexItem(
  index: MemoryIndex,
  { id, kind, title, url = '', text, tags, ...times }: SearchedItem,
): void {
  const item = {
    ...{ id, kind, title, titleKey: sortKey(title) },
    ...{ created_at: Date.parse(times.created_at), updated_at: Date.parse(times.updated_at) },
  }
  index.put(item, createIndexDocument({ title, body: htmlToText(text), url }), tags)
}

/** The first characters of a text, as databases count them: a character may be two UTF-16 units long. */
function firstOf(text: string, length: number): string {
  if (text.length <= length) return text
  let end = 0
  for (let left = length; left > 0 && end < text.length; left -= 1)
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  return text.slice(0, end)
}

/** Items whose whole texts are in memory at a time, where texts are short. */
const READ_AT_ONCE = 50
/** Items that are read side by side: a text may have a megabyte. */
const SIDE_BY_SIDE = 5
/** Characters of texts after which no more are read at once. */
const ENOUGH = 1_000_000

/** Reads items in order, until their texts are long together. */
export async function readSome(
  ids: readonly string[],
  readItem: (id: string) => Promise<SearchedItem | undefined>,
): Promise<SearchedItem[]> {
  const found: SearchedItem[] = []
  let characters = 0
  for (let at = 0; at < ids.length && characters < ENOUGH; at += SIDE_BY_SIDE)
    for (const item of await Promise.all(ids.slice(at, at + SIDE_BY_SIDE).map(readItem))) {
      if (!item) continue
      found.push(item)
      characters += item.text.length
    }
  return found
}

/** All items with these ids, each part with the ids that it is about. Of long texts only a few are in memory at a time. */
export async function* inParts(copy: SearchedCopy, ids: readonly string[]) {
  for (let at = 0; at < ids.length; ) {
    const asked = ids.slice(at, at + READ_AT_ONCE)
    const items = await copy.items(asked)
    const last = items.at(-1)
    // After the last item that was read some may be left; where there is none at all, none is there.
    const part = last ? asked.slice(0, asked.lastIndexOf(last.id) + 1) : asked
    at += part.length
    yield { ids: part, items }
  }
}

/** What one search reads: the index in memory, and the texts of items from the copy. */
export function copyReader(index: MemoryIndex, copy: SearchedCopy): IndexReader {
  let known: Promise<readonly Tag[]> | undefined
  const tags = () => {
    known ??= copy.tags()
    return known
  }
  async function* read(ids: readonly string[], length: number): AsyncGenerator<FoundItem[]> {
    const names = new Map((await tags()).map(({ id, name }) => [id, name]))
    for await (const { items } of inParts(copy, ids))
      yield items.map(({ id, kind, title, url = '', text, created_at, tags }) => ({
        ...{ id, kind, title, time: Date.parse(created_at) },
        body: htmlToText(firstOf(text, length)),
        address: readableAddress(url),
        tags: tags.flatMap((id) => names.get(id) ?? []),
      }))
  }
  const tagged = (id: string) => ({ term: TERMS.tag(id) })
  /** Without tags that were deleted, although items of the copy may name them still. */
  const allTagged = async () => (await tags()).map(({ id }) => tagged(id))
  const taggedAmong = async (ids: readonly string[]) => index.among(ids, await allTagged())
  const idsOf = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id)
  return {
    tags,
    tagCounts: async (ids) => ids.map((id) => ({ id, count: index.count(tagged(id)) })),
    itemCounts: async () => index.counts(),
    countAndFirst: async (condition, limit) => index.countAndFirst(condition, limit),
    newest: async (condition, { untagged, ...wanted }) =>
      index.newest(untagged ? { these: condition, but: anyOf(await allTagged()) } : condition, wanted),
    frequencies: async (conditions, limit) =>
      conditions.map((condition) => Math.min(index.count(condition), limit)),
    conditionsMet: async (conditions, among) => {
      const met = index.conditionsMet(conditions)
      const ids = among && new Set(among)
      return ids ? met.filter(({ id }) => ids.has(id)) : met
    },
    stemsCompleting: async (prefix) => {
      const stems = index.formsWith(prefix).map(([, stem]) => stem)
      return [...new Set(stems)].filter((stem) => !stem.startsWith(prefix))
    },
    similarForms: async ({ prefixes, forms, stems }) => {
      const isWithin = (text: string, { shortest, longest }: typeof forms) => {
        const { length } = [...text]
        return length >= shortest && length <= longest
      }
      return prefixes
        .flatMap((prefix) => index.formsWith(prefix))
        .map(([form, stem]) => ({ form, stem }))
        .filter(({ form, stem }) => isWithin(form, forms) || isWithin(stem, stems))
    },
    items: async (ids) => {
      const found: FoundItem[] = []
      for await (const some of read(ids, RANKED_BODY_LENGTH)) found.push(...some)
      return found
    },
    wholeItems: (ids) => read(ids, Number.POSITIVE_INFINITY),
    taggedAmong,
    titlesWith: async ({ kind, signs, tag_id, untagged, sort, limit, offset }) => {
      const all = idsOf(index.withSigns(kind, signs))
      const having = tag_id === undefined ? undefined : index.among(all, [tagged(tag_id)])
      const excluded = untagged ? await taggedAmong(all) : undefined
      const ids = all.filter((id) => (having?.has(id) ?? true) && !excluded?.has(id))
      return { count: ids.length, ids: idsOf(index.sorted(ids, sort).slice(offset, offset + limit)) }
    },
    pageInOrder: async ({ ids, sort, limit, offset }) =>
      idsOf(index.sorted(ids, sort).slice(offset, offset + limit)),
  }
}
