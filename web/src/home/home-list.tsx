import { Group, Paper, Title } from '@mantine/core'
import { useId } from 'react'
import type { ItemKind, ItemSummary } from '../items/item-kind.ts'
import { ItemList } from '../items/item-list.tsx'
import { t } from '../messages/main-messages.ts'
import { AnchorLink, ButtonLink, IconLink } from '../navigation/router-links.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { PlusIcon } from '../ui/icons.tsx'
import { ListSkeleton } from '../ui/skeletons.tsx'
import classes from './home-page.module.css'

interface HomeListProps {
  kind: ItemKind
  /** Absent while loading and after a failure. */
  items: ItemSummary[] | undefined
  pending: boolean
  /** The items are of the previous search; the new one is under way. */
  stale: boolean
  /** The current search. */
  search: string | undefined
  exact: '1' | undefined
  /** How many match the search in all. */
  count: number | undefined
}

/** One of the two lists: a heading, the items, and where to see more. */
export function HomeList(props: HomeListProps) {
  const { kind, items, pending, stale, search, exact, count } = props
  const heading = useId()
  return (
    <section aria-labelledby={heading} aria-busy={pending || stale} className={classes.list} id={kind.name}>
      <Group gap="xs" align="center" mih={34}>
        <Title order={2} size="h3" id={heading} tabIndex={-1} className={classes.heading ?? ''}>
          {t(`${kind.textPrefix}.list`)}
        </Title>
        {items && items.length > 0 && (
          <IconLink
            to={kind.paths.add}
            variant="subtle"
            size="lg"
            aria-label={t(`${kind.textPrefix}.create`)}
            title={t(`${kind.textPrefix}.create`)}
          >
            <PlusIcon />
          </IconLink>
        )}
        {search !== undefined && !stale && count !== undefined && count > 0 && (
          <AnchorLink to={kind.paths.list} search={{ search, exact }} size="sm" ml="auto">
            {t(`${kind.textPrefix}.found`, { count })}
          </AnchorLink>
        )}
      </Group>
      {pending && (
        <Paper withBorder p="md">
          <ListSkeleton />
        </Paper>
      )}
      {items && items.length > 0 && <ItemList kind={kind} items={items} />}
      {items?.length === 0 && <NoItems kind={kind} search={search} />}
    </section>
  )
}

function NoItems({ kind, search }: Pick<HomeListProps, 'kind' | 'search'>) {
  return (
    <Paper withBorder>
      <EmptyState text={t(`${kind.textPrefix}.${search === undefined ? 'empty' : 'none'}`)}>
        <ButtonLink to={kind.paths.add} variant="light">
          {t(`${kind.textPrefix}.create`)}
        </ButtonLink>
      </EmptyState>
    </Paper>
  )
}
