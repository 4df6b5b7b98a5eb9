import type { TagRef } from '@kopilka/contract/items.ts'

/** Russian alphabetical order without regard to case, ё beside е. */
const russian = new Intl.Collator('ru', { sensitivity: 'variant', numeric: true })

export const byName = (one: TagRef, other: TagRef): number => russian.compare(one.name, other.name)
