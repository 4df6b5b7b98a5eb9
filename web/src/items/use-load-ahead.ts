import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { ItemKind } from './item-kind.ts'

/** Shorter stays are on the way to somewhere else. As long as the router waits before it loads a screen's code. */
const STAY_MS = 50

/** Handlers for a link to an item: whoever stays on it will find the item loaded. */
export const useLoadAhead = (kind: ItemKind, id: string) => {
  const queryClient = useQueryClient()
  const due = useRef<number>(undefined)
  const come = () => {
    window.clearTimeout(due.current)
    due.current = window.setTimeout(() => void kind.loadAhead(queryClient, id), STAY_MS)
  }
  const go = () => window.clearTimeout(due.current)
  return { onMouseEnter: come, onMouseLeave: go, onFocus: come, onBlur: go }
}
