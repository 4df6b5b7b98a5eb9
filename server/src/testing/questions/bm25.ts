import { stemOf } from '@kopilka/text/stems.ts'
import { isStopWord } from '@kopilka/text/stop-words.ts'
import { wordsOf } from '@kopilka/text/tokenize.ts'

/** Parameters of BM25 as it is used most often: saturation of frequencies, and how far the length of a text counts. */
const [K1, B] = [1.2, 0.75]

/** Ranks texts by plain BM25 over Snowball stems, all in memory: the baseline of what a search can be expected to reach. */
export function createBaseline(texts: readonly { id: string; text: string }[]) {
  const stemsIn = (text: string) =>
    wordsOf(text)
      .filter((word) => !isStopWord(word))
      .map(stemOf)
  const having = new Map<string, number>()
  const documents = texts.map(({ id, text }) => {
    const stems = stemsIn(text)
    const counts = new Map<string, number>()
    for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1)
    for (const stem of counts.keys()) having.set(stem, (having.get(stem) ?? 0) + 1)
    return { id, length: stems.length, counts }
  })
  const average = documents.reduce((sum, { length }) => sum + length, 0) / documents.length
  const weightOf = (stem: string) => {
    const count = having.get(stem) ?? 0
    return Math.log(1 + (documents.length - count + 0.5) / (count + 0.5))
  }
  /** Ids of all texts, best first. */
  return (question: string): string[] => {
    const weights = [...new Set(stemsIn(question))].map((stem) => [stem, weightOf(stem)] as const)
    return documents
      .map(({ id, length, counts }) => {
        const normalized = K1 * (1 - B + (B * length) / average)
        const scores = weights.map(([stem, weight]) => {
          const count = counts.get(stem) ?? 0
          return (weight * count * (K1 + 1)) / (count + normalized)
        })
        return { id, score: scores.reduce((sum, score) => sum + score, 0) }
      })
      .sort((one, other) => other.score - one.score)
      .map(({ id }) => id)
  }
}
