import { readableAddress } from '@kopilka/text/readable-address.ts'
import type { Db, ItemKind } from '../db/schema.ts'
import type { RankedText } from '../search/ranking.ts'
import { plainTextOfBeginning } from './beginnings.ts'
import type { SummaryRow } from './item.ts'
import { createPauses } from './pauses.ts'
import { beginnings } from './queries.ts'

/** A match as it was read to be put in order and shown; `text` is the beginning of its body as plain text. */
export interface Seen extends Omit<SummaryRow, 'marks'> {
  kind: ItemKind
  text: string
}

interface Read {
  owner_id: string
  ids: readonly string[]
  /** Characters of the bodies. */
  length: number
}

/** Items of an owner, in no order. */
export async function readSeen(db: Db, read: Read): Promise<Seen[]> {
  if (read.ids.length === 0) return []
  const pause = createPauses()
  const items: Seen[] = []
  for (const { beginning, ...row } of await beginnings(db, read)) {
    items.push({ ...row, text: plainTextOfBeginning(beginning) })
    await pause()
  }
  return items
}

/** What of an item says how well it answers a query. */
export const rankedText = ({ title, tags, text, url }: Seen): RankedText => ({
  title,
  tags: tags.map(({ name }) => name),
  body: text,
  address: readableAddress(url ?? ''),
})
