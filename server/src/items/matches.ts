import type { TagRef } from '@kopilka/contract/items.ts'
import type { Db, ItemKind } from '../db/schema.ts'
import { completionsOf } from '../search/completions.ts'
import { conditionOf, soughtOf, tiersOf } from '../search/conditions.ts'
import type { Condition, Counts, SearchIndex } from '../search/index.ts'
import type { Query } from '../search/query.ts'
import { relevanceOf } from '../search/ranking.ts'
import { TRAITS } from '../search/terms.ts'
import { SEEN_OF_BODY } from './beginnings.ts'
import { eachKind, type Ids, idsByKind } from './by-kind.ts'
import { once } from './once.ts'
import { createPauses } from './pauses.ts'
import { holdingPhrases } from './phrases.ts'
import { rankedText, readSeen, type Seen } from './seen.ts'
import { allInTiers, bestInTiers } from './tiers.ts'

/** What is searched for, and which piece of the matches is wanted. */
export interface Searched {
  owner_id: string
  query: Query
  /** Only items with this tag. */
  tag_id?: string | undefined
  /** All tags of the owner. */
  ownTags: () => Promise<readonly TagRef[]>
  /** The kinds that will be asked for. */
  kinds: readonly ItemKind[]
  limit: number
  offset: number
}

/** The matches of a query. Each thing is found out once, when it is asked for. */
export interface Matches {
  /** How many there are of each kind. */
  counts(): Promise<Counts>
  /** The ids of the piece, best first. */
  ids(kind: ItemKind): Promise<string[]>
  /** The items of the piece, best first. */
  items(kind: ItemKind): Promise<Seen[]>
}

/** So many of the best matches, two pages, are put in order by their texts; those behind by what the index knows. */
const LOOKED_AT = 30
/** Where there are no more matches, the index names all of them at once. */
const FEW = 200

interface Parts {
  db: Db
  index: SearchIndex
}

export function createMatches({ db, index }: Parts): (searched: Searched) => Matches {
  return (searched) => {
    const { owner_id, query, tag_id, ownTags, kinds, limit, offset } = searched
    const hasPhrases = query.phrases.length + query.withoutPhrases.length > 0

    const within = (condition: Condition): Condition =>
      tag_id === undefined ? condition : { all: [condition, { trait: TRAITS.tag(tag_id) }] }
    const ofKinds = (wanted: (kind: ItemKind) => number): Counts =>
      eachKind((kind) => (kinds.includes(kind) ? wanted(kind) : 0))

    const asked = once(async () => {
      const [named, completions] = await Promise.all([ownTags(), completionsOf(db, index, owner_id, query)])
      const sought = soughtOf(query, named, completions)
      return { condition: within(conditionOf(sought)), tiers: tiersOf(sought).map(within) }
    })

    /** What the index finds: of a query with phrases, whatever holds their words. */
    const surveyed = once(async () => index.survey(db, owner_id, (await asked()).condition, FEW))

    /** From the best to the last, as many of each kind as are wanted or, where there are few, all. */
    async function inTiers(wanted: (kind: ItemKind, total: number) => number): Promise<Ids> {
      const { counts, all } = await surveyed()
      const tiers = { db, index, owner_id, tiers: (await asked()).tiers }
      return all
        ? allInTiers(tiers, all)
        : bestInTiers(
            tiers,
            ofKinds((kind) => Math.min(wanted(kind, counts[kind]), counts[kind])),
          )
    }

    /** All that hold the query's phrases. */
    const holding = once(async (): Promise<Ids> => {
      const ids = await inTiers((_, total) => total)
      const candidates = kinds.flatMap((kind) => ids[kind])
      const held = await holdingPhrases(db, searched, candidates)
      return eachKind((kind) => ids[kind].filter((id) => held.has(id)))
    })

    const counts = once(async () => {
      if (!hasPhrases) return (await surveyed()).counts
      const ids = await holding()
      return eachKind((kind) => ids[kind].length)
    })

    /** Of one word among many the index knows enough: where it stands, and whether often. */
    const isToldByTexts = (total: number): boolean =>
      query.runs.length > 1 || hasPhrases || total <= LOOKED_AT

    const candidates = once(async (): Promise<Ids> => {
      if (hasPhrases) return holding()
      const { counts, all } = await surveyed()
      const areAllLookedAt = kinds.every((kind) => counts[kind] <= LOOKED_AT)
      if (all && areAllLookedAt) return idsByKind(all)
      return inTiers((_, total) => Math.max(offset + limit, isToldByTexts(total) ? LOOKED_AT : 0))
    })

    const seen = new Map<string, Seen>()
    /** These items in their order; each is read once. */
    async function see(ids: readonly string[]): Promise<Seen[]> {
      const unseen = ids.filter((id) => !seen.has(id))
      const read = await readSeen(db, { owner_id, ids: unseen, length: SEEN_OF_BODY })
      for (const item of read) seen.set(item.id, item)
      return ids.flatMap((id) => seen.get(id) ?? [])
    }

    const pieces = once(async (): Promise<Ids> => {
      const [ids, total] = [await candidates(), await counts()]
      const looked = ofKinds((kind) => (offset < LOOKED_AT && isToldByTexts(total[kind]) ? LOOKED_AT : 0))
      const best = (kind: ItemKind) => ids[kind].slice(0, looked[kind])
      // Both kinds at once.
      const ranked = await byRelevance(query, await see([...best('note'), ...best('link')]))
      const inOrder = idsByKind(ranked)
      return eachKind((kind) =>
        [...inOrder[kind], ...ids[kind].slice(looked[kind])].slice(offset, offset + limit),
      )
    })

    return {
      counts,
      ids: async (kind) => [...(await pieces())[kind]],
      async items(kind) {
        const piece = await pieces()
        // Those of the other kind are asked for next.
        await see(kinds.flatMap((kind) => piece[kind]))
        return see(piece[kind])
      },
    }
  }
}

/** By their texts, the best first. */
async function byRelevance(query: Query, items: readonly Seen[]): Promise<Seen[]> {
  const pause = createPauses()
  const relevance = new Map<string, number>()
  for (const item of items) {
    relevance.set(item.id, relevanceOf(query, rankedText(item)))
    await pause()
  }
  const of = ({ id }: Seen) => relevance.get(id) ?? 0
  return items.toSorted(
    (one, other) => of(other) - of(one) || other.created_at - one.created_at || (one.id < other.id ? 1 : -1),
  )
}
