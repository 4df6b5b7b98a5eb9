import { Suspense, useEffect } from 'react'
import { select, useSelectedIds } from '../selection/selection.ts'
import { lazy } from '../ui/lazy.tsx'
import type { ItemBarProps } from './item-bar.tsx'

const ItemBar = lazy(() => import('./item-bar.tsx'), 'ItemBar')

/** What is selected of a screen's items, once something is. Its `key` says what the screen shows: with another one the selection ends. */
export function ItemSelection(props: ItemBarProps) {
  const isAny = useSelectedIds().size > 0
  useEffect(() => () => select([]), [])
  return (
    isAny && (
      <Suspense>
        <ItemBar {...props} />
      </Suspense>
    )
  )
}
