import type { Tag } from '@kopilka/contract/tags.ts'
import { Button, Group, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Suspense, useEffect, useMemo, useState } from 'react'
import { TAG_ROWS, tagListQuery } from '../api/queries.ts'
import { ItemBreadcrumbs } from '../items/item-breadcrumbs.tsx'
import { t } from '../messages/main-messages.ts'
import { leaveList, useSelectedIds } from '../selection/selection.ts'
import { SortIcon } from '../ui/icons.tsx'
import { lazy } from '../ui/lazy.tsx'
import { ListFrame } from '../ui/list-frame.tsx'
import { MenuButton } from '../ui/menu-button.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { TagRows } from './tag-rows.tsx'

const TagBar = lazy(() => import('./tag-bar.tsx'), 'TagBar')
const TagOrderMenu = lazy(() => import('./tag-order-menu.tsx'), 'TagOrderMenu')

const route = getRouteApi('/main/tags')

const MORE_ROWS = 240

/** Most items first; of as many the order stays. */
const byCount = (one: Tag, other: Tag): number =>
  other.notes_count + other.urllinks_count - one.notes_count - one.urllinks_count

/** All tags with how much each holds. The search lives in the address. */
export function TagListPage() {
  const { search = '', sort } = route.useSearch()
  const navigate = useNavigate()
  const [rows, setRows] = useState(TAG_ROWS)
  // One more than shows: then there are more to show. The order by number needs all of them.
  const list = useQuery(tagListQuery(search, sort === undefined ? rows + 1 : undefined))
  const { data } = list
  const tags = useMemo(() => (sort === undefined ? data : data?.toSorted(byCount)), [data, sort])
  const isAny = useSelectedIds().size > 0
  const areSeveral = tags !== undefined && tags.length > 1
  // biome-ignore lint/correctness/useExhaustiveDependencies: another search shows other tags.
  useEffect(() => leaveList, [search])
  return (
    <Stack gap="md" maw={900} mx="auto">
      <ItemBreadcrumbs current={t('title.tags')} />
      <Group justify="space-between" wrap="nowrap">
        <Title order={1} size="h2" tabIndex={-1}>
          {t('title.tags')}
        </Title>
        {areSeveral && (
          <MenuButton
            label={t('items.order')}
            icon={<SortIcon />}
            active={sort === 'count'}
            Menu={TagOrderMenu}
            byCount={sort === 'count'}
            onChange={(byCount) =>
              void navigate({
                to: '/tags',
                search: { search: search || undefined, sort: byCount ? 'count' : undefined },
              })
            }
          />
        )}
      </Group>
      {(search !== '' || areSeveral) && (
        <SearchField
          live
          label={t('tags.search')}
          value={search}
          onSearch={(text) =>
            void navigate({
              to: '/tags',
              search: { search: text || undefined, sort },
              replace: search !== '',
            })
          }
        />
      )}
      <ListFrame
        list={list}
        empty={tags?.length === 0 ? t(search === '' ? 'tags.empty' : 'tags.none') : undefined}
      >
        {tags && <TagRows tags={tags.slice(0, rows)} />}
        {tags && tags.length > rows && (
          <Button
            variant="default"
            mt="xs"
            style={{ alignSelf: 'center' }}
            onClick={() => setRows(rows + MORE_ROWS)}
          >
            {t('tags.more')}
          </Button>
        )}
      </ListFrame>
      {isAny && (
        <Suspense>
          <TagBar />
        </Suspense>
      )}
    </Stack>
  )
}
