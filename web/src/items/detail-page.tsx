import { readableAddress } from '@kopilka/text/readable-address.ts'
import { Anchor, Divider, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { formatDateTime } from '../lib/format-date.ts'
import { t } from '../messages/messages.ts'
import { AnchorLink, ButtonLink } from '../navigation/router-links.tsx'
import { HtmlView } from '../ui/html-view.tsx'
import { EditIcon, ExternalLinkIcon } from '../ui/icons.tsx'
import { PageSkeleton } from '../ui/skeletons.tsx'
import { usePageTitle } from '../ui/use-page-title.ts'
import classes from './detail-page.module.css'
import { ItemFailure } from './item-failure.tsx'
import { addressOf, type Item, type ItemKind } from './item-kind.ts'
import { ItemTags } from './item-tags.tsx'
import { linkKind } from './link-kind.ts'
import { NoId } from './no-id.tsx'
import { noteKind } from './note-kind.ts'
import { RemoveButton } from './remove-button.tsx'
import { Trail } from './trail.tsx'

export const NotePage = () => <DetailPage kind={noteKind} />
export const LinkPage = () => <DetailPage kind={linkKind} />

function DetailPage({ kind }: { kind: ItemKind }) {
  const { id } = useParams({ strict: false })
  return (
    <Stack gap="md" maw={900} mx="auto">
      {id === undefined ? <NoId kind={kind} /> : <LoadedItem key={id} kind={kind} id={id} />}
    </Stack>
  )
}

const ItemTrail = ({ kind, current }: { kind: ItemKind; current: string }) => (
  <Trail current={current}>
    <AnchorLink to={kind.paths.list}>{t(`${kind.words}.list`)}</AnchorLink>
  </Trail>
)

function LoadedItem({ kind, id }: { kind: ItemKind; id: string }) {
  const { data, error, isPending, refetch } = kind.useOne(id)
  if (isPending) {
    return (
      <>
        <ItemTrail kind={kind} current="…" />
        <Paper withBorder p={{ base: 'md', xs: 'lg' }}>
          <PageSkeleton label={t('items.loading')} />
        </Paper>
      </>
    )
  }
  if (data === undefined) {
    return <ItemFailure kind={kind} failure={error} alert={false} onRetry={() => void refetch()} />
  }
  return <ItemView kind={kind} item={data.answer} />
}

/** An item as it reads, with all one can do to it. */
function ItemView({ kind, item }: { kind: ItemKind; item: Item }) {
  const address = addressOf(item)
  usePageTitle(item.title)
  return (
    <>
      <ItemTrail kind={kind} current={item.title} />
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
          {t('items.created')} <time dateTime={item.created_at}>{formatDateTime(item.created_at)}</time>
        </Text>
        <Divider />
        <HtmlView html={item.body} />
        <ItemTags tags={item.tags} />
        <Group gap="sm" mt="xs" data-screen-only>
          <ButtonLink to={kind.paths.edit} params={{ id: item.id }} leftSection={<EditIcon size={18} />}>
            {t('items.edit')}
          </ButtonLink>
          <RemoveButton kind={kind} id={item.id} />
        </Group>
      </Paper>
    </>
  )
}
