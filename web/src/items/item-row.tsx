import { readableHost } from '@kopilka/text/readable-address.ts'
import { Anchor, Text } from '@mantine/core'
import { formatDateTime } from '../lib/format-date.ts'
import { t } from '../messages/main-messages.ts'
import { AnchorLink, IconLink } from '../navigation/router-links.tsx'
import { SelectBox } from '../selection/select-box.tsx'
import { Highlight } from '../ui/highlight.tsx'
import { ExternalLinkIcon, InfoIcon, PinIcon } from '../ui/icons.tsx'
import { LoadingBar } from '../ui/loading-bar.tsx'
import { addressOf, type ItemKind, type ItemSummary } from './item-kind.ts'
import classes from './item-row.module.css'
import { ItemTags } from './item-tags.tsx'
import { useIsBeingRead } from './page-readings.ts'
import { UpdatedAt } from './updated-at.tsx'
import { WaitingMark } from './waiting-mark.tsx'

/** More tags would make the row taller than the item's text. */
const TAGS_IN_ROW = 10

interface ItemRowProps {
  kind: ItemKind
  item: ItemSummary
}

/** An item in a list: title, where from and when, the beginning of its text, tags, and the way to the whole. */
export function ItemRow({ kind, item }: ItemRowProps) {
  const address = addressOf(item)
  const isBeingRead = useIsBeingRead(item.id)
  const title = (
    <>
      {item.pinned && <Pinned />}
      <Highlight text={item.title} ranges={item.highlights?.title} />
    </>
  )
  const open = t(`${kind.textPrefix}.open`, { title: item.title })
  const wayToAllTags = (howMany: string) => (
    <AnchorLink to={kind.paths.item} params={{ id: item.id }} aria-label={`${howMany}. ${open}`} size="xs">
      {howMany}
    </AnchorLink>
  )
  return (
    <article className={classes.row}>
      <div className={classes.text}>
        {address === undefined ? (
          <AnchorLink
            to={kind.paths.item}
            params={{ id: item.id }}
            className={classes.title}
            dir="auto"
            c="inherit"
          >
            {title}
          </AnchorLink>
        ) : (
          <Anchor
            href={address}
            target="_blank"
            rel="noopener noreferrer"
            dir="auto"
            className={classes.title}
          >
            {title} <ExternalLinkIcon size={14} className={classes.external} />
          </Anchor>
        )}
        {isBeingRead && <Reading />}
        {item.excerpt !== '' && (
          <AnchorLink
            to={kind.paths.item}
            params={{ id: item.id }}
            // One of three ways to the same place: for the pointer.
            tabIndex={-1}
            size="sm"
            c="inherit"
            underline="never"
            dir="auto"
            className={classes.excerpt}
          >
            <Highlight text={item.excerpt} ranges={item.highlights?.excerpt} />
          </AnchorLink>
        )}
        <div className={classes.origin}>
          <Text size="xs" c="dimmed" component="time" dateTime={item.created_at}>
            {formatDateTime(item.created_at)}
          </Text>
          <UpdatedAt item={item} size="xs" />
          <WaitingMark id={item.id} size="xs" />
          {address !== undefined && (
            <Text size="xs" c="dimmed" span>
              {readableHost(URL.parse(address)?.hostname ?? '')}
            </Text>
          )}
          <ItemTags
            tags={item.tags}
            found={item.highlights?.tags}
            short={{ most: TAGS_IN_ROW, rest: wayToAllTags }}
          />
        </div>
      </div>
      <IconLink to={kind.paths.item} params={{ id: item.id }} variant="subtle" size="lg" aria-label={open}>
        <InfoIcon />
      </IconLink>
      <SelectBox id={item.id} name={item.title} />
    </article>
  )
}

/** Title, description and tags of the page are on their way. */
const Reading = () => (
  <div>
    <Text size="xs" c="dimmed" role="status">
      {t('links.readingPage')}
    </Text>
    <LoadingBar shown label={t('links.readingPage')} />
  </div>
)

const Pinned = () => (
  <PinIcon
    size={15}
    className={classes.pin}
    aria-hidden={false}
    role="img"
    aria-label={t('items.isPinned')}
  />
)
