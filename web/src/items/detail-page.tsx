import { readableAddress } from '@kopilka/text/readable-address.ts'
import { Anchor, Divider, Paper, Stack, Text, Title } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import type { CallFailure } from '../api/failure.ts'
import { itemQuery } from '../api/queries.ts'
import { formatDateTime } from '../lib/format-date.ts'
import { NETWORK } from '../lib/network.ts'
import { t } from '../messages/main-messages.ts'
import { AnchorLink } from '../navigation/router-links.tsx'
import { HtmlView } from '../ui/html-view.tsx'
import { ExternalLinkIcon, PinIcon } from '../ui/icons.tsx'
import { PageSkeleton } from '../ui/skeletons.tsx'
import { showMessage } from '../ui/snackbar.ts'
import { usePageTitle } from '../ui/use-page-title.ts'
import classes from './detail-page.module.css'
import { ItemActions } from './item-actions.tsx'
import { ItemBreadcrumbs } from './item-breadcrumbs.tsx'
import { ItemFailure, ItemNotFound } from './item-failure.tsx'
import { addressOf, bodyOf, type ItemKind } from './item-kind.ts'
import { ItemTags } from './item-tags.tsx'
import { SimilarItems } from './similar-items.tsx'
import { UpdatedAt } from './updated-at.tsx'
import { WaitingMark } from './waiting-mark.tsx'

interface KindProps {
  kind: ItemKind
}

/** The frame of every state of the screen, so that nothing jumps. */
const Frame = ({ kind, current, children }: KindProps & { current?: string; children: ReactNode }) => (
  <Stack gap="md" maw={900} mx="auto">
    {current !== undefined && (
      <ItemBreadcrumbs current={current}>
        <AnchorLink to={kind.paths.list}>{t(`${kind.textPrefix}.list`)}</AnchorLink>
      </ItemBreadcrumbs>
    )}
    {children}
  </Stack>
)

export const DetailPending = ({ kind }: KindProps) => (
  <Frame kind={kind} current="…">
    <Paper withBorder p={{ base: 'md', xs: 'lg' }}>
      <PageSkeleton />
    </Paper>
  </Frame>
)

export const DetailFailure = ({ kind }: KindProps & { failure: CallFailure }) => (
  <Frame kind={kind}>
    <ItemFailure kind={kind} />
  </Frame>
)

export const DetailNotFound = ({ kind, data }: KindProps & { data?: unknown }) => (
  <Frame kind={kind}>
    <ItemNotFound kind={kind} failure={data} />
  </Frame>
)

const Pinned = () => (
  <span className={classes.pinned}>
    <PinIcon size={14} /> {t('items.isPinned')}
  </span>
)

/** An item with its text and its actions. */
export function DetailPage({ kind }: KindProps) {
  const { id } = useParams({ from: `/main${kind.paths.item}` })
  const { data } = useSuspenseQuery(itemQuery(kind, id))
  const item = data.value
  const address = addressOf(item)
  usePageTitle(item.title)
  const body = useRef<HTMLDivElement>(null)
  const [long, setLong] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has another height.
  useLayoutEffect(() => setLong((body.current?.offsetHeight ?? 0) > window.innerHeight), [item])
  const queryClient = useQueryClient()
  const tick = async (task: number, done: boolean): Promise<boolean> => {
    try {
      const { saveTick } = await import('./save-tick.ts')
      return await saveTick(queryClient, kind, id, task, done)
    } catch {
      showMessage(t('failure.noResponse'), 'error', { about: NETWORK })
      return false
    }
  }
  const keepPicture = async (src: string): Promise<boolean> => {
    try {
      const { keepPicture } = await import('./keep-picture.ts')
      return await keepPicture(queryClient, kind, id, src)
    } catch {
      showMessage(t('failure.noResponse'), 'error', { about: NETWORK })
      return false
    }
  }
  const actions = <ItemActions kind={kind} item={item} body={body} />
  return (
    <Frame kind={kind} current={item.title}>
      <Paper withBorder component="article" className={classes.item} p={{ base: 'md', xs: 'lg' }}>
        <Title order={1} size="h2" tabIndex={-1} dir="auto" className={classes.long}>
          {item.title}
        </Title>
        {address !== undefined && (
          <Anchor href={address} target="_blank" rel="noopener noreferrer" className={classes.long} dir="ltr">
            {readableAddress(address)} <ExternalLinkIcon size={14} />
          </Anchor>
        )}
        <Text size="sm" c="dimmed">
          {t('items.created')} <time dateTime={item.created_at}>{formatDateTime(item.created_at)}</time>{' '}
          <UpdatedAt item={item} size="sm" /> {item.pinned && <Pinned />} <WaitingMark id={id} size="sm" />
        </Text>
        {long && actions}
        <Divider />
        <div ref={body}>
          <HtmlView html={bodyOf(item)} onTick={tick} onKeepPicture={keepPicture} />
        </div>
        <ItemTags tags={item.tags} />
        {actions}
      </Paper>
      <SimilarItems kind={kind} id={id} />
    </Frame>
  )
}
