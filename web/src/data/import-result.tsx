import type { Import } from '@kopilka/contract/imports.ts'
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import { operationsQuery } from '../api/history-queries.ts'
import { formatDateTime } from '../lib/format-date.ts'
import { t } from '../messages/data-messages.ts'
import { AnchorLink } from '../navigation/router-links.tsx'
import { lazy } from '../ui/lazy.tsx'
import { ListSkeleton } from '../ui/skeletons.tsx'
import { undoOperations } from '../undo/undo.ts'
import { importName } from './format-names.ts'

const ImportRows = lazy(() => import('./import-rows.tsx'), 'ImportRows')

const COUNTS = ['added', 'merged', 'skipped', 'broken'] as const

/** What came of an import that has ended, the entries that were not imported, and a way to take it back. */
export function ImportResult({ ended }: { ended: Import }) {
  const { id: importId, created_at, state, error, result, operation, summary } = ended
  const name = importName(ended)
  const queryClient = useQueryClient()
  const { data: operations } = useQuery({ ...operationsQuery({}), enabled: operation !== undefined })
  const undoing = useMutation({ mutationFn: (id: string) => undoOperations(queryClient, [id]) })
  const known = operations?.results.find(({ id }) => id === operation)
  const isUndone = known !== undefined && known.undone_at !== null
  const failed = operation === undefined ? 'import.failed' : 'import.failedPart'
  const title = isUndone ? 'import.undone' : state === 'done' ? 'import.done' : failed
  const left = { ...summary, new: 0, same: 0 }
  return (
    <>
      <Alert color={state === 'done' ? 'pine' : 'red'} title={t(title)}>
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
          {result && !isUndone && (
            <Text size="sm">
              {COUNTS.filter((what) => what === 'added' || result[what] > 0)
                .map((what) => t(`import.${what}`, { count: result[what] }))
                .join(' ')}
            </Text>
          )}
          {operation !== undefined && !isUndone && (
            <Group gap="md">
              {known && (
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
      {state === 'done' && left.broken + left.ignored > 0 && (
        <Suspense fallback={<ListSkeleton />}>
          <ImportRows id={importId} summary={left} />
        </Suspense>
      )}
    </>
  )
}
