import { clausesIn, type TypedClause } from '@kopilka/text/query-clauses.ts'

const saysMore = ({ all, minus, operator }: TypedClause): boolean =>
  minus !== '' || operator !== undefined || all.startsWith('"')

/** Whether a query says more than words: nothing to call a note. */
export const isRefined = (query: string): boolean => clausesIn(query).some(saysMore)

/** The query with the words behind `tag:` in quotes, where there are several: without them only the first is the tag's. */
export const withQuotedTag = (query: string): string | undefined => {
  const clauses = clausesIn(query)
  for (const [at, tag] of clauses.entries()) {
    if (tag.operator !== 'tag' || tag.minus !== '' || tag.all.includes('"')) continue
    const next = clauses.findIndex((clause, of) => of > at && saysMore(clause))
    const last = clauses.at(next === -1 ? -1 : next - 1)
    if (!last || last === tag) continue
    const from = tag.at + tag.all.indexOf(':') + 1
    const to = last.at + last.all.length
    return `${query.slice(0, from)}"${query.slice(from, to)}"${query.slice(to)}`
  }
  return undefined
}
