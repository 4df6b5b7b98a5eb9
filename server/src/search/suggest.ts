import { inOtherLayout } from '@kopilka/text/keyboard-layout.ts'
import { type Token, tokensOf } from '@kopilka/text/tokenize.ts'
import { type Clause, type Query, queryOf, textOf } from './query.ts'

/** A query that finds something, and its matches. */
export interface Suggestion<Found> {
  readonly text: string
  readonly found: Found
}

interface Parts<Found> {
  /** Undefined if nothing is found. */
  readonly find: (query: Query) => Promise<Found | undefined>
  /** Spelling corrections of a word. */
  readonly correct: (word: string) => Promise<readonly string[]>
}

/** Most alternatives of a word and most queries in all that are tried: a query that finds nothing must cost little. */
const MAX_ALTERNATIVES = 5
const MAX_QUERIES = 30
/** Number of words of a query that are corrected, from the first. */
const MAX_CORRECTED = 10

/** Finds a suggestion for a query that finds nothing: the other keyboard layout, or one spelling correction a word. */
export async function suggest<Found>(
  { clauses }: Query,
  { find, correct }: Parts<Found>,
): Promise<Suggestion<Found> | undefined> {
  const known = new Map<string, boolean>()
  /** Whether a word alone is found: a query with a word that is not need not be tried. */
  const occurs = async (clause: Clause): Promise<boolean> => {
    if (clause.kind !== 'word' || clause.excluded) return true
    const isKnown = known.get(clause.text)
    if (isKnown !== undefined) return isKnown
    const query = queryOf([clause])
    const isFound = !query || (await find(query)) !== undefined
    known.set(clause.text, isFound)
    return isFound
  }
  const allOccur = async (candidate: readonly Clause[]): Promise<boolean> => {
    for (const clause of candidate) if (!(await occurs(clause))) return false
    return true
  }
  const firstFound = async (candidates: readonly Clause[][]): Promise<Suggestion<Found> | undefined> => {
    for (const candidate of candidates.slice(0, MAX_QUERIES)) {
      const query = queryOf(candidate)
      const found = query && (await allOccur(candidate)) ? await find(query) : undefined
      if (query && found !== undefined) return { text: textOf(query.clauses), found }
    }
    return undefined
  }
  // Excluding another word would find what the user wants to exclude.
  const isMeant = (candidate: readonly Clause[]) =>
    clauses.some(({ text, excluded }, at) => !excluded && candidate[at]?.text !== text)
  return (
    (await firstFound(inOtherLayouts(clauses).filter(isMeant))) ??
    firstFound(await withSpellingCorrected(clauses, correct, occurs))
  )
}

const isTyped = ({ kind }: Clause): boolean => kind === 'word' || kind === 'phrase'

/** All words in the other layout first, then some of them: the others may be right already. */
function inOtherLayouts(clauses: readonly Clause[]): Clause[][] {
  const ways = clauses.map((clause) => (isTyped(clause) ? inOtherLayout(clause.text) : []))
  const most = Math.max(0, ...ways.map((others) => others.length))
  const allAtOnce = Array.from({ length: most }, (_, way) =>
    clauses.map((clause, at) => ({ ...clause, text: ways[at]?.[way] ?? ways[at]?.[0] ?? clause.text })),
  )
  return [...allAtOnce, ...combinations(clauses, reworded(clauses, ways))]
}

/** Spelling corrections of the words. Empty if a word neither occurs nor can be corrected. */
async function withSpellingCorrected(
  clauses: readonly Clause[],
  correct: Parts<unknown>['correct'],
  occurs: (clause: Clause) => Promise<boolean>,
): Promise<Clause[][]> {
  const ways: string[][] = []
  let left = MAX_CORRECTED
  for (const clause of clauses) {
    const { kind, text, excluded } = clause
    const tokens = kind === 'word' && !excluded ? [...tokensOf(text)] : []
    const corrections: (readonly string[])[] = []
    for (const { form } of tokens.slice(0, left)) corrections.push(await correct(form))
    const alternatives = combinedText(text, tokens, corrections)
    if (alternatives.length === 0 && !(await occurs(clause))) return []
    ways.push(alternatives)
    left = Math.max(left - tokens.length, 0)
  }
  return combinations(clauses, reworded(clauses, ways))
}

/** A text with some of its words replaced; 'интернет-магозин' has two. */
function combinedText(
  text: string,
  tokens: readonly Token[],
  ways: readonly (readonly string[])[],
): string[] {
  const typed = tokens.map(({ start, end }) => text.slice(start, end))
  const between = tokens.map(({ end }, at) => text.slice(end, tokens[at + 1]?.start ?? end))
  return combinations(typed, ways).map((chosen) => chosen.map((word, at) => word + between[at]).join(''))
}

const reworded = (clauses: readonly Clause[], ways: readonly (readonly string[])[]): Clause[][] =>
  clauses.map((clause, at) => (ways[at] ?? []).map((text) => ({ ...clause, text })))

/** All combinations of the pieces and their alternatives, those with the fewest changes first. */
function combinations<Piece>(pieces: readonly Piece[], ways: readonly (readonly Piece[])[]): Piece[][] {
  let choices: { chosen: Piece[]; changes: number }[] = [{ chosen: [], changes: 0 }]
  for (const [at, piece] of pieces.entries()) {
    const others = (ways[at] ?? []).slice(0, MAX_ALTERNATIVES)
    choices = choices
      .flatMap(({ chosen, changes }) => [
        { chosen: [...chosen, piece], changes },
        ...others.map((other) => ({ chosen: [...chosen, other], changes: changes + 1 })),
      ])
      .sort((one, other) => one.changes - other.changes)
      .slice(0, MAX_QUERIES * 2)
  }
  return choices.filter(({ changes }) => changes > 0).map(({ chosen }) => chosen)
}
