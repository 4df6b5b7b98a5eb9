import { lazy } from '../ui/lazy.tsx'

const loaded = () => import('./operation-progress.tsx')

/** How far a change has come, for what few changes take long enough for. Where it does not load, the change shows no number. */
export const OperationProgress = lazy(
  () =>
    loaded().catch(
      (): Pick<Awaited<ReturnType<typeof loaded>>, 'OperationProgress'> => ({
        OperationProgress: () => null,
      }),
    ),
  'OperationProgress',
)
