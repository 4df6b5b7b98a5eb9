import { operations } from '@kopilka/contract/operations.ts'
import { useEffect, useState } from 'react'
import { call } from '../api/call.ts'

/** Milliseconds between two looks. A change of few items is over before the first. */
const LOOK_EVERY = 500

/** How far the operation has come that is under way; undefined where that is not known, or none is. */
export function useProgress(busy: boolean): { done: number; total: number } | undefined {
  const [progress, setProgress] = useState<{ done: number; total: number }>()
  useEffect(() => {
    if (!busy) return
    let isOver = false
    const look = async () => {
      // Without the number the line shows all the same that something is under way.
      const listed = await call(operations.list, { query: {} }).catch(() => undefined)
      if (!isOver) setProgress(listed?.results.find((operation) => operation.progress)?.progress)
    }
    const timer = setInterval(look, LOOK_EVERY)
    return () => {
      isOver = true
      clearInterval(timer)
      setProgress(undefined)
    }
  }, [busy])
  return progress
}
