import { readableAddress } from '@kopilka/contract/readable-address.ts'
import type { Db, ItemKind } from '../db/schema.ts'
import { completionsOf } from '../search/completions.ts'
import { beyond, conditionOf, type Sought, soughtOf, tiersOf } from '../search/conditions.ts'
import { TRAITS } from '../search/entries.ts'
import type { Condition, Counts, Found, SearchIndex } from '../search/index.ts'
import type { Query } from '../search/query.ts'
import { foldedWordsOf, holdsPhrase, type RankedText, relevanceOf } from '../search/relevance.ts'
import { type Rescued, rescue } from '../search/rescue.ts'
import { eachWordOf } from '../search/words.ts'
import type { TagStore } from '../tags/store.ts'
import { beginningOfBody, plainTextOfBeginning, SEEN_OF_BODY } from './beginnings.ts'
import type { SummaryRow } from './faces.ts'
import { createPauses } from './pauses.ts'
import { SUMMARY } from './statements.ts'

/** Which of an owner's items. */
export interface Searched {
  owner_id: string
  query: Query
  /** Only those with this tag. */
  tag_id?: string | undefined
}

/** So many of the best matches, two pages, are put in order by their texts; those behind by what the index knows. */
const LOOKED_AT = 30
/** Longer than any body. */
const WHOLE_BODY = 2 ** 30
/** Where there are no more matches, those of both kinds are asked for at once. */
const ASKED_AT_ONCE = 200
/** Matches whose texts are read at once to look for a phrase. */
const READ_AT_ONCE = 50

interface Parts {
  db: Db
  index: SearchIndex
  tags: TagStore
}

/** A match as it was read to be put in order and shown; `text` is the beginning of its body as plain text. */
export interface Seen extends Omit<SummaryRow, 'marks'> {
  text: string
}

