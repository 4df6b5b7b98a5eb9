import { type Db, ITEM_KINDS, type ItemKind } from '../db/schema.ts'
import { completionsOf } from '../search/completions.ts'
import { conditionOf, soughtOf, tiersOf } from '../search/conditions.ts'
import { TRAITS } from '../search/entries.ts'
import type { Condition, Counts, Found, SearchIndex } from '../search/index.ts'
import type { Query } from '../search/query.ts'
import { relevanceOf } from '../search/relevance.ts'
import type { TagStore } from '../tags/store.ts'
import { SEEN_OF_BODY } from './beginnings.ts'
import { createPauses } from './pauses.ts'
import { holdingPhrases } from './phrases.ts'
import { rankedText, readSeen, type Seen } from './seen.ts'

/** What is searched for, and which piece of the matches is wanted. */
export interface Searched {
  owner_id: string
  query: Query
  /** Only items with this tag. */
  tag_id?: string | undefined
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

/** Ids of each kind, in the order in which they are to be shown. */
type Ids = Readonly<Record<ItemKind, readonly string[]>>

/** So many of the best matches, two pages, are put in order by their texts; those behind by what the index knows. */
const LOOKED_AT = 30
/** Where there are no more matches, the index names all of them at once. */
const FEW = 200

interface Parts {
  db: Db
  index: SearchIndex
  tags: TagStore
}

export function createMatches({ db, index, tags }: Parts): (searched: Searched) => Matches {
  return (searched) => {
    const { owner_id, query, tag_id, kinds, limit, offset } = searched
    const hasPhrases = query.phrases.length + query.withoutPhrases.length > 0
    const within = (condition: Condition): Condition =>
      tag_id === undefined ? condition : { all: [condition, { trait: TRAITS.tag(tag_id) }] }

    const ofKinds = (wanted: Counts): Counts => eachKind((kind) => (kinds.includes(kind) ? wanted[kind] : 0))

    const sought = once(async () => {
      const [ownTags, completions] = await Promise.all([
        tags.names(owner_id),
        completionsOf(db, index, owner_id, query),
      ])
      return soughtOf(query, ownTags, completions)
    })

    /** What the index finds: of a query with phrases, whatever holds their words. */
    const surveyed = once(async () => index.survey(db, owner_id, within(conditionOf(await sought())), FEW))

    /** From the best to the last, so many of each kind. */
    async function inTiers(wanted: Counts): Promise<Ids> {
      const best = createBest(wanted)
      for (const tier of tiersOf(await sought()).map(within)) {
        const missing = best.missing()
        const [kind, other] = missing
        if (kind === undefined) break
        // Those that are known already are found again.
        const limit = missing.reduce((sum, kind) => sum + wanted[kind], 0)
        const found = await index.find(db, owner_id, tier, { kind: other ? undefined : kind, limit })
        best.add(found)
        if (!other || found.length < limit) continue
        // Of one kind there may be more behind so many of the other.
        for (const kind of best.missing())
          best.add(await index.find(db, owner_id, tier, { kind, limit: wanted[kind] }))
      }
      return best.ids()
    }

    /** The same of few, all of which are known. */
    async function inTheirTiers(all: readonly Found[]): Promise<Ids> {
      const tiers = tiersOf(await sought())
      if (tiers.length === 1) return byKind(all)
      const firsts = await index.firstMet(db, owner_id, tiers.slice(0, -1).map(within))
      const tierOf = ({ id }: Found) => firsts.get(id) ?? tiers.length
      return byKind(all.toSorted((one, other) => tierOf(one) - tierOf(other)))
    }

    /** Those that hold the query's phrases. */
    const matching = once(async (): Promise<Ids> => {
      const { counts, all } = await surveyed()
      const ids = all ? await inTheirTiers(all) : await inTiers(ofKinds(counts))
      const holding = await holdingPhrases(
        db,
        searched,
        kinds.flatMap((kind) => ids[kind]),
      )
      return eachKind((kind) => ids[kind].filter((id) => holding.has(id)))
    })

    const counts = once(async () => {
      if (!hasPhrases) return (await surveyed()).counts
      const ids = await matching()
      return eachKind((kind) => ids[kind].length)
    })

    /** Of one word among many the index knows enough: where it stands, and whether often. */
    const isToldByTexts = (total: number): boolean =>
      query.runs.length > 1 || hasPhrases || total <= LOOKED_AT

    const candidates = once(async (): Promise<Ids> => {
      if (hasPhrases) return matching()
      const { counts, all } = await surveyed()
      if (all && kinds.every((kind) => counts[kind] <= LOOKED_AT)) return byKind(all)
      if (all) return inTheirTiers(all)
      const wanted = (kind: ItemKind) => Math.max(offset + limit, isToldByTexts(counts[kind]) ? LOOKED_AT : 0)
      return inTiers(ofKinds(eachKind((kind) => Math.min(wanted(kind), counts[kind]))))
    })

    const seen = new Map<string, Seen>()
    async function see(ids: readonly string[]): Promise<void> {
      const missing = ids.filter((id) => !seen.has(id))
      const read = await readSeen(db, { owner_id, ids: missing, length: SEEN_OF_BODY })
      for (const item of read) seen.set(item.id, item)
    }
    const seenOf = (ids: readonly string[]): Seen[] => ids.flatMap((id) => seen.get(id) ?? [])

    /** The best by their texts, as far as these are looked at. */
    const pieces = once(async (): Promise<Ids> => {
      const ids = await candidates()
      const total = await counts()
      const isLookedAt = (kind: ItemKind) =>
        kinds.includes(kind) && offset < LOOKED_AT && isToldByTexts(total[kind])
      const looked = eachKind((kind) => (isLookedAt(kind) ? ids[kind].slice(0, LOOKED_AT) : []))
      await see([...looked.note, ...looked.link])
      const pause = createPauses()
      const relevance = new Map<string, number>()
      for (const item of seenOf([...looked.note, ...looked.link])) {
        relevance.set(item.id, relevanceOf(query, rankedText(item)))
        await pause()
      }
      const byRelevance = (one: Seen, other: Seen): number =>
        (relevance.get(other.id) ?? 0) - (relevance.get(one.id) ?? 0) ||
        other.created_at - one.created_at ||
        (one.id < other.id ? 1 : -1)
      return eachKind((kind) => {
        const best = seenOf(looked[kind]).sort(byRelevance)
        return [...best.map(({ id }) => id), ...ids[kind].slice(looked[kind].length)].slice(
          offset,
          offset + limit,
        )
      })
    })

    return {
      counts,
      ids: async (kind) => [...(await pieces())[kind]],
      async items(kind) {
        const piece = await pieces()
        // Those of the other kind are asked for next.
        await see(kinds.flatMap((kind) => piece[kind]))
        return seenOf(piece[kind])
      },
    }
  }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

const eachKind = <T>(make: (kind: ItemKind) => T): Record<ItemKind, T> => ({
  note: make('note'),
  link: make('link'),
})

const byKind = (found: readonly Found[]): Ids =>
  eachKind((of) => found.filter(({ kind }) => kind === of).map(({ id }) => id))

/** Gathers ids from the best on, each once, until there are so many of each kind. */
function createBest(wanted: Counts) {
  const ids = { note: new Set<string>(), link: new Set<string>() } as const
  return {
    ids: (): Ids => eachKind((kind) => [...ids[kind]]),
    add(found: readonly Found[]): void {
      for (const { id, kind } of found) if (ids[kind].size < wanted[kind]) ids[kind].add(id)
    },
    missing: (): ItemKind[] => ITEM_KINDS.filter((kind) => ids[kind].size < wanted[kind]),
  }
}
