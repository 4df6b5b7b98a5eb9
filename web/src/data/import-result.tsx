import type { Import } from '@kopilka/contract/imports.ts'
import { Alert, Button, Group, Progress, Stack, Text, VisuallyHidden } from '@mantine/core'
import { Suspense, useRef } from 'react'
import { formatDateTime } from '../lib/format-date.ts'
import { t } from '../messages/data-messages.ts'
import { AnchorLink } from '../navigation/router-links.tsx'
import { lazy } from '../ui/lazy.tsx'
import { LoadingBar } from '../ui/loading-bar.tsx'
import { ListSkeleton } from '../ui/skeletons.tsx'
import { useOperations, useUndo } from '../undo/use-operations.ts'
import { importName } from './format-names.ts'
import { useFocusKept } from './use-focus-kept.ts'

const ImportRows = lazy(() => import('./import-rows.tsx'), 'ImportRows')

const COUNTS = ['added', 'merged', 'skipped', 'broken'] as const

/** What came of an import that has ended, the entries that were not imported, and a way to take it back. */
export function ImportResult({ ended }: { ended: Import }) {
  const { id: importId, created_at, state, error, result, operation, summary } = ended
  const name = importName(ended)
  const { data: operations } = useOperations({ enabled: operation !== undefined })
  const undoing = useUndo()
  const known = operations?.results.find(({ id }) => id === operation)
  const isUndone = known !== undefined && known.undone_at !== null
  const failed = operation === undefined ? 'import.failed' : 'import.failedPart'
  const { progress } = known ?? {}
  const alert = useRef<HTMLDivElement>(null)
  useFocusKept(known && String(isUndone), alert)
  const isUndoing = !isUndone && (undoing.isPending || progress !== undefined)
  // One that was stopped is no result, but what it had added is still on its way out.
  if (state === 'cancelled' && !isUndoing) return null
  const title = isUndoing
    ? 'import.undoing'
    : isUndone
      ? 'import.undone'
      : state === 'done'
        ? 'import.done'
        : failed
  const left = { ...summary, new: 0, same: 0 }
  return (
    <>
      <VisuallyHidden role="status">{(isUndoing || isUndone) && t(title)}</VisuallyHidden>
      <Alert ref={alert} color={state === 'failed' && !isUndoing ? 'red' : 'pine'} title={t(title)}>
        <Stack gap="xs">
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {name && (
              <>
                <span dir="auto">{name}</span> ·{' '}
              </>
            )}
            <time dateTime={created_at}>{formatDateTime(created_at)}</time>
          </Text>
          {error !== undefined && <Text size="sm">{error}</Text>}
          {isUndoing && (
            <>
              {progress ? (
                <Progress
                  value={Math.round((progress.done / Math.max(1, progress.total)) * 100)}
                  aria-label={t('import.undoing')}
                  transitionDuration={200}
                />
              ) : (
                <LoadingBar shown label={t('import.undoing')} />
              )}
              <Text size="sm">
                {progress && <span aria-hidden="true">{t('selection.progress', progress)}. </span>}
                {t('import.undoing.about')}
              </Text>
            </>
          )}
          {result && !isUndone && !isUndoing && (
            <Text size="sm">
              {COUNTS.filter((what) => what === 'added' || result[what] > 0)
                .map((what) => t(`import.${what}`, { count: result[what] }))
                .join(' ')}
            </Text>
          )}
          {operation !== undefined && !isUndone && (
            <Group gap="md">
              {/* Stays where it was pressed: it has the focus. */}
              {known && (!isUndoing || undoing.isPending) && (
                <Button
                  variant="default"
                  size="sm"
                  loading={undoing.isPending}
                  onClick={() => undoing.mutate(known.id)}
                >
                  {t('import.undo')}
                </Button>
              )}
              <AnchorLink to="/profile/history" size="sm">
                {t('title.operations')}
              </AnchorLink>
            </Group>
          )}
        </Stack>
      </Alert>
      {state === 'done' && (
        <Suspense fallback={left.broken + left.ignored > 0 && <ListSkeleton />}>
          <ImportRows id={importId} summary={left} />
        </Suspense>
      )}
    </>
  )
}
