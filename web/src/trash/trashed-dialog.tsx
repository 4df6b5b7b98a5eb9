import type { TrashedItem } from '@kopilka/contract/trash.ts'
import { readableAddress } from '@kopilka/text/readable-address.ts'
import { Anchor, Button, Divider, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { trashedQuery } from '../api/history-queries.ts'
import { formatDateTime } from '../lib/format-date.ts'
import { t } from '../messages/lazy-messages.ts'
import { useBackCloses } from '../navigation/use-back-closes.ts'
import { useOwnEntry } from '../navigation/use-own-entry.ts'
import { Dialog, type OverlayProps } from '../ui/dialog.tsx'
import { HtmlView } from '../ui/html-view.tsx'
import { ExternalLinkIcon, RestoreIcon, TrashIcon } from '../ui/icons.tsx'
import { Retry } from '../ui/load-failure.tsx'
import { PageSkeleton } from '../ui/skeletons.tsx'
import classes from './trash-page.module.css'

interface TrashedDialogProps extends OverlayProps {
  item: TrashedItem
  busy: boolean
  onRestore: () => void
  onRemove: () => void
}

/** The whole of a deleted item, to be read before it is brought back or deleted for ever. */
export function TrashedDialog(props: TrashedDialogProps) {
  const { item, opened, busy, onRestore, onRemove, onClose } = props
  const { title, url, tags, created_at, deleted_at } = item
  useBackCloses(opened, onClose)
  useOwnEntry(opened)
  // Once it is closed the item may leave the trash.
  const { data, isError, refetch } = useQuery({ ...trashedQuery(item), enabled: opened })
  const html = data && (data.content ?? data.description ?? '')
  return (
    <Dialog opened={opened} title={title} width={720} onClose={onClose}>
      <Stack gap="md" style={{ overflowWrap: 'anywhere' }}>
        {url !== undefined && (
          <Anchor href={url} target="_blank" rel="noopener noreferrer" dir="ltr">
            {readableAddress(url)} <ExternalLinkIcon size={14} />
          </Anchor>
        )}
        <Text size="sm" c="dimmed">
          {t('items.created')} <time dateTime={created_at}>{formatDateTime(created_at)}</time>
          {' · '}
          {t('trash.deleted')} <time dateTime={deleted_at}>{formatDateTime(deleted_at)}</time>
          {tags.length > 0 && ` · ${tags.map(({ name }) => name).join(', ')}`}
        </Text>
        <Group gap="xs" className={classes.buttons ?? ''}>
          <Button data-autofocus leftSection={<RestoreIcon size={18} />} disabled={busy} onClick={onRestore}>
            {t('trash.restore')}
          </Button>
          <Button
            variant="light"
            color="red"
            leftSection={<TrashIcon size={18} />}
            disabled={busy}
            onClick={onRemove}
          >
            {t('trash.remove')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('snackbar.close')}
          </Button>
        </Group>
        <Divider />
        {html !== undefined && <HtmlView html={html} />}
        {html === undefined && (isError ? <Retry onRetry={() => void refetch()} /> : <PageSkeleton />)}
      </Stack>
    </Dialog>
  )
}
