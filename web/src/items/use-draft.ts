import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { mayWait } from '../api/offline.ts'
import { meQuery, type QueriedKind } from '../api/queries.ts'
import { dropDraft, formOf, isSame, keepDraft, keepDraftNow, otherDraftPlaces, type Typed } from './draft.ts'
import { type ItemValues, namesOf } from './item-kind.ts'
import { type OpenDraft, openDraft } from './open-draft.ts'

const STORE_AFTER_MS = 400

/** The draft of this form, its own while it is open; `undefined` until it is known. */
export const useOpenDraft = (kind: QueriedKind, id?: string): OpenDraft | undefined => {
  const { data: user } = useQuery(meQuery)
  const userId = user?.id
  const form = user && formOf(user.id, kind, id)
  const adopts = id !== undefined
  const [opened, setOpened] = useState<OpenDraft>()
  useEffect(() => {
    if (userId === undefined || form === undefined) return
    let left = false
    const opening = openDraft(form, adopts, adopts && mayWait() ? moveToNewIds() : undefined)
    void opening.then((draft) => {
      if (!left) setOpened(draft)
    })
    void opening.then(() => dropGone(userId, form))
    return () => {
      left = true
      setOpened(undefined)
      void opening.then(({ release }) => release())
    }
  }, [userId, form, adopts])
  return opened
}

/** The item may have had another id when its draft was written. */
const moveToNewIds = async (): Promise<void> => {
  const moving = import('./remap-drafts.ts').then(({ remapDraftsWithKnownIds }) => remapDraftsWithKnownIds())
  // The form opens without.
  await moving.catch(() => undefined)
}

/** Drops the drafts of other items that were deleted for ever meanwhile, on another device perhaps. */
const dropGone = async (userId: string, form: string): Promise<void> => {
  const beside = await otherDraftPlaces(userId, form)
  if (beside.length === 0) return
  const module = await import('./orphaned-drafts.ts').catch(() => undefined)
  await module?.dropOrphanedDrafts(beside)
}

/** Runs the work when the browser is idle; returns the function that cancels it. Safari has only timers. */
const whenIdle = (work: () => void): (() => void) => {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(work)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(work, { timeout: STORE_AFTER_MS })
  return () => cancelIdleCallback(handle)
}

interface Saved {
  /** The values of a form in which nothing is typed. */
  baseline: ItemValues
  /** Those of the item, also where it was deleted. */
  item: ItemValues
}

const typedNow = ({ values, etag, picked, item }: Typed & Saved): Typed => ({
  values,
  etag,
  picked,
  tagsBefore: namesOf(item.tags),
})

/** Keeps the typed text in this browser: in a pause of typing, and before the page unloads. Saved text has no draft. */
export const useDraft = (place: string, typed: Typed, { baseline, item }: Saved) => {
  const { values, etag, picked } = typed
  const latest = useRef({ values, etag, picked, baseline, item })
  /** It was saved or given up. */
  const over = useRef(false)
  const dirty = useRef(false)
  /** The page is going. */
  const leaving = useRef(false)

  const isThere = useCallback(
    () => !over.current && !isSame(latest.current.values, latest.current.baseline),
    [],
  )
  const write = useCallback(async (): Promise<boolean> => {
    dirty.current = false
    if (isThere()) return keepDraft(place, typedNow(latest.current))
    await dropDraft(place)
    return true
  }, [place, isThere])

  const writeNow = useCallback(() => {
    if (isThere()) keepDraftNow(place, typedNow(latest.current))
  }, [place, isThere])

  // In the commit itself: an editor may hand over its text while the page unloads.
  useLayoutEffect(() => {
    latest.current = { values, etag, picked, baseline, item }
    dirty.current = true
    if (leaving.current) writeNow()
    let cancelIdle = () => {}
    const timer = setTimeout(() => {
      cancelIdle = whenIdle(() => void write())
    }, STORE_AFTER_MS)
    return () => {
      clearTimeout(timer)
      cancelIdle()
    }
  }, [values, etag, picked, baseline, item, write, writeNow])

  useEffect(() => {
    const flush = () => {
      if (dirty.current) void write()
    }
    const leave = () => {
      leaving.current = true
      writeNow()
      flush()
    }
    const comeBack = () => {
      leaving.current = false
    }
    window.addEventListener('pagehide', leave)
    window.addEventListener('pageshow', comeBack)
    // The only event of a phone that puts the browser into the background.
    document.addEventListener('visibilitychange', flush)
    return () => {
      window.removeEventListener('pagehide', leave)
      window.removeEventListener('pageshow', comeBack)
      document.removeEventListener('visibilitychange', flush)
      // The page may be reloaded next, for a chunk that did not load: what is asynchronous might not finish.
      if (dirty.current) writeNow()
      flush()
    }
  }, [write, writeNow])

  return {
    /** Whether there is text that was neither saved nor given up. */
    isThere,
    /** Writes it now; returns whether it is kept. */
    keep: write,
    /** It was saved or given up: forgets it for good. */
    forget: () => {
      over.current = true
      void dropDraft(place)
    },
  }
}
