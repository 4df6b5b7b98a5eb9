import { InvalidFields } from './sent.ts'

/** A query of linkding in our words. */
export interface TranslatedQuery {
  /** Queries of our search: a bookmark must match one of them. An empty one matches all. */
  texts: readonly string[]
  /** Undefined: read and unread ones. */
  unread: boolean | undefined
  untagged: boolean
}

/** Parts of a query joined by "and", and these joined by "or". */
type Alternatives = readonly (readonly string[])[]

/** Searches that one query may need. Brackets multiply: `(a or b) (c or d)` has four. */
const MAX_ALTERNATIVES = 8

const TOKEN = /(?<bracket>[()])|"(?<phrase>[^"]*)"?|'(?<quoted>[^']+)'(?=[\s()]|$)|(?<bare>[^\s"()]+)/g

interface Token {
  kind: 'and' | 'or' | 'not' | '(' | ')' | 'phrase' | 'word'
  text: string
}

function tokenOf({ bracket, phrase, quoted, bare = '' }: Record<string, string | undefined>): Token {
  if (bracket === '(' || bracket === ')') return { kind: bracket, text: bracket }
  if (bracket === undefined && (phrase ?? quoted) !== undefined)
    return { kind: 'phrase', text: phrase ?? quoted ?? '' }
  const operator = (['and', 'or', 'not'] as const).find((known) => known === bare.toLowerCase())
  return { kind: operator ?? 'word', text: bare }
}

function bounded(alternatives: Alternatives): Alternatives {
  if (alternatives.length > MAX_ALTERNATIVES)
    throw new InvalidFields({ q: [`Ensure the query has no more than ${MAX_ALTERNATIVES} alternatives.`] })
  return alternatives
}

/** Joins what there is: a side that holds nothing to search for is left out. */
const joined =
  (join: (one: Alternatives, other: Alternatives) => Alternatives) =>
  (one: Alternatives | undefined, other: Alternatives | undefined): Alternatives | undefined =>
    one && other ? bounded(join(one, other)) : (one ?? other)

const either = joined((one, other) => [...one, ...other])
const both = joined((one, other) => one.flatMap((parts) => other.map((more) => [...parts, ...more])))

/**
 * Translates words, phrases, `#tag`, `and`, `or`, `not` and brackets; lenient about what is not closed. `!unread` and
 * `!untagged` narrow the whole list, wherever they stand. A tag with a blank is seen as `a-b` by linkding's clients:
 * `spellingOf` gives its name. Throws {@link InvalidFields} for too many alternatives.
 */
export function translateQuery(query: string, spellingOf: (name: string) => string): TranslatedQuery {
  const tokens = [...query.matchAll(TOKEN)].map(({ groups = {} }) => tokenOf(groups))
  let at = 0
  let unread: boolean | undefined
  let untagged = false

  const next = () => tokens[at]?.kind
  const takes = (kind: Token['kind']): boolean => {
    if (next() !== kind) return false
    at += 1
    return true
  }

  /** `excluded`: what is read must not match, so that "and" and "or" change places. */
  function anyOf(excluded: boolean): Alternatives | undefined {
    let found = allOf(excluded)
    while (takes('or')) found = (excluded ? both : either)(found, allOf(excluded))
    return found
  }

  function allOf(excluded: boolean): Alternatives | undefined {
    let found: Alternatives | undefined
    while (next() !== undefined && next() !== 'or' && next() !== ')') {
      if (!takes('and')) found = (excluded ? either : both)(found, oneOf(excluded))
    }
    return found
  }

  function oneOf(excluded: boolean): Alternatives | undefined {
    if (takes('not')) return oneOf(!excluded)
    if (takes('(')) {
      const found = anyOf(excluded)
      takes(')')
      return found
    }
    const token = tokens[at]
    if (token?.kind !== 'word' && token?.kind !== 'phrase') return undefined
    at += 1
    const text = textOf(token, excluded)
    return text === undefined ? undefined : [[`${excluded ? '-' : ''}${text}`]]
  }

  /** Undefined for what is no text to search for. */
  function textOf({ kind, text }: Token, excluded: boolean): string | undefined {
    if (kind === 'phrase') return `"${text.replaceAll('"', ' ')}"`
    const keyword = text.toLowerCase()
    if (keyword === '!unread') unread = !excluded
    else if (keyword === '!untagged') untagged ||= !excluded
    else return /^#./.test(text) ? `tag:"${spellingOf(text.slice(1)).replaceAll('"', '')}"` : text
    return undefined
  }

  let found = anyOf(false)
  // A bracket that closes nothing is left out.
  while (takes(')')) found = both(found, anyOf(false))
  return { texts: (found ?? [[]]).map((parts) => parts.join(' ')), unread, untagged }
}
