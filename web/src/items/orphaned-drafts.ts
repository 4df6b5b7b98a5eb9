import { trash } from '@kopilka/contract/trash.ts'
import { withToken } from '../api/call.ts'
import { isMissing } from '../api/failure.ts'
import { mayWait } from '../api/offline.ts'
import { send } from '../api/send.ts'
import { isOwnId } from '../lib/own-id.ts'
import { dropDraft } from './draft.ts'
import { linkKind } from './link-kind.ts'
import { noteKind } from './note-kind.ts'
import { withoutHeld } from './open-draft.ts'
import { remapDraftsWithKnownIds } from './remap-drafts.ts'

const KINDS = [noteKind, linkKind]

/**
 * Whether the item of a draft is deleted for ever: from the trash it may still come back. Only a response of the server
 * counts.
 */
const isItemDeleted = async (place: string): Promise<boolean> => {
  const [, name, id = ''] = place.split(':')
  const kind = KINDS.find((one) => one.name === name)
  // The server knows none that this browser gave; what it has become may not be known here yet.
  if (!kind || isOwnId(id)) return false
  const isUnknown = (read: typeof kind.calls.read | typeof trash.read) =>
    withToken((token) => send(read, { params: { id } }, token)).then(() => false, isMissing)
  const { read } = kind.calls
  // Between the first two it may have come back.
  return (await isUnknown(read)) && (await isUnknown(trash.read)) && isUnknown(read)
}

/** Drops the drafts whose item is deleted for ever. A form that is open keeps its text: it can become a new item. */
export const dropOrphanedDrafts = async (places: readonly string[]): Promise<void> => {
  // While something waits the server may know the item by no id yet, or by another.
  if (mayWait()) return remapDraftsWithKnownIds()
  for (const { place } of await withoutHeld(places.map((place) => ({ place }))))
    if (await isItemDeleted(place)) await dropDraft(place)
}
