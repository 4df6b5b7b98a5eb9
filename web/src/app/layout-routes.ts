import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, redirect } from '@tanstack/react-router'
import { mayHaveCopy } from '../api/copy-session.ts'
import { meQuery } from '../api/queries.ts'
import { isSignedIn } from '../api/session.ts'
import type { MessageId } from '../messages/messages.ts'
import { lazy } from '../ui/lazy.tsx'

export const root = createRootRouteWithContext<{ queryClient: QueryClient }>()()

/** Most milliseconds for which a database that does not respond may delay the first screen. */
const PATIENCE_MS = 500

let ended: Promise<unknown> | undefined

/** Ends, before the first screen shows anything, a sign-in that its user has ended and a killed browser has brought back. */
const endRevivedOnce = (): Promise<unknown> => {
  ended ??=
    isSignedIn() && mayHaveCopy()
      ? Promise.race([
          import('./revived-session.ts')
            .then(({ endRevivedSession }) => endRevivedSession())
            .catch(() => undefined),
          new Promise((resolve) => setTimeout(resolve, PATIENCE_MS)),
        ])
      : Promise.resolve()
  return ended
}

/** The screens that need sign-in, in the main layout; without it they lead to login, which leads back. */
export const main = createRoute({
  getParentRoute: () => root,
  id: 'main',
  component: lazy(() => import('./main-layout.tsx'), 'MainLayout'),
  beforeLoad: async ({ location, preload, context: { queryClient } }) => {
    await endRevivedOnce()
    if (!isSignedIn())
      throw redirect({ to: '/auth/login', search: { redirect: location.href }, replace: true })
    // No screen waits for the profile; if it cannot be loaded, query-client.ts ends the session.
    if (!preload && !queryClient.getQueryData(meQuery.queryKey)) void queryClient.prefetchQuery(meQuery)
  },
})

/** The public screens: a card in the middle. */
export const authLayout = createRoute({
  getParentRoute: () => root,
  id: 'auth-layout',
  component: lazy(() => import('./auth-layout.tsx'), 'AuthLayout'),
})

/** Public documents, as wide as is good to read. */
export const documentLayout = createRoute({
  getParentRoute: () => root,
  id: 'document-layout',
  component: lazy(() => import('./document-layout.tsx'), 'DocumentLayout'),
})

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The document's title while the screen shows. */
    title?: MessageId
  }
}
