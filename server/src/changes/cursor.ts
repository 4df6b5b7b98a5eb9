import { sha256 } from '../hash.ts'

/** Where a first copy goes on: all tags by their ids, then all items, the newest ids first. */
export interface Copying {
  readonly part: 'tags' | 'items'
  /** The last id; empty at the beginning of a part. */
  readonly after: string
}

/** What a client has of an owner's items and tags. */
export interface Cursor {
  /** All changes up to this one; during a first copy, those of what was not copied yet are no loss. */
  readonly since: number
  /** No item or tag that it has is newer than this change. */
  readonly seen: number
  /** Recognises the change `seen`: after a restore from a backup that number is another's. */
  readonly fingerprint: string
  readonly copying?: Copying | undefined
}

const PARTS = { t: 'tags', i: 'items' } as const

/** Reads what {@link writeCursor} wrote; the contract has checked its form. */
export function readCursor(text: string): Cursor {
  const [since, seen, fingerprint = '', place = ''] = text.split('.')
  const [part] = place
  const copying = part === 't' || part === 'i' ? { part: PARTS[part], after: place.slice(1) } : undefined
  return { since: Number(since), seen: Number(seen), fingerprint, copying }
}

export const writeCursor = ({ since, seen, fingerprint, copying }: Cursor): string => {
  const place = copying ? [`${copying.part === 'tags' ? 't' : 'i'}${copying.after}`] : []
  return [since, seen, fingerprint, ...place].join('.')
}

/** A change of which nothing is kept has a fingerprint as well. */
export const fingerprintOf = (change: { entity_id: string | null; at: number | null }): string =>
  change.entity_id === null ? '-' : sha256(`${change.entity_id} ${change.at}`).slice(0, 12)
