/** A query as linkding writes it, in our words. */
export interface TranslatedQuery {
  /** For the search of items; perhaps empty. */
  text: string
  unread: boolean
  untagged: boolean
}

const PART = /(?<quoted>"[^"]*")|(?<bare>[^\s"()]+)/g

/**
 * Translates `#tag`, `not`, `and`, phrases, `!unread` and `!untagged`. We have no `or` and no brackets: all words must occur.
 * A tag with a blank is seen as `a-b` by linkding's clients: `spellingOf` gives its name.
 */
export function translateQuery(query: string, spellingOf: (name: string) => string): TranslatedQuery {
  const parts: string[] = []
  let [unread, untagged, isExcluded] = [false, false, false]
  for (const { groups = {} } of query.matchAll(PART)) {
    const { quoted, bare = '' } = groups
    const word = bare.toLowerCase()
    if (quoted === undefined && (word === 'and' || word === 'or')) continue
    if (quoted === undefined && word === 'not') {
      isExcluded = true
      continue
    }
    if (word === '!unread') unread = true
    else if (word === '!untagged') untagged = true
    else if (quoted === undefined && /^#./.test(bare))
      parts.push(`${isExcluded ? '-' : ''}tag:"${spellingOf(bare.slice(1)).replaceAll('"', '')}"`)
    else parts.push(`${isExcluded ? '-' : ''}${quoted ?? bare}`)
    isExcluded = false
  }
  return { text: parts.join(' '), unread, untagged }
}
