/** The ETag of an item at a revision. */
export const etagOf = (revision: number): string => `"${revision}"`

/**
 * The revisions an If-Match header allows; undefined where it allows any.
 * A weak tag counts like a strong one, and one with the name of an encoding like one without: proxies that compress a response
 * change its tag so (nginx to `W/"5"`, Caddy to `"5-zstd"`), and what the browser sends back comes through unchanged.
 */
export function revisionsIn(ifMatch: string | undefined): number[] | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined
  // Nine digits fit the column; nobody saves an item a billion times.
  return [...ifMatch.matchAll(/"(\d{1,9})(?:-[a-z]+)?"/g)].map(([, digits]) => Number(digits))
}
