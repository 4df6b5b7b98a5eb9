import { useEffect, useRef } from 'react'
import { aboutFailure } from '../api/failure-text.ts'
import { isReachable, NETWORK, onReachable } from '../lib/network.ts'

/** Calls `onBack` once the server responds again, where `failure` is that it did not: what was said of it is true no longer. */
export const useServerBack = (failure: unknown, onBack: () => void): void => {
  const latest = useRef(onBack)
  useEffect(() => {
    latest.current = onBack
  })
  useEffect(() => {
    if (aboutFailure(failure) !== NETWORK) return
    return onReachable(() => {
      if (isReachable()) latest.current()
    })
  }, [failure])
}
