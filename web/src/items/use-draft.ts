import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { type ItemKindName, meQuery } from '../api/queries.ts'
import { type Draft, dropDraft, isSame, keepDraft } from './draft.ts'
import type { ItemValues } from './item-kind.ts'

const PAUSE_MS = 400

/** What a form's draft is kept under; `undefined` until it is known whose it is. */
export const useDraftPlace = (kind: ItemKindName, id: string): string | undefined => {
  const { data: user } = useQuery(meQuery)
  return user && `${user.id}:${kind}:${id}`
}

/**
 * Keeps what is typed in this browser, a moment after each change and when the page is left, so that it survives
 * a reload, a crash and a sign-out. Text equal to what is saved needs no draft. Answers how to forget it for good.
 */
export const useDraft = (place: string, draft: Draft, saved: ItemValues): (() => void) => {
  const { values, etag } = draft
  const due = useRef<() => void>(undefined)
  const over = useRef(false)

  useEffect(() => {
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
    window.addEventListener('pagehide', flush)
    return () => {
      window.removeEventListener('pagehide', flush)
      flush()
    }
  }, [])

  return () => {
    over.current = true
    dropDraft(place)
  }
}
