import { inOtherLayout } from '@kopilka/text/keyboard-layout.ts'
import { eachWordOf, type Word } from '@kopilka/text/tokenize.ts'
import { type Query, queryOf, type Term, textOf } from './query.ts'
import { mended, type Vocabulary } from './typos.ts'

interface Rescue extends Vocabulary {
  /** Whether anything is found. */
  readonly finds: (query: Query) => Promise<boolean>
}

/** What was searched for instead of what was typed. */
export interface Rescued {
  readonly query: Query
  readonly text: string
}

/** So many words in place of one are tried, and so many queries in all: a query that finds nothing must cost little. */
const MOST_WORDS = 5
const MOST_QUERIES = 30
/** So many words of a query are looked at for mistakes, the first: each has hundreds of neighbours. */
const MOST_MENDED = 10

/** The query that a mistake made of it: first typed in the other layout, then with one mistake a word. */
export async function rescue({ terms }: Query, parts: Rescue): Promise<Rescued | undefined> {
  // To exclude something else finds just what was to be excluded.
  const isMeant = (candidate: readonly Term[]) =>
    terms.some(({ text, without }, at) => !without && candidate[at]?.text !== text)
  return (
    (await firstFound(inLayouts(terms).filter(isMeant), parts)) ??
    firstFound(await withMistakes(terms, parts), parts)
  )
}

async function firstFound(candidates: readonly Term[][], { finds }: Rescue): Promise<Rescued | undefined> {
  for (const terms of candidates.slice(0, MOST_QUERIES)) {
    const query = queryOf(terms)
    if (query && (await finds(query))) return { query, text: textOf(query.terms) }
  }
  return undefined
}

const isText = ({ kind }: Term): boolean => kind === 'word' || kind === 'phrase'

/** All words retyped the same way; words that are in one layout already stay as they are in one of the ways. */
function inLayouts(terms: readonly Term[]): Term[][] {
  const ways = terms.map((term) => (isText(term) ? inOtherLayout(term.text) : []))
  const most = Math.max(0, ...ways.map((others) => others.length))
  const allAtOnce = Array.from({ length: most }, (_, way) =>
    terms.map((term, at) => ({ ...term, text: ways[at]?.[way] ?? ways[at]?.[0] ?? term.text })),
  )
  return [...allAtOnce, ...combined(terms, reworded(terms, ways))]
}

async function withMistakes(terms: readonly Term[], parts: Rescue): Promise<Term[][]> {
  const ways: string[][] = []
  let left = MOST_MENDED
  for (const { kind, text, without } of terms) {
    const words = kind === 'word' && !without ? [...eachWordOf(text)] : []
    ways.push(await withWordsMended(text, words, { most: left, parts }))
    left = Math.max(left - words.length, 0)
  }
  return combined(terms, reworded(terms, ways))
}

/** A piece of a query with its words mended, the first so many; 'интернет-магозин' has two. */
async function withWordsMended(
  text: string,
  words: readonly Word[],
  { most, parts }: { most: number; parts: Rescue },
): Promise<string[]> {
  const ways: string[][] = []
  for (const { folded } of words.slice(0, most)) ways.push(await mended(folded, parts))
  const typed = words.map(({ start, end }) => text.slice(start, end))
  const between = words.map(({ end }, at) => text.slice(end, words[at + 1]?.start ?? end))
  return combined(typed, ways).map((chosen) => chosen.map((word, at) => word + between[at]).join(''))
}

const reworded = (terms: readonly Term[], ways: readonly (readonly string[])[]): Term[][] =>
  terms.map((term, at) => (ways[at] ?? []).map((text) => ({ ...term, text })))

/** Each choice of the pieces as they are or in one of their other ways, the fewest changes first. */
function combined<Piece>(pieces: readonly Piece[], ways: readonly (readonly Piece[])[]): Piece[][] {
  let choices: { chosen: Piece[]; changes: number }[] = [{ chosen: [], changes: 0 }]
  for (const [at, piece] of pieces.entries()) {
    const others = (ways[at] ?? []).slice(0, MOST_WORDS)
    choices = choices
      .flatMap(({ chosen, changes }) => [
        { chosen: [...chosen, piece], changes },
        ...others.map((other) => ({ chosen: [...chosen, other], changes: changes + 1 })),
      ])
      .sort((one, other) => one.changes - other.changes)
      .slice(0, MOST_QUERIES * 2)
  }
  return choices.filter(({ changes }) => changes > 0).map(({ chosen }) => chosen)
}
