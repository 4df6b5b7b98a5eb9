import { useRouter } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { isPlainClick } from '../ui/plain-click.ts'

/**
 * What plain links to tags have in common, for lists of thousands: the router's own each watch where the user is.
 * Use: `<a href={`/tags/${id}`} {...tagAnchors}>`; `onLeave` is called when one is followed.
 */
export const useTagAnchors = (onLeave?: () => void) => {
  const router = useRouter()
  const loadAhead = () => void router.preloadRoute({ to: '/tags/$id', params: { id: '' } })
  return {
    onClick: (event: MouseEvent<HTMLAnchorElement>) => {
      if (!isPlainClick(event)) return
      event.preventDefault()
      onLeave?.()
      void router.navigate({ href: event.currentTarget.pathname })
    },
    onMouseEnter: loadAhead,
    onFocus: loadAhead,
  }
}
