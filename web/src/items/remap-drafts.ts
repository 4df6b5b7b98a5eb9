import { loadOffline } from '../api/offline.ts'
import { allPlaces, type Draft, moveDraft, readDraft } from './draft.ts'
import { hold, LEAVING_MS, lastPlace } from './open-draft.ts'

type Resolved = ReadonlyMap<string, string>

const ID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g

/** Replaces the temporary ids of the item and its pictures, and the version, by those of the server. */
const remapped = (draft: Draft, resolved: Resolved): Draft => {
  const { place, values, etag } = draft
  const real = (text: string) => text.replace(ID, (id) => resolved.get(id) ?? id)
  return {
    ...draft,
    place: real(place),
    values: Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? real(value) : value]),
    ),
    ...(etag !== undefined && { etag: resolved.get(etag) ?? etag }),
  }
}

/**
 * Replaces the temporary ids in drafts, and in their keys, by those that the server has given since. Drafts of open forms
 * stay. `closing`: the forms are being closed, and their drafts move once they are.
 */
export const remapDrafts = async (resolved: Resolved, closing = false): Promise<void> => {
  const move = async (place: string) => {
    const draft = await readDraft(place)
    if (!draft || JSON.stringify(remapped(draft, resolved)) === JSON.stringify(draft)) return
    // The form that this tab has just left may still have its own for a moment.
    const isOwn = lastPlace(place.slice(0, place.lastIndexOf(':'))).place === place
    const waits = closing || isOwn
    const release = await hold(
      place,
      waits ? { signal: AbortSignal.timeout(LEAVING_MS) } : { ifAvailable: true },
    )
    if (!release) return
    await moveDraft(place, (latest) => remapped(latest, resolved)).catch(() => undefined)
    release()
  }
  if (resolved.size > 0) await Promise.all((await allPlaces()).map(move))
}

/** Remaps drafts with all ids that this browser knows of. */
export const remapDraftsWithKnownIds = async (): Promise<void> =>
  remapDrafts((await (await loadOffline())?.resolved()) ?? new Map())
