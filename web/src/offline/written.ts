import { bulk } from '@kopilka/contract/bulk.ts'
import type { Endpoint } from '@kopilka/contract/endpoint.ts'
import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { entriesFor, targetsOf, withEntries } from './entry.ts'
import { type Delta, type KeptItem, kept } from './kept-item.ts'
import type { CallRequest, Copy } from './responses.ts'

/*
 * What this page has saved is in the copy at once: the changes since bring it seconds later, and the network may be gone by then.
 */

type Item = Parameters<typeof kept>[0]

/** A call that the server has taken, and what it responded. */
export interface Written {
  readonly endpoint: Endpoint
  readonly request: CallRequest
  readonly value: unknown
  readonly etag: string | undefined
}

const REMOVALS: readonly Endpoint[] = [notes.remove, links.remove]

const NOTHING: Delta = { wholes: [], changed: [], tags: [], deletedItems: [], deletedTags: [] }

/** The server counts the versions of an item. */
const numberOf = (etag: string): number => Number(/^"(\d+)"$/.exec(etag)?.[1] ?? 0)

/** The items that it was about; none where the response says nothing of items. */
export function writtenIds({ endpoint, request, value }: Written): readonly string[] {
  // The server's tests check every response against the schema.
  if (endpoint.sendsEtag) return [(value as Item).id]
  return endpoint === bulk.change || REMOVALS.includes(endpoint) ? targetsOf(request) : []
}

/** What it makes of the copy, as far as its response says. `copy` need have only the items that it was about, and the tags. */
export function writtenBy(copy: Copy, { endpoint, request, value, etag }: Written): Delta {
  if (endpoint.sendsEtag && etag !== undefined) {
    const whole = kept({ ...(value as Item), etag })
    const known = copy.items.get(whole.item.id)
    // The copy has a later change already, or a later deletion.
    const isPast = known ? numberOf(known.etag) > numberOf(etag) : request.params !== undefined
    return isPast ? NOTHING : { ...NOTHING, wholes: [whole], tags: (value as Item).tags }
  }
  if (REMOVALS.includes(endpoint)) return { ...NOTHING, deletedItems: targetsOf(request) }
  if (endpoint !== bulk.change) return NOTHING
  const ids = targetsOf(request).filter((id) => copy.items.has(id))
  const entries = entriesFor(copy, endpoint, { body: { ...(request.body as object), ids } }, {})
  const { items } = withEntries(copy, entries)
  const changed = ids.flatMap((id) => changedBy(copy, copy.items.get(id), items.get(id)) ?? [])
  const deletedItems = ids.filter((id) => !items.has(id))
  // Where the server has changed others than the copy would, the copy does not know their versions.
  const isSame = (value as { changed: number }).changed === changed.length + deletedItems.length
  return isSame ? { ...NOTHING, changed, deletedItems } : NOTHING
}

/** A change whose response has no items: what is as it was has its version, all else the next one. */
function changedBy({ tags }: Copy, before: KeptItem | undefined, after: KeptItem | undefined) {
  if (!before || !after) return undefined
  if (before.pinned === after.pinned && before.tags.join() === after.tags.join()) return undefined
  const { id, pinned } = after
  return {
    ...{ id, pinned, etag: `"${numberOf(before.etag) + 1}"`, updated_at: new Date().toISOString() },
    // The ids of new ones come with the changes since.
    tags: after.tags.filter((tag) => tags.has(tag)),
  }
}
