import { useQuery } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { meQuery, type QueriedKind } from '../api/queries.ts'
import { dropDraft, isSame, keepDraft } from './draft.ts'
import { takePlace } from './draft-place.ts'
import type { ItemValues } from './item-kind.ts'

const PAUSE_MS = 400

interface Typed {
  values: ItemValues
  /** What it was typed over. */
  etag?: string | undefined
}

interface UnsavedText {
  /** Whether there is any that was neither saved nor given up. */
  isThere: () => boolean
  /** It was saved or given up: forgets it for good. */
  forget: () => void
}

/** What this form's draft is kept under, while it is open its own; `undefined` until it is known. */
export const useDraftPlace = (kind: QueriedKind['name'], id: string): string | undefined => {
  const { data: user } = useQuery(meQuery)
  const form = user && `${user.id}:${kind}:${id}`
  const [place, setPlace] = useState<string>()
  useEffect(() => {
    if (form === undefined) return
    let left = false
    const taken = takePlace(form)
    void taken.then(({ place }) => {
      if (!left) setPlace(place)
    })
    return () => {
      left = true
      setPlace(undefined)
      void taken.then(({ release }) => release())
    }
  }, [form])
  return place
}

/**
 * Keeps what is typed in this browser, a moment after each change and when the page is left, so that it survives
 * a reload, a crash and a sign-out. Text equal to what is saved needs no draft.
 */
export const useDraft = (place: string, typed: Typed, saved: ItemValues): UnsavedText => {
  const { values, etag } = typed
  const due = useRef<() => void>(undefined)
  const over = useRef(false)

  // In the commit itself: what an editor hands over while the page is being left counts as well.
  useLayoutEffect(() => {
    const write = () => {
      due.current = undefined
      if (over.current || isSame(values, saved)) dropDraft(place)
      else keepDraft(place, { values, etag })
    }
    due.current = write
    const timer = setTimeout(write, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [place, values, etag, saved])

  useEffect(() => {
    const flush = () => due.current?.()
    // The first comes last when a page is left, and alone when a phone puts the browser aside.
    document.addEventListener('visibilitychange', flush)
    window.addEventListener('pagehide', flush)
    return () => {
      document.removeEventListener('visibilitychange', flush)
      window.removeEventListener('pagehide', flush)
      flush()
    }
  }, [])

  return {
    isThere: () => !over.current && !isSame(values, saved),
    forget: () => {
      over.current = true
      dropDraft(place)
    },
  }
}
