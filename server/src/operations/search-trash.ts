import { htmlToText } from '@kopilka/text/html-to-text.ts'
import { readableAddress } from '@kopilka/text/readable-address.ts'
import { sortKey } from '@kopilka/text/sort-key.ts'
import type { Db } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { documentFrom, type ItemBefore } from '../items/item-changes.ts'
import { matchingDocuments } from '../search/conditions.ts'
import { phrasesIn } from '../search/match.ts'
import { parseQuery, type Query, signsIn } from '../search/query.ts'

/** Items that a search looks through at most, the last deleted first: some 0.5 s. */
const MAX_SEARCHED = 20_000
/** Items that are read at once. */
const BATCH = 200

const batch = statement((db, value: Value<{ owner_id: string; limit: number; offset: number }>) =>
  db
    .selectFrom('trash')
    .innerJoin('changes', (join) =>
      join.onRef('changes.owner_id', '=', 'trash.owner_id').onRef('changes.seq', '=', 'trash.seq'),
    )
    .select(['changes.entity_id', 'changes.before', 'changes.document'])
    .where('trash.owner_id', '=', value('owner_id'))
    .orderBy('trash.deleted_at', 'desc')
    .orderBy('trash.seq', 'desc')
    .limit(value('limit'))
    .offset(value('offset')),
)

const bodyOf = statement((db, value: Value<{ owner_id: string; id: string }>) =>
  db
    .selectFrom('trash')
    .innerJoin('changes', (join) =>
      join.onRef('changes.owner_id', '=', 'trash.owner_id').onRef('changes.seq', '=', 'trash.seq'),
    )
    .select('changes.body')
    .where('trash.owner_id', '=', value('owner_id'))
    .where('trash.item_id', '=', value('id')),
)

export interface TrashSearchRequest {
  readonly owner_id: string
  readonly text: string
}

/**
 * Ids of the deleted items that a query finds, the last deleted first; undefined where there is nothing to search for. Runs
 * in a worker thread.
 */
export async function searchTrash(
  db: Db,
  { owner_id, text }: TrashSearchRequest,
): Promise<string[] | undefined> {
  const query = parseQuery(text)
  const signs = signsIn(text) ?? ''
  if (!query && signs === '') return undefined
  const hasPhrases = query && query.phrases.length + query.excludedPhrases.length > 0
  const ids: string[] = []
  for (let offset = 0; offset < MAX_SEARCHED; offset += BATCH) {
    const rows = await batch(db, { owner_id, limit: BATCH, offset })
    const items = rows.map(async ({ entity_id, before, document }) => {
      const item: ItemBefore = JSON.parse(before ?? '{}')
      const { terms } = await documentFrom(document, { ...item, body: '' })
      return { ...item, id: entity_id, terms }
    })
    const all = await Promise.all(items)
    const found = query
      ? matchingDocuments(query, all)
      : all.filter(({ title }) => sortKey(title).includes(signs))
    for (const item of found)
      if (!hasPhrases || (await holdsPhrases(db, owner_id, item, query))) ids.push(item.id)
    if (rows.length < BATCH) break
  }
  return ids
}

async function holdsPhrases(db: Db, owner_id: string, item: ItemBefore, query: Query): Promise<boolean> {
  const [row] = await bodyOf(db, { owner_id, id: item.id })
  const texts = {
    title: item.title,
    body: htmlToText(row?.body ?? ''),
    address: readableAddress(item.url ?? ''),
    tags: item.tags.map(({ name }) => name),
  }
  return phrasesIn(texts, query) !== undefined
}
