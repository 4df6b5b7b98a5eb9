import { tagNameKey } from '@kopilka/contract/fields.ts'
import type { TagRef } from '@kopilka/contract/items.ts'
import type { ListedTag } from '@kopilka/contract/tags.ts'
import { isOwnId } from '../lib/own-id.ts'

/** What has become of names that were added while tags had them. */
export interface NamesNow {
  names: string[]
  /** Those whose tags were deleted since. */
  gone: string[]
}

/** `picked`: those tags. Any other name stays: it is to be created. */
export const namesNow = (
  names: readonly string[],
  picked: readonly TagRef[],
  known: readonly ListedTag[],
): NamesNow => {
  const refs = new Map(picked.map((tag) => [tagNameKey(tag.name), tag]))
  const existing = new Set(known.map(({ name }) => tagNameKey(name)))
  const now = names.map((name) => {
    const ref = refs.get(tagNameKey(name))
    if (!ref) return { name }
    const tag = known.find(({ id, merged_ids = [] }) => id === ref.id || merged_ids.includes(ref.id))
    if (tag) return { name: tag.name }
    // The server does not know yet what this browser is to create.
    return isOwnId(ref.id) || existing.has(tagNameKey(name)) ? { name } : { gone: name }
  })
  return {
    names: now.flatMap(({ name }) => name ?? []),
    gone: now.flatMap(({ gone }) => gone ?? []),
  }
}
