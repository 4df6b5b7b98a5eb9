import type { TagRef } from '@kopilka/contract/items.ts'
import { MAX_TAGS_PER_ITEM } from '@kopilka/contract/limits.ts'
import { tags as calls } from '@kopilka/contract/tags.ts'
import { call } from '../api/call.ts'
import { isReachable } from '../lib/network.ts'
import { type NamesNow, namesNow } from './names-now.ts'
import { namesWithout } from './names-without.ts'

/*
 * The tags with which a form is saved, and those of a form whose text becomes a new item: a tag that was renamed or deleted
 * meanwhile does not come back. `before`: the tags that the form began with.
 */

/**
 * For a copy beside the saved item, and for the form saved over it: applies the changes of the form to its tags, `theirs`, up to
 * the limit.
 */
export const tagsForCopy = (
  tags: readonly string[],
  before: readonly string[],
  theirs: readonly string[],
): string[] =>
  [...namesWithout(tags, [...before, ...theirs]), ...namesWithout(theirs, namesWithout(before, tags))].slice(
    0,
    MAX_TAGS_PER_ITEM,
  )

/** In place of a deleted item: leaves out the initial tags that no longer exist. */
export const tagsForReplacement = async (
  tags: readonly string[],
  before: readonly string[],
): Promise<string[]> => {
  const known = await call(calls.list, { query: {} })
  const gone = namesWithout(
    before,
    known.map(({ name }) => name),
  )
  return namesWithout(tags, gone)
}

/**
 * What has become of names that were added while tags had them, by the tags that the server has: the copy in this browser does not
 * know what was merged. Where the server cannot be asked the names stay as they are: the text is saved all the same.
 */
export const pickedByNow = async (names: readonly string[], picked: readonly TagRef[]): Promise<NamesNow> => {
  // Nobody waits for a server that is lost: what waits names its tags by their ids.
  if (!isReachable()) return { names: [...names], gone: [] }
  try {
    const merged = [...new Set(picked.map(({ id }) => id))].slice(-MAX_TAGS_PER_ITEM).join()
    return namesNow(names, picked, await call(calls.list, { query: { merged } }, { ofServer: true }))
  } catch {
    return { names: [...names], gone: [] }
  }
}
