import { PAGE_SIZE } from '@kopilka/contract/limits.ts'
import { Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { isMissing } from '../api/failure.ts'
import { failureText } from '../api/failure-text.ts'
import { type ListQuery, listQuery } from '../api/queries.ts'
import { t } from '../messages/main-messages.ts'
import { ButtonLink } from '../navigation/router-links.tsx'
import { PlusIcon, SortIcon } from '../ui/icons.tsx'
import { lazy } from '../ui/lazy.tsx'
import { ListFrame } from '../ui/list-frame.tsx'
import { LoadFailure } from '../ui/load-failure.tsx'
import { MenuButton } from '../ui/menu-button.tsx'
import { Pager, useLastPage } from '../ui/pager.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { ItemBreadcrumbs } from './item-breadcrumbs.tsx'
import type { ItemKind } from './item-kind.ts'
import { ItemList } from './item-list.tsx'
import { countToSelect, ItemSelection, searchShown } from './item-selection.tsx'
import { NoResults } from './no-results.tsx'
import { SearchedInstead } from './searched-instead.tsx'
import filterClasses from './tag-filter.module.css'
import { OnlyUntagged, TagFilter, TagPicker } from './tag-filter.tsx'

const OrderMenu = lazy(() => import('./order-menu.tsx'), 'OrderMenu')

/** All items of a kind, a page at a time. Page, search, tag and order live in the address. */
export function ListPage({ kind }: { kind: ItemKind }) {
  const query = useSearch({ from: `/main${kind.paths.list}` })
  const { page = 1, search = '', tag, untagged } = query
  const navigate = useNavigate()
  const router = useRouter()
  const list = useQuery(listQuery(kind, query))
  const found = list.isPlaceholderData ? undefined : list.data
  const count = list.data?.count ?? 0
  const pages = Math.ceil(count / PAGE_SIZE)

  /** The list as the address has it, from its first page, with these changes. */
  const placeOf = (change: ListQuery) => {
    const { search, page, ...rest } = { ...query, page: undefined, ...change }
    return {
      to: kind.paths.list,
      search: { search: search || undefined, ...rest, page: page === 1 ? undefined : page },
    }
  }
  const go = (change: ListQuery) => void navigate(placeOf(change))

  useLastPage(
    { ...list, page, pages },
    (last) => void navigate({ ...placeOf({ page: last }), replace: true }),
  )
  const filter = {
    kind: kind.one,
    ...searchShown(found, search),
    ...(tag !== undefined && { tag }),
    ...(untagged && { untagged: true }),
  }
  const isFiltered = search !== '' || tag !== undefined || untagged !== undefined
  // A tag: the one thing that a list may not find.
  const isUnknown = isMissing(list.error)
  const emptyHere =
    list.data?.count === 0 ? t(`${kind.textPrefix}.${isFiltered ? 'none' : 'empty'}`) : undefined
  const empty = isUnknown ? t('items.onlyTag.unknown') : emptyHere
  const alert = (
    <LoadFailure
      key={list.errorUpdatedAt}
      text={failureText(list.error, `${kind.textPrefix}.listFailure`)}
      onRetry={() => void list.refetch()}
    />
  )

  return (
    <Stack gap="md" maw={900} mx="auto">
      <ItemBreadcrumbs current={t(`${kind.textPrefix}.list`)} />
      <Group justify="space-between">
        <Title order={1} size="h2" tabIndex={-1}>
          {t(`${kind.textPrefix}.list`)}
        </Title>
        <ButtonLink to={kind.paths.add} leftSection={<PlusIcon size={18} />}>
          {t(`${kind.textPrefix}.create`)}
        </ButtonLink>
      </Group>
      <div className={filterClasses.row}>
        <SearchField
          syntax
          label={t(`${kind.textPrefix}.search`)}
          value={search}
          onSearch={(text) => go({ search: text, exact: undefined })}
        />
        {tag === undefined && untagged === undefined && <TagPicker onPick={(tag) => go({ tag })} />}
        <MenuButton
          label={t('items.order')}
          icon={<SortIcon />}
          active={query.sort !== undefined}
          Menu={OrderMenu}
          query={query}
          onChange={go}
        />
      </div>
      {tag !== undefined && <TagFilter tag={tag} clear={placeOf({ tag: undefined })} />}
      {untagged && <OnlyUntagged clear={placeOf({ untagged: undefined })} />}
      <Text size="sm" c="dimmed" role="status" hidden={search === ''}>
        {search !== '' && list.data && !list.isPlaceholderData && t(`${kind.textPrefix}.found`, { count })}
      </Text>
      <SearchedInstead found={found} typed={search} literal={placeOf({ exact: '1' })} />
      <ListFrame
        list={list}
        failure={isUnknown ? null : kind.alerts ? alert : undefined}
        empty={empty}
        emptyActions={
          <>
            {search !== '' && !isUnknown && <NoResults search={search} to={kind.paths.list} />}
            {!isFiltered && (
              <ButtonLink to={kind.paths.add} variant="light">
                {t(`${kind.textPrefix}.create`)}
              </ButtonLink>
            )}
          </>
        }
      >
        {list.data && <ItemList kind={kind} items={list.data.results} />}
      </ListFrame>
      <Pager
        page={page}
        pages={pages}
        hrefOf={(target) => router.buildLocation(placeOf({ page: target })).href}
        onPage={(target) => go({ page: target })}
      />
      <ItemSelection
        key={JSON.stringify({ search, tag, untagged, exact: query.exact })}
        filter={filter}
        count={countToSelect(found, found?.count)}
        items={list.data?.results ?? []}
      />
    </Stack>
  )
}
