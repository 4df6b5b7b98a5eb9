import { Suspense, useEffect } from 'react'
import { leaveList, useSelectedIds } from '../selection/selection.ts'
import { lazy } from '../ui/lazy.tsx'
import type { ItemBarProps } from './item-bar.tsx'

/** What a search found; absent while that is not known. */
type Found = { corrected?: { query: string } | undefined; partial?: true | undefined } | undefined

/**
 * The part of a filter that finds what a search has shown. Without `exact` the server would take the closest items where
 * nothing has the words any more: nobody has seen those.
 */
export const searchShown = (found: Found, typed: string): { search: string; exact: true } => ({
  search: found?.corrected?.query ?? typed,
  exact: true,
})

/** How many can be selected beyond the screen. Of items with some of the words only none: no filter finds just these. */
export const countToSelect = (found: Found, count: number | undefined): number | undefined =>
  found?.partial ? undefined : count

const ItemBar = lazy(() => import('./item-bar.tsx'), 'ItemBar')

/** What is selected of a screen's items, once something is. Its `key` says what the screen shows: with another one the selection ends. */
export function ItemSelection(props: ItemBarProps) {
  const isAny = useSelectedIds().size > 0
  useEffect(() => leaveList, [])
  return (
    isAny && (
      <Suspense>
        <ItemBar {...props} />
      </Suspense>
    )
  )
}
