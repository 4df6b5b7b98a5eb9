import { MAX_TAGS_PER_ITEM } from '@kopilka/contract/limits.ts'
import { tags as calls } from '@kopilka/contract/tags.ts'
import { call } from '../api/call.ts'
import { namesWithout } from './names-without.ts'

/*
 * The tags of a form over an item that becomes a new item: none comes back that was renamed or deleted meanwhile. `before`: those
 * that the form began with.
 */

/** Beside the item as it is now: the changes of the form to its tags, `theirs`. What does not fit is on that one. */
export const tagsBeside = (
  tags: readonly string[],
  before: readonly string[],
  theirs: readonly string[],
): string[] =>
  [...namesWithout(tags, [...before, ...theirs]), ...namesWithout(theirs, namesWithout(before, tags))].slice(
    0,
    MAX_TAGS_PER_ITEM,
  )

/** In place of a deleted item: without those of the beginning that exist no more. */
export const tagsInPlace = async (tags: readonly string[], before: readonly string[]): Promise<string[]> => {
  const known = await call(calls.list, { query: {} })
  const gone = namesWithout(
    before,
    known.map(({ name }) => name),
  )
  return namesWithout(tags, gone)
}
