import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute } from '@tanstack/react-router'
import { meQuery } from '../api/queries.ts'
import type { MessageId } from '../messages/messages.ts'
import { lazy } from '../ui/lazy.tsx'
import { requireSession } from './guard.ts'

export const root = createRootRouteWithContext<{ queryClient: QueryClient }>()()

/** Everything that needs sign-in: the main layout around it. */
export const main = createRoute({
  getParentRoute: () => root,
  id: 'main',
  component: lazy(() => import('./main-layout.tsx'), 'MainLayout'),
  beforeLoad: ({ location, preload, context: { queryClient } }) => {
    requireSession(location)
    // Nobody waits for the profile; where it does not load, query-client.ts ends the session.
    if (!preload && !queryClient.getQueryData(meQuery.queryKey)) void queryClient.prefetchQuery(meQuery)
  },
})

/** The public screens: a card in the middle. */
export const authLayout = createRoute({
  getParentRoute: () => root,
  id: 'auth-layout',
  component: lazy(() => import('./auth-layout.tsx'), 'AuthLayout'),
})

/** What anyone may read: as wide as reading wants it. */
export const documentLayout = createRoute({
  getParentRoute: () => root,
  id: 'document-layout',
  component: lazy(() => import('./document-layout.tsx'), 'DocumentLayout'),
})

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** What the document is called while the screen shows. */
    title?: MessageId
  }
}
