import { tagNameKey, toLine } from '@kopilka/contract/fields.ts'

/**
 * Tag names as typed, pasted or chosen: tidied, one of each without regard to letter case,
 * in the spelling of a tag that is known already.
 */
export function normalizeTagNames(names: readonly string[], known: readonly string[]): string[] {
  const spelling = new Map(known.map((name) => [tagNameKey(name), name]))
  const kept = new Map<string, string>()
  for (const name of names.map(toLine)) {
    const key = tagNameKey(name)
    if (name !== '' && !kept.has(key)) kept.set(key, spelling.get(key) ?? name)
  }
  return [...kept.values()]
}
