import type { Operation } from '@kopilka/contract/operations.ts'
import { Button, Group, Paper, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { formatDateTime } from '../lib/format-date.ts'
import { t } from '../messages/lazy-messages.ts'
import { SettingsList } from '../navigation/settings-list.tsx'
import { useOperations, useUndo } from '../undo/use-operations.ts'
import classes from './operations-page.module.css'

/** Their name says what was changed, and that it was one. */
const OF_TAGS: readonly Operation['action'][] = ['delete_tag', 'rename_tag', 'merge_tags']

const route = getRouteApi('/main/profile/history')

/** What was done in the last 30 days, the last first; each can be undone by itself. */
export function OperationsPage() {
  const { page = 1 } = route.useSearch()
  const list = useOperations({ page })
  return (
    <SettingsList
      to="/profile/history"
      page={page}
      list={list}
      title={t('title.operations')}
      about={t('operations.about')}
      empty={t('operations.empty')}
    >
      {(operations) => (
        <Paper withBorder component="ul" className={classes.list ?? ''}>
          {operations.map((operation) => (
            <OperationRow key={operation.id} operation={operation} />
          ))}
        </Paper>
      )}
    </SettingsList>
  )
}

function OperationRow({ operation }: { operation: Operation }) {
  const { id, action, at, items, title, undone_at, progress } = operation
  const undoing = useUndo()
  const isOne = action === 'change_items' && items === 1
  const done = t(isOne ? 'operations.change_item' : `operations.${action}`)
  const name = title === undefined ? done : t('operations.named', { action: done, title })
  return (
    <li data-row className={classes.row}>
      <div>
        <Text fw={600} lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        <Text size="sm" c="dimmed">
          <time dateTime={at}>{formatDateTime(at)}</time>
          {/* An import of tags alone has none. */}
          {items > 0 &&
            title === undefined &&
            !OF_TAGS.includes(action) &&
            ` · ${t('operations.items', { count: items })}`}
          {undone_at !== null && ` · ${t('operations.undone', { at: formatDateTime(undone_at) })}`}
        </Text>
      </div>
      <Group>
        {progress && <Text size="sm">{t('selection.progress', progress)}</Text>}
        {/* Stays where it was pressed: it has the focus. */}
        {undone_at === null && (!progress || undoing.isPending) && (
          <Button
            variant="default"
            size="sm"
            loading={undoing.isPending}
            aria-label={t('operations.undoOne', { action: name, at: formatDateTime(at) })}
            onClick={() => undoing.mutate(id)}
          >
            {t('undo')}
          </Button>
        )}
      </Group>
    </li>
  )
}
