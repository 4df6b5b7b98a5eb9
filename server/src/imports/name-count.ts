import { tagNameKey } from '@kopilka/contract/fields.ts'

/** Counts distinct names of tags, up to a number: those of a hostile file would fill the memory. */
export function createNameCount(most: number) {
  const keys = new Set<string>()
  return {
    add(name: string): void {
      if (keys.size < most) keys.add(tagNameKey(name))
    },
    size: () => keys.size,
  }
}
