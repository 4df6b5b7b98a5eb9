import type { Condition } from './condition.ts'
import type { RankedTexts } from './ranking.ts'

export const ITEM_KINDS = ['note', 'link'] as const
export type ItemKind = (typeof ITEM_KINDS)[number]

/** Newest first, last changed first, or alphabetical; items that are equal in this are in the order of their ids. */
export type Sort = 'created' | 'updated' | 'title'

export interface Tag {
  readonly id: string
  readonly name: string
}

/** Number of items of each kind. */
export type Counts = Readonly<Record<ItemKind, number>>

export const sumOf = ({ note, link }: Counts): number => note + link

export interface Found {
  readonly id: string
  readonly kind: ItemKind
}

/** An item, and when it was created. */
export interface Dated extends Found {
  readonly time: number
}

/** Compares items: the newest first, of equal times the one with the greater id. */
export const newestFirst = (one: Dated, other: Dated): number =>
  other.time - one.time || (one.id < other.id ? 1 : -1)

/** An item and the conditions that it meets: bit n is set for condition n. */
export interface ConditionMatch extends Dated {
  readonly met: number
}

/** Newest first: by `created_at`, then by id. */
export interface CountAndFirst {
  readonly counts: Counts
  /** All items that meet the condition; undefined if they exceed the limit. */
  readonly all: readonly Found[] | undefined
}

/** An item as read for ranking and for excerpts. */
export interface FoundItem extends RankedTexts, Dated {}

/**
 * Characters of a body that are read for ranking and excerpts: whole bodies of the forty longest notes would take
 * seconds. Matches after them are found as well; the excerpt then shows the start.
 */
export const RANKED_BODY_LENGTH = 20_000

/** Lengths in characters, both included. */
interface Lengths {
  readonly shortest: number
  readonly longest: number
}

export interface SimilarForms {
  readonly prefixes: readonly string[]
  readonly forms: Lengths
  readonly stems: Lengths
}

/** A form in the vocabulary, and its first stem. */
export interface Form {
  readonly form: string
  readonly stem: string
}

export interface NewestOptions {
  readonly kind?: ItemKind | undefined
  readonly limit: number
  /** Only items without any tag. */
  readonly untagged?: boolean | undefined
}

export interface TitlesWanted {
  readonly kind: ItemKind
  /** As `signsIn` returns them. */
  readonly signs: string
  /** Only items with this tag. */
  readonly tag_id?: string | undefined
  /** Only items without any tag. */
  readonly untagged?: boolean | undefined
  readonly sort: Sort
  readonly limit: number
  readonly offset: number
}

/** How many items there are, and the ids of a page of them in the order that was asked for. */
export interface CountAndPage {
  readonly count: number
  readonly ids: readonly string[]
}

/** What a search reads of one owner's items: the server reads a database, the browser its copy. Both find the same. */
export interface IndexReader {
  /** All tags of the owner, in any order. */
  tags(): Promise<readonly Tag[]>
  /** How many items have each of these tags, in the order of their ids. */
  tagCounts(ids: readonly string[]): Promise<readonly { readonly id: string; readonly count: number }[]>
  itemCounts(): Promise<Counts>
  countAndFirst(condition: Condition, limit: number): Promise<CountAndFirst>
  /** The newest items that meet the condition. */
  newest(condition: Condition, wanted: NewestOptions): Promise<readonly Dated[]>
  /** How many items meet each condition, at most `limit`. */
  frequencies(conditions: readonly Condition[], limit: number): Promise<readonly number[]>
  /**
   * The items that meet any of at most 30 conditions, in any order. For conditions that few items meet, or to look only `among` a few
   * items.
   */
  conditionsMet(
    conditions: readonly Condition[],
    among?: readonly string[],
  ): Promise<readonly ConditionMatch[]>
  /**
   * The stems of words that begin with `prefix` although their stems do not: 'runnin' is a prefix of 'running', whose stem
   * is 'run'.
   */
  stemsCompleting(prefix: string): Promise<readonly string[]>
  /** Forms of items that begin with any of the prefixes, and have these lengths or stems of these lengths. May have one twice. */
  similarForms(asked: SimilarForms): Promise<readonly Form[]>
  /** Items in any order, with the first {@link RANKED_BODY_LENGTH} characters of their bodies. */
  items(ids: readonly string[]): Promise<readonly FoundItem[]>
  /** Items in any order, with their whole bodies, of which only some are in memory at a time. */
  wholeItems(ids: readonly string[]): AsyncIterable<readonly FoundItem[]>
  /** Those of the items that have tags. */
  taggedAmong(ids: readonly string[]): Promise<ReadonlySet<string>>
  /** The items whose titles have signs. */
  titlesWith(wanted: TitlesWanted): Promise<CountAndPage>
  /** A page of these items, put into an order. */
  pageInOrder(asked: {
    ids: readonly string[]
    sort: Sort
    limit: number
    offset: number
  }): Promise<readonly string[]>
}
