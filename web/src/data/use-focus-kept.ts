import { type RefObject, useEffect, useRef } from 'react'
import { putFocus } from '../lib/focus-heading.ts'

/** A control that was used goes away with its view, which was longer perhaps: `title` takes the focus then, in sight. */
export const useFocusKept = (view: string | undefined, title: RefObject<HTMLElement | null>): void => {
  const before = useRef(view)
  useEffect(() => {
    const isChange = before.current !== undefined && before.current !== view
    if (isChange && document.activeElement === document.body && title.current) {
      putFocus(title.current)
      title.current.scrollIntoView({ block: 'nearest' })
    }
    before.current = view
  }, [view, title])
}
