import { useRouter } from '@tanstack/react-router'
import { type MouseEvent, type SyntheticEvent, useRef } from 'react'
import { isPlainClick } from '../ui/plain-click.ts'

/** As that of the router's own links: a pointer on its way over the list asks for nothing. */
const PRELOAD_DELAY_MS = 50

/**
 * What plain links to tags have in common, for lists of thousands: the router's own each watch where the user is.
 * Use: `<a href={`/tags/${id}`} {...tagAnchors}>`; `onLeave` is called when one is followed.
 */
export const useTagAnchors = (onLeave?: () => void) => {
  const router = useRouter()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const preload = ({ currentTarget: { pathname } }: SyntheticEvent<HTMLAnchorElement>) => {
    clearTimeout(timer.current)
    const params = { id: pathname.slice(pathname.lastIndexOf('/') + 1) }
    timer.current = setTimeout(() => void router.preloadRoute({ to: '/tags/$id', params }), PRELOAD_DELAY_MS)
  }
  const stay = () => clearTimeout(timer.current)
  return {
    onClick: (event: MouseEvent<HTMLAnchorElement>) => {
      if (!isPlainClick(event)) return
      event.preventDefault()
      onLeave?.()
      void router.navigate({ href: event.currentTarget.pathname })
    },
    onMouseEnter: preload,
    onMouseLeave: stay,
    onFocus: preload,
    onBlur: stay,
  }
}
