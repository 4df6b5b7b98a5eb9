import { EXCERPT_LENGTH } from '@kopilka/contract/limits.ts'
import type { Kind } from '../kept-item.ts'
import type { Finder } from '../search-request.ts'
import type { SearchedItem } from './copy-reader.ts'
import type { createSearchEngine } from './search-engine.ts'

/** What the index calls an item of a kind. */
export const searchedKind = (kind: Kind): SearchedItem['kind'] => (kind === 'note' ? 'note' : 'link')

/** An engine, wherever it runs, in the words of the API. */
export const finderWith = (
  engine: Pick<ReturnType<typeof createSearchEngine>, 'search' | 'similarTo'>,
): Finder => ({
  async search({ kinds, tag, excerpts, ...request }) {
    const found = await engine.search({
      ...{ ...request, kinds: kinds.map(searchedKind), tag_id: tag },
      ...(excerpts && { excerptLength: EXCERPT_LENGTH }),
    })
    if (!found) return undefined
    const { counts, ids, ...rest } = found
    return {
      ...rest,
      counts: { note: counts.note, urllink: counts.link },
      ids: { note: ids.note, urllink: ids.link },
    }
  },

  async similarTo(request) {
    const found = await engine.similarTo(request)
    return found.map(({ id }) => id)
  },
})
