import type { TagRef } from '@kopilka/contract/items.ts'

/** Russian alphabetical order, lower and upper case together, ё beside е, numbers by value. */
const russian = new Intl.Collator('ru', { sensitivity: 'variant', numeric: true })

export const byName = (one: TagRef, other: TagRef): number => russian.compare(one.name, other.name)
