import { eachWordOf } from '@kopilka/text/tokenize.ts'
import type { Db, ItemKind } from '../db/schema.ts'
import { excerptAround } from '../search/excerpt.ts'
import { eachMark } from '../search/highlight.ts'
import type { SearchIndex } from '../search/index.ts'
import type { Query } from '../search/query.ts'
import { rescue } from '../search/suggest.ts'
import type { TagStore } from '../tags/store.ts'
import { countOf } from './counts.ts'
import type { ItemRow, SummaryRow } from './item.ts'
import { createMatches, type Matches, type Searched } from './matches.ts'
import { once } from './once.ts'
import { createPauses } from './pauses.ts'
import { newestSummaries, newestWholes, wholesOf } from './queries.ts'

/** What list a caller wants: newest first or, with a query, best first. */
export interface Wanted {
  owner_id: string
  /** The kinds that will be asked for. */
  kinds: readonly ItemKind[]
  /** Only items that match. */
  query?: Query | undefined
  /** Only items with this tag. */
  tag_id?: string | undefined
  limit: number
  offset?: number
}

/** A piece of a list, and how long the whole list is. */
export interface ItemList {
  /** What was searched for instead: typed in the other keyboard layout, or with typing mistakes. */
  readonly corrected?: { readonly query: string }
  count(kind: ItemKind): Promise<number>
  wholes(kind: ItemKind): Promise<ItemRow[]>
  /** The same without bodies. In a search the excerpt is the piece around the match. */
  summaries(kind: ItemKind): Promise<SummaryRow[]>
}

interface Parts {
  db: Db
  index: SearchIndex
  tags: TagStore
}

export type ItemLists = ReturnType<typeof createItemLists>

/** Lists of an owner's notes and links. */
export function createItemLists({ db, index, tags }: Parts) {
  const matchesOf = createMatches({ db, index })

  const newest = ({ owner_id, tag_id, limit, offset = 0 }: Wanted): ItemList => ({
    count: (kind) =>
      tag_id === undefined ? countOf(db, { owner_id, kind }) : tags.countOf(owner_id, tag_id, kind),
    wholes: (kind) => newestWholes(db, { owner_id, kind, tag_id, limit, offset }),
    summaries: (kind) => newestSummaries(db, { owner_id, kind, tag_id, limit, offset }),
  })

  const found = ({ owner_id, query }: Searched, matches: Matches): ItemList => ({
    count: async (kind) => (await matches.counts())[kind],
    async wholes(kind) {
      const ids = await matches.ids(kind)
      const byId = new Map((await wholesOf(db, { owner_id, ids })).map((row) => [row.id, row]))
      return ids.flatMap((id) => byId.get(id) ?? [])
    },
    async summaries(kind) {
      return (await matches.items(kind)).map(({ text, ...row }) => {
        const excerpt = excerptAround(text, query)
        const marksIn = (line: string) => [...eachMark(line, query)]
        return { ...row, excerpt, highlights: { title: marksIn(row.title), excerpt: marksIn(excerpt) } }
      })
    },
  })

  const isFound = async ({ counts }: Matches, kinds: readonly ItemKind[]): Promise<boolean> => {
    const totals = await counts()
    return kinds.some((kind) => totals[kind] > 0)
  }

  /** What was meant where the query itself finds nothing. */
  async function rescued(searched: Searched): Promise<ItemList | undefined> {
    const { owner_id, ownTags, kinds } = searched
    const pause = createPauses()
    const inTags = once(async () => (await ownTags()).flatMap(({ name }) => [...eachWordOf(name)]))
    const meant = await rescue(searched.query, {
      finds: async (query) => {
        await pause()
        return isFound(matchesOf({ ...searched, query }), kinds)
      },
      formsOf: async (stems) => {
        await pause()
        const inItems = await index.forms(db, owner_id, stems)
        return new Set([...inItems.map(({ form }) => form), ...(await inTags()).map(({ folded }) => folded)])
      },
    })
    if (!meant) return undefined
    const asked = { ...searched, query: meant.query }
    return { ...found(asked, matchesOf(asked)), corrected: { query: meant.text } }
  }

  return {
    /** `exact`: a query that finds nothing is not mended. */
    async open(wanted: Wanted, { exact = false } = {}): Promise<ItemList> {
      const { query, offset = 0 } = wanted
      if (query === undefined) return newest(wanted)
      // A query that finds nothing is tried in dozens of ways: the tags are asked for once.
      const ownTags = once(() => tags.names(wanted.owner_id))
      const searched = { ...wanted, query, offset, ownTags }
      const matches = matchesOf(searched)
      const literal = found(searched, matches)
      if (exact || (await isFound(matches, wanted.kinds))) return literal
      return (await rescued(searched)) ?? literal
    },
  }
}