/** Finds items for a query, best first. */
export function createMatches({ db, index, tags }: Parts) {
  /** A request asks for counts and pieces of both kinds with one query. */
  const understood = new WeakMap<Query, Promise<Sought>>()
  const counted = new WeakMap<Query, Promise<Counts>>()
  const few = new WeakMap<Query, Promise<Found[]>>()
  const held = new WeakMap<Query, Map<ItemKind, Promise<string[]>>>()
  const seen = new WeakMap<Query, Map<string, Seen>>()

  function soughtBy({ owner_id, query }: Searched): Promise<Sought> {
    return remembered(understood, query, async () => {
      const [ownTags, completions] = await Promise.all([
        tags.names(owner_id),
        completionsOf(db, index, owner_id, query),
      ])
      return soughtOf(query, ownTags, completions)
    })
  }

  const within = ({ tag_id }: Searched, condition: Condition): Condition =>
    tag_id === undefined ? condition : { all: [condition, { trait: TRAITS.tag(tag_id) }] }

  const hasPhrases = ({ phrases, withoutPhrases }: Query): boolean =>
    phrases.length + withoutPhrases.length > 0

  /** How many items of each kind match. */
  function count(searched: Searched): Promise<Counts> {
    return remembered(counted, searched.query, async () => {
      if (!hasPhrases(searched.query)) return countCandidates(searched)
      const [notes, links] = await Promise.all([heldBy(searched, 'note'), heldBy(searched, 'link')])
      return { note: notes.length, link: links.length }
    })
  }

  const countCandidates = async (searched: Searched): Promise<Counts> =>
    index.count(db, searched.owner_id, within(searched, conditionOf(await soughtBy(searched))))

  /** Candidates from the best to the last, `limit` of them: of one kind, or of both together. */
  async function candidates(
    searched: Searched,
    { kind, limit }: { kind?: ItemKind; limit: number },
  ): Promise<Found[]> {
    const found: Found[] = []
    const tiers = tiersOf(await soughtBy(searched))
    for (const [at, tier] of tiers.entries()) {
      const condition = within(searched, beyond(tier, tiers.slice(0, at)))
      const wanted = { ...(kind && { kind }), limit: limit - found.length }
      found.push(...(await index.find(db, searched.owner_id, condition, wanted)))
      if (found.length >= limit) break
    }
    return found
  }

  /** `length`: characters of the bodies that are read. */
  async function readItems(owner_id: string, ids: readonly string[], length: number): Promise<Seen[]> {
    if (ids.length === 0) return []
    const [rows, named] = await Promise.all([
      db
        .selectFrom('items')
        .select([...SUMMARY, beginningOfBody(length)])
        .where('owner_id', '=', owner_id)
        .where('id', 'in', [...ids])
        .execute(),
      tags.ofItems(owner_id, ids),
    ])
    const pause = createPauses()
    const items: Seen[] = []
    for (const { beginning, ...row } of rows) {
      items.push({ ...row, tags: named.get(row.id) ?? [], text: plainTextOfBeginning(beginning) })
      await pause()
    }
    return items
  }

  /** These matches, in their order; each is read once for a query. */
  async function read({ owner_id, query }: Searched, ids: readonly string[]): Promise<Seen[]> {
    const known = remembered(seen, query, () => new Map<string, Seen>())
    const missing = ids.filter((id) => !known.has(id))
    for (const item of await readItems(owner_id, missing, SEEN_OF_BODY)) known.set(item.id, item)
    return ids.flatMap((id) => known.get(id) ?? [])
  }

  /** All matches of a query with phrases: the index finds what holds their words, the texts say which hold them in a row. */
  function heldBy(searched: Searched, kind: ItemKind): Promise<string[]> {
    const byKind = held.get(searched.query) ?? new Map<ItemKind, Promise<string[]>>()
    held.set(searched.query, byKind)
    const known = byKind.get(kind) ?? withPhrases(searched, kind)
    byKind.set(kind, known)
    return known
  }

  async function withPhrases(searched: Searched, kind: ItemKind): Promise<string[]> {
    const { [kind]: most } = await countCandidates(searched)
    const ids = idsOf(await candidates(searched, { kind, limit: most }))
    const pause = createPauses()
    const matching = new Set<string>()
    for (let from = 0; from < ids.length; from += READ_AT_ONCE) {
      const items = await readItems(searched.owner_id, ids.slice(from, from + READ_AT_ONCE), WHOLE_BODY)
      for (const item of items) {
        if (meetsPhrases(rankedText(item), searched.query)) matching.add(item.id)
        await pause()
      }
    }
    return ids.filter((id) => matching.has(id))
  }

  /** The ids of a piece of the matches, best first. */
  async function find(
    searched: Searched,
    kind: ItemKind,
    { limit, offset }: { limit: number; offset: number },
  ): Promise<string[]> {
    const counts = await count(searched)
    const total = counts[kind]
    const wanted = Math.min(offset + limit, total)
    if (wanted <= offset) return []
    if (hasPhrases(searched.query))
      return (await byTexts(searched, await heldBy(searched, kind))).slice(offset, wanted)
    const ids =
      counts.note + counts.link <= ASKED_AT_ONCE
        ? idsOf((await allOf(searched, counts.note + counts.link)).filter((found) => found.kind === kind))
        : idsOf(await candidates(searched, { kind, limit: Math.min(Math.max(wanted, LOOKED_AT), total) }))
    // Of one word among many the index knows enough: where it stands, and whether often.
    const isOneWord = searched.query.runs.length < 2 && total > LOOKED_AT
    const inOrder = isOneWord || offset >= LOOKED_AT ? ids : await byTexts(searched, ids)
    return inOrder.slice(offset, wanted)
  }

  /** All matches of both kinds, where they are few: in tiers, if they are too many for their texts to tell their order. */
  const allOf = (searched: Searched, total: number): Promise<Found[]> =>
    remembered(few, searched.query, async () => {
      if (total > LOOKED_AT) return candidates(searched, { limit: total })
      const condition = within(searched, conditionOf(await soughtBy(searched)))
      const found = await index.find(db, searched.owner_id, condition, { limit: total })
      // Those of the other kind are asked for next.
      await read(searched, idsOf(found))
      return found
    })

  /** The best of them, as many as are looked at, by their texts. */
  async function byTexts(searched: Searched, ids: readonly string[]): Promise<string[]> {
    const items = await read(searched, ids.slice(0, LOOKED_AT))
    const pause = createPauses()
    const ranked: Ranked[] = []
    for (const item of items) {
      ranked.push({ ...item, relevance: relevanceOf(searched.query, rankedText(item)) })
      await pause()
    }
    return [...ranked.sort(byRelevance).map(({ id }) => id), ...ids.slice(LOOKED_AT)]
  }

  return {
    count,
    find,
    read,

    /** What was meant where nothing is found. */
    async rescued(searched: Searched, isFound: (counts: Counts) => boolean): Promise<Rescued | undefined> {
      const pause = createPauses()
      return rescue(searched.query, {
        finds: async (query) => {
          await pause()
          return isFound(await count({ ...searched, query }))
        },
        formsOf: async (stems) => {
          await pause()
          return formsOf(searched.owner_id, stems)
        },
      })
    },
  }

  async function formsOf(owner_id: string, stems: readonly string[]): Promise<Set<string>> {
    const inItems = await index.forms(db, owner_id, stems)
    const inTags = (await tags.names(owner_id)).flatMap(({ name }) => [...eachWordOf(name)])
    return new Set([...inItems.map(({ form }) => form), ...inTags.map(({ folded }) => folded)])
  }
}

const idsOf = (found: readonly Found[]): string[] => found.map(({ id }) => id)

const meetsPhrases = (
  { title, body, address, tags }: RankedText,
  { phrases, withoutPhrases }: Query,
): boolean => {
  const texts = [title, body, address, ...tags].map(foldedWordsOf)
  const holds = (phrase: readonly string[]) => texts.some((words) => holdsPhrase(words, phrase))
  return phrases.every(holds) && !withoutPhrases.some(holds)
}

const rankedText = ({ title, tags, text, url }: Seen): RankedText => ({
  title,
  tags: tags.map(({ name }) => name),
  body: text,
  address: readableAddress(url ?? ''),
})

type Ranked = Seen & { relevance: number }

const byRelevance = (one: Ranked, other: Ranked): number =>
  other.relevance - one.relevance || other.created_at - one.created_at || (one.id < other.id ? 1 : -1)

function remembered<V>(known: WeakMap<Query, V>, query: Query, make: () => V): V {
  const before = known.get(query)
  if (before !== undefined) return before
  const made = make()
  known.set(query, made)
  return made
}
