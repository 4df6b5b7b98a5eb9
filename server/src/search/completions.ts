import type { Db } from '../db/schema.ts'
import type { Form, SearchIndex } from './index.ts'
import { type Query, wordsOf } from './query.ts'

/** What English stems may end with in place of a word's own letters: 'happi' of 'happy', 'hope' of 'hoping'. */
const ENDINGS = ['', 'i', 'e']
const SHORTEST_STEM = 2

/**
 * The owner's words that begin as the last word of the query does although their stems do not: 'runnin' is the
 * beginning of 'running', whose stem is 'run'. All others the index finds by the beginnings of stems.
 */
export async function completionsOf(
  db: Db,
  index: SearchIndex,
  owner_id: string,
  { runs }: Query,
): Promise<Form[]> {
  const words = runs.flatMap(wordsOf)
  const beginnings = words.filter(({ beginning }) => beginning).map(({ folded }) => folded)
  const stems = beginnings.flatMap(possibleStems)
  if (stems.length === 0) return []
  const forms = await index.forms(db, owner_id, stems)
  return forms.filter(({ form }) => beginnings.some((beginning) => form.startsWith(beginning)))
}

function possibleStems(beginning: string): string[] {
  const lengths = Array.from(
    { length: Math.max(beginning.length - SHORTEST_STEM + 1, 0) },
    (_, at) => SHORTEST_STEM + at,
  )
  return lengths
    .flatMap((length) => ENDINGS.map((ending) => beginning.slice(0, length) + ending))
    .filter((stem) => !stem.startsWith(beginning))
}
