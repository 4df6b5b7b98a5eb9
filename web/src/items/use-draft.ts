import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { meQuery, type QueriedKind } from '../api/queries.ts'
import { dropDraft, formOf, isSame, keepDraft, keepDraftNow, type Typed } from './draft.ts'
import type { ItemValues } from './item-kind.ts'
import { type OpenDraft, openDraft } from './open-draft.ts'

const PAUSE_MS = 400

/** The draft of this form, its own while it is open; `undefined` until it is known. */
export const useOpenDraft = (kind: QueriedKind, id?: string): OpenDraft | undefined => {
  const { data: user } = useQuery(meQuery)
  const form = user && formOf(user.id, kind, id)
  const adopts = id !== undefined
  const [opened, setOpened] = useState<OpenDraft>()
  useEffect(() => {
    if (form === undefined) return
    let left = false
    const opening = openDraft(form, adopts)
    void opening.then((draft) => {
      if (!left) setOpened(draft)
    })
    return () => {
      left = true
      setOpened(undefined)
      void opening.then(({ release }) => release())
    }
  }, [form, adopts])
  return opened
}

/** Runs the work when the browser is idle; returns the function that cancels it. Safari has only timers. */
const whenIdle = (work: () => void): (() => void) => {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(work)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(work, { timeout: PAUSE_MS })
  return () => cancelIdleCallback(handle)
}

/** Keeps the typed text in this browser: in a pause of typing, and before the page unloads. Saved text has no draft. */
export const useDraft = (place: string, typed: Typed, saved: ItemValues) => {
  const { values, etag } = typed
  const latest = useRef({ values, etag, saved })
  /** It was saved or given up. */
  const over = useRef(false)
  const dirty = useRef(false)
  /** The page is going. */
  const leaving = useRef(false)

  const isThere = useCallback(() => !over.current && !isSame(latest.current.values, latest.current.saved), [])
  const write = useCallback(async (): Promise<boolean> => {
    const { values, etag } = latest.current
    dirty.current = false
    if (isThere()) return keepDraft(place, { values, etag })
    await dropDraft(place)
    return true
  }, [place, isThere])

  const writeNow = useCallback(() => {
    const { values, etag } = latest.current
    if (isThere()) keepDraftNow(place, { values, etag })
  }, [place, isThere])

  // In the commit itself: an editor may hand over its text while the page unloads.
  useLayoutEffect(() => {
    latest.current = { values, etag, saved }
    dirty.current = true
    if (leaving.current) writeNow()
    let cancelIdle = () => {}
    const timer = setTimeout(() => {
      cancelIdle = whenIdle(() => void write())
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      cancelIdle()
    }
  }, [values, etag, saved, write, writeNow])

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
