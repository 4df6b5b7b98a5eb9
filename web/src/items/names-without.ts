import { tagNameKey } from '@kopilka/contract/fields.ts'

/** The names of tags that others do not have. */
export const namesWithout = (names: readonly string[], others: readonly string[]): string[] => {
  const keys = new Set(others.map(tagNameKey))
  return names.filter((name) => !keys.has(tagNameKey(name)))
}
