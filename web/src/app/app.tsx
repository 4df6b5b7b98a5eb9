import '@mantine/core/styles/baseline.layer.css'
import '@mantine/core/styles/default-css-variables.layer.css'
import '@mantine/core/styles/global.layer.css'
import './base.css'
import { MantineProvider } from '@mantine/core'
import { onlineManager, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useLanguage } from '../messages/language.ts'
import { Snackbar } from '../ui/snackbar-view.tsx'
import { watchArrivals } from './arrival.ts'
import { createQueryClient } from './query-client.ts'
import { createAppRouter } from './router.tsx'
import { followSession } from './session-watch.ts'
import { contrastVariables, theme } from './theme.ts'

const queryClient = createQueryClient()
const router = createAppRouter(queryClient)
watchArrivals(router)
followSession(router, queryClient)
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
