import { PAGE_SIZE } from '@kopilka/contract/limits.ts'
import type { Operation } from '@kopilka/contract/operations.ts'
import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate, useRouter } from '@tanstack/react-router'
import { operationsQuery } from '../api/history-queries.ts'
import { formatDateTime } from '../lib/format-date.ts'
import { t } from '../messages/lazy-messages.ts'
import { AnchorLink } from '../navigation/router-links.tsx'
import { Breadcrumbs } from '../ui/breadcrumbs.tsx'
import { ListFrame } from '../ui/list-frame.tsx'
import { Pager } from '../ui/pager.tsx'
import { undoOperations } from '../undo/undo.ts'
import classes from './operations-page.module.css'

const route = getRouteApi('/main/profile/history')

/** What was done in the last 30 days, the last first; each can be undone by itself. */
export function OperationsPage() {
  const { page = 1 } = route.useSearch()
  const navigate = useNavigate()
  const router = useRouter()
  const list = useQuery(operationsQuery({ page }))
  const { data } = list
  const pages = Math.ceil((data?.count ?? 0) / PAGE_SIZE)
  const placeOf = (page: number) => ({
    to: '/profile/history' as const,
    search: { page: page === 1 ? undefined : page },
  })
  return (
    <Stack gap="md" maw={900} mx="auto">
      <Breadcrumbs current={t('title.operations')}>
        <AnchorLink to="/home">{t('title.home')}</AnchorLink>
        <AnchorLink to="/profile">{t('title.profile')}</AnchorLink>
      </Breadcrumbs>
      <Title order={1} size="h2" tabIndex={-1}>
        {t('title.operations')}
      </Title>
      <Text c="dimmed" size="sm">
        {t('operations.about')}
      </Text>
      <ListFrame list={list} empty={data?.results.length === 0 ? t('operations.empty') : undefined}>
        {data && (
          <Paper withBorder component="ul" className={classes.list ?? ''}>
            {data.results.map((operation) => (
              <OperationRow key={operation.id} operation={operation} />
            ))}
          </Paper>
        )}
      </ListFrame>
      <Pager
        page={page}
        pages={pages}
        hrefOf={(target) => router.buildLocation(placeOf(target)).href}
        onPage={(target) => void navigate(placeOf(target))}
      />
    </Stack>
  )
}

function OperationRow({ operation }: { operation: Operation }) {
  const { id, action, at, items, undone_at, progress } = operation
  const queryClient = useQueryClient()
  const undoing = useMutation({ mutationFn: () => undoOperations(queryClient, [id]) })
  const name = t(`operations.${action}`)
  return (
    <li className={classes.row}>
      <div>
        <Text fw={600}>{name}</Text>
        <Text size="sm" c="dimmed">
          <time dateTime={at}>{formatDateTime(at)}</time> · {t('operations.items', { count: items })}
        </Text>
      </div>
      <Group>
        {progress ? (
          <Text size="sm">{t('selection.progress', progress)}</Text>
        ) : undone_at === null ? (
          <Button
            variant="default"
            size="sm"
            loading={undoing.isPending}
            aria-label={t('operations.undoOne', { action: name, at: formatDateTime(at) })}
            onClick={() => undoing.mutate()}
          >
            {t('undo')}
          </Button>
        ) : (
          <Text size="sm" c="dimmed">
            {t('operations.undone', { at: formatDateTime(undone_at) })}
          </Text>
        )}
      </Group>
    </li>
  )
}
