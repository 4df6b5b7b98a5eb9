import { toLine } from '@kopilka/contract/fields.ts'

const folded = (name: string): string => name.toLowerCase()

/**
 * Tag names as typed, pasted or chosen: tidied, one of each without regard to letter case,
 * in the spelling of a tag that is known already.
 */
export function tidyTagNames(names: readonly string[], known: readonly string[]): string[] {
  const spelling = new Map(known.map((name) => [folded(name), name]))
  const kept = new Map<string, string>()
  for (const name of names.map(toLine)) {
    const key = folded(name)
    if (name !== '' && !kept.has(key)) kept.set(key, spelling.get(key) ?? name)
  }
  return [...kept.values()]
}
