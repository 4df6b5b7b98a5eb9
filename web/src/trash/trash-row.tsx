import type { TrashedItem } from '@kopilka/contract/trash.ts'
import { readableHost } from '@kopilka/text/readable-address.ts'
import { ActionIcon, Anchor, Text } from '@mantine/core'
import { Fragment, Suspense, useState } from 'react'
import { formatDateTime } from '../lib/format-date.ts'
import { t } from '../messages/lazy-messages.ts'
import { ConfirmDialog } from '../navigation/confirm-dialog.tsx'
import { SelectBox } from '../selection/select-box.tsx'
import { Highlight } from '../ui/highlight.tsx'
import { LinkIcon, NoteIcon, RestoreIcon, TrashIcon } from '../ui/icons.tsx'
import { lazy } from '../ui/lazy.tsx'
import { useLoad } from '../ui/use-load.ts'
import classes from './trash-row.module.css'
import type { TrashActions } from './use-trash-actions.ts'

const TrashedDialog = lazy(() => import('./trashed-dialog.tsx'), 'TrashedDialog')

const ICONS = { note: NoteIcon, urllink: LinkIcon }

/** A deleted item: what it was, when it was deleted, and the ways back and out. Its title opens its whole text. */
export function TrashRow({ item, actions }: { item: TrashedItem; actions: TrashActions }) {
  const { id, kind, title, excerpt, url, tags, deleted_at, highlights } = item
  const [isAsking, setAsking] = useState(false)
  const [isReading, setReading] = useState<boolean>()
  const load = useLoad()
  const read = async () => {
    if (await load(TrashedDialog)) setReading(true)
  }
  const Icon = ICONS[kind]
  const host = url === undefined ? '' : readableHost(URL.parse(url)?.hostname ?? '')
  return (
    <li data-row className={classes.row}>
      <Icon className={classes.icon} />
      <SelectBox id={id} name={title} />
      <div className={classes.text}>
        <Anchor
          component="button"
          type="button"
          className={classes.title}
          dir="auto"
          c="inherit"
          aria-haspopup="dialog"
          onClick={() => void read()}
        >
          <Highlight text={title} ranges={highlights?.title} />
        </Anchor>
        {excerpt !== '' && (
          <Text size="sm" dir="auto">
            <Highlight text={excerpt} ranges={highlights?.excerpt} />
          </Text>
        )}
        <Text size="xs" c="dimmed">
          {t('trash.deleted')} <time dateTime={deleted_at}>{formatDateTime(deleted_at)}</time>
          {host && ` · ${host}`}
          {tags.map(({ id, name }, at) => (
            <Fragment key={id}>
              {at === 0 ? ' · ' : ', '}
              <Highlight text={name} ranges={highlights?.tags.find((tag) => tag.name === name)?.ranges} />
            </Fragment>
          ))}
        </Text>
      </div>
      <div className={classes.actions}>
        <ActionIcon
          variant="subtle"
          size="lg"
          disabled={actions.busy}
          aria-label={t('trash.restoreOne', { title })}
          title={t('trash.restore')}
          onClick={() => actions.restore([id])}
        >
          <RestoreIcon />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          color="red"
          size="lg"
          disabled={actions.busy}
          aria-label={t('trash.removeOne', { title })}
          title={t('trash.remove')}
          onClick={() => setAsking(true)}
        >
          <TrashIcon />
        </ActionIcon>
      </div>
      {isReading !== undefined && (
        <Suspense>
          <TrashedDialog
            item={item}
            opened={isReading}
            busy={actions.busy}
            onRestore={() => {
              setReading(false)
              actions.restore([id])
            }}
            onRemove={() => {
              setReading(false)
              setAsking(true)
            }}
            onClose={() => setReading(false)}
          />
        </Suspense>
      )}
      <ConfirmDialog
        opened={isAsking}
        title={t('items.deletion.title')}
        text={t('trash.removeOne.question', { title })}
        confirm={t('trash.remove')}
        busy={actions.busy}
        onConfirm={() => actions.removeForEver([id], () => setAsking(false))}
        onClose={() => setAsking(false)}
      />
    </li>
  )
}
