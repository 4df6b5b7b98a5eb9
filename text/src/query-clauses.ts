/** A clause of a query as it was typed: a word, a text in quotes, or an operator with one of them. */
export interface TypedClause {
  /** The whole of it and where it begins; curly quotes and «…» are straight ones here. */
  readonly all: string
  readonly at: number
  readonly minus: string
  readonly operator: 'tag' | 'site' | undefined
  /** The text in quotes, or else the one up to the next space. */
  readonly quoted: string | undefined
  readonly bare: string
}

const QUOTES = /[“”„«»]/g
/** A minus, an operator, and a text in quotes or up to the next space. */
const CLAUSE = /([-−–]?)(?:(?:(tag|тег)|(site|сайт)):)?(?:"([^"]*)"|(\S+))/giu

/** The clauses of a query in their order. */
export const clausesIn = (query: string): TypedClause[] =>
  [...query.replace(QUOTES, '"').matchAll(CLAUSE)].map((match) => {
    const [all, minus = '', tag, site, quoted, bare = ''] = match
    const operator = tag ? 'tag' : site ? 'site' : undefined
    return { all, at: match.index, minus, operator, quoted, bare }
  })
