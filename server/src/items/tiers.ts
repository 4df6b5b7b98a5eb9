import { type Db, ITEM_KINDS, type ItemKind } from '../db/schema.ts'
import type { Condition, Counts, Found, SearchIndex } from '../search/index.ts'
import { eachKind, type Ids, idsByKind } from './by-kind.ts'
import { createPauses } from './pauses.ts'

/** Conditions from the best matches to all: an item belongs to the first that it meets, the newest of a tier come first. */
interface Tiers {
  db: Db
  index: SearchIndex
  owner_id: string
  tiers: readonly Condition[]
}

/** Of both kinds together so many times as are wanted: most often enough of each. */
const AMPLE = 2

/** The best of each kind, so many as are wanted. */
export async function bestInTiers({ db, index, owner_id, tiers }: Tiers, wanted: Counts): Promise<Ids> {
  const pause = createPauses()
  const best = createBest(wanted)
  for (const tier of tiers) {
    const missing = best.missing()
    const [kind, other] = missing
    if (kind === undefined) break
    await pause()
    // Those of the tiers before are found again.
    const limit = missing.reduce((sum, kind) => sum + wanted[kind], 0)
    const asked = other ? { limit: limit * AMPLE } : { kind, limit }
    const found = await index.find(db, owner_id, tier, asked)
    best.add(found)
    if (!other || found.length < asked.limit) continue
    // Of one kind there may be more behind so many of the other.
    for (const kind of best.missing())
      best.add(await index.find(db, owner_id, tier, { kind, limit: wanted[kind] }))
  }
  return best.ids()
}

/** Few items, all that meet any condition, from the best to the last; `all` are the newest first. */
export async function allInTiers({ db, index, owner_id, tiers }: Tiers, all: readonly Found[]): Promise<Ids> {
  const better = tiers.slice(0, -1)
  if (better.length === 0) return idsByKind(all)
  const firsts = await index.firstMet(db, owner_id, better)
  const tierOf = ({ id }: Found) => firsts.get(id) ?? better.length
  return idsByKind(all.toSorted((one, other) => tierOf(one) - tierOf(other)))
}

/** Gathers ids, each once, until there are so many of each kind. */
function createBest(wanted: Counts) {
  const ids = eachKind(() => new Set<string>())
  return {
    add(found: readonly Found[]): void {
      for (const { id, kind } of found) if (ids[kind].size < wanted[kind]) ids[kind].add(id)
    },
    missing: (): ItemKind[] => ITEM_KINDS.filter((kind) => ids[kind].size < wanted[kind]),
    ids: (): Ids => eachKind((kind) => [...ids[kind]]),
  }
}
