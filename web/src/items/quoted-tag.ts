/** The query with the words behind `tag:` in quotes, where there are several: without them only the first is the tag's. */
export const withQuotedTag = (query: string): string | undefined => {
  const quoted = query.replace(/(^|\s)tag:([^\s"]+(?:\s+(?!(?:tag|site):|[-"])\S+)+)/, '$1tag:"$2"')
  return quoted === query ? undefined : quoted
}
