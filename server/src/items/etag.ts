/** The ETag of an item at a revision. */
export const etagOf = (revision: number): string => `"${revision}"`

/**
 * The revisions an If-Match header allows; undefined where it allows any.
 * A weak tag counts like a strong one: proxies that compress weaken ours on its way out.
 */
export function revisionsIn(ifMatch: string | undefined): number[] | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined
  // Nine digits fit the column; nobody saves an item a billion times.
  return [...ifMatch.matchAll(/"(\d{1,9})"/g)].map(([, digits]) => Number(digits))
}
