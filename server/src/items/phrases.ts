import { eachWordOf } from '@kopilka/text/tokenize.ts'
import type { Db } from '../db/schema.ts'
import type { Query } from '../search/query.ts'
import { holdsPhrase, type RankedText } from '../search/ranking.ts'
import { createPauses } from './pauses.ts'
import { rankedText, readSeen } from './seen.ts'

/** Longer than any body. */
const WHOLE_BODY = 2 ** 30
/** Items whose texts are read at once. */
const READ_AT_ONCE = 50
/** Words of a text between which nobody gets a turn. */
const WORDS_AT_ONCE = 1000

type Pause = () => Promise<void>

/** Which of these items hold a query's phrases and none of those that must not occur: their texts say, all of them. */
export async function holdingPhrases(
  db: Db,
  { owner_id, query }: { owner_id: string; query: Query },
  ids: readonly string[],
): Promise<Set<string>> {
  const pause = createPauses()
  const holding = new Set<string>()
  for (let from = 0; from < ids.length; from += READ_AT_ONCE) {
    const some = ids.slice(from, from + READ_AT_ONCE)
    for (const item of await readSeen(db, { owner_id, ids: some, length: WHOLE_BODY })) {
      if (await meetsPhrases(rankedText(item), query, pause)) holding.add(item.id)
      await pause()
    }
  }
  return holding
}

async function meetsPhrases(
  { title, body, address, tags }: RankedText,
  { phrases, withoutPhrases }: Query,
  pause: Pause,
): Promise<boolean> {
  const wanted = new Set(phrases)
  for (const text of [title, ...tags, address, body]) {
    const words = await foldedWordsOf(text, pause)
    if (withoutPhrases.some((phrase) => holdsPhrase(words, phrase))) return false
    for (const phrase of wanted) if (holdsPhrase(words, phrase)) wanted.delete(phrase)
    if (wanted.size === 0 && withoutPhrases.length === 0) return true
  }
  return wanted.size === 0
}

async function foldedWordsOf(text: string, pause: Pause): Promise<string[]> {
  const words: string[] = []
  for (const { folded } of eachWordOf(text)) {
    words.push(folded)
    if (words.length % WORDS_AT_ONCE === 0) await pause()
  }
  return words
}
