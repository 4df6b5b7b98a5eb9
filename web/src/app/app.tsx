import '@mantine/core/styles/baseline.layer.css'
import '@mantine/core/styles/default-css-variables.layer.css'
import '@mantine/core/styles/global.layer.css'
import './base.css'
import { MantineProvider } from '@mantine/core'
import { onlineManager, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { mayHaveCopy } from '../api/copy-session.ts'
import { provideOffline } from '../api/offline.ts'
import { isReachable, onReachable, watchNetwork } from '../lib/network.ts'
import { useLanguage } from '../messages/language.ts'
import { Snackbar } from '../ui/snackbar-view.tsx'
import { watchArrivals } from './arrival.ts'
import { createQueryClient } from './query-client.ts'
import { createAppRouter } from './router.tsx'
import { followSession } from './session-watch.ts'
import { contrastVariables, theme } from './theme.ts'

/** What the copy of the account downloads must not delay the first screen. */
const OFFLINE_AFTER_MS = 6_000

const loadOffline = () => import('./start-offline.ts')
const startOffline = (afterMs: number) =>
  loadOffline().then(
    (module) => module.startOffline(router, queryClient, afterMs),
    // Everything else works.
    () => undefined,
  )

const queryClient = createQueryClient()
const router = createAppRouter(queryClient)
watchArrivals(router)
followSession(router, queryClient, async () => (await loadOffline()).deleteCopy())
watchNetwork()
provideOffline(async () => (await loadOffline()).loadResponses())
window.addEventListener('load', () => {
  // What waits shows at once.
  if (mayHaveCopy()) void startOffline(OFFLINE_AFTER_MS)
  else setTimeout(startOffline, OFFLINE_AFTER_MS, 0)
})
// By the server and not by the network: a query that failed is refetched once it can succeed.
onlineManager.setEventListener((setOnline) => onReachable(() => setOnline(isReachable())))
onlineManager.subscribe((online) => {
  // Queries on the screen are refetched by themselves; a screen that failed to load has none.
  if (online && router.state.matches.some(({ status }) => status === 'error')) void router.invalidate()
})

/** The whole page. */
export function App() {
  useLanguage()
  return (
    <MantineProvider theme={theme} cssVariablesResolver={contrastVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Snackbar />
      </QueryClientProvider>
    </MantineProvider>
  )
}
