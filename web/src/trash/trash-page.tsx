import { PAGE_SIZE } from '@kopilka/contract/limits.ts'
import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate, useRouter } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { trashQuery } from '../api/history-queries.ts'
import { t } from '../messages/lazy-messages.ts'
import { ConfirmDialog } from '../navigation/confirm-dialog.tsx'
import { OperationProgress } from '../navigation/late-operation-progress.ts'
import { AnchorLink } from '../navigation/router-links.tsx'
import { leaveList, useSelectedIds } from '../selection/selection.ts'
import { Breadcrumbs } from '../ui/breadcrumbs.tsx'
import { TrashIcon } from '../ui/icons.tsx'
import { ListFrame } from '../ui/list-frame.tsx'
import { Pager, useLastPage } from '../ui/pager.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { TrashBar } from './trash-bar.tsx'
import classes from './trash-page.module.css'
import { TrashRow } from './trash-row.tsx'
import { type AllFound, useTrashActions } from './use-trash-actions.ts'

const route = getRouteApi('/main/trash')

/** What was deleted, the last first: to be brought back or deleted for ever. Page and search live in the address. */
export function TrashPage() {
  const { page = 1, search = '' } = route.useSearch()
  const navigate = useNavigate()
  const router = useRouter()
  const list = useQuery(trashQuery({ page, search }))
  const { data } = list
  const actions = useTrashActions()
  const [isClearing, setClearing] = useState(false)
  /** What the question names: the list may be read again while it is open. */
  const [asked, setAsked] = useState<AllFound>()
  const isAny = useSelectedIds().size > 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: another search shows other things.
  useEffect(() => leaveList, [search])

  // The bar of a selection shows it by itself.
  const progress = actions.busy && !isAny && (
    <Suspense>
      <OperationProgress busy source={actions.progress} />
    </Suspense>
  )
  const { count = 0, as_of = '0' } = data ?? {}
  /** What the list shows, and counts, is what was searched for before. */
  const isOld = list.isPlaceholderData
  const pages = Math.ceil(count / PAGE_SIZE)
  const placeOf = (page: number, text = search) => ({
    to: '/trash' as const,
    search: { search: text || undefined, page: page === 1 ? undefined : page },
  })
  const askToClear = () => {
    setAsked({ search, count, as_of })
    setClearing(true)
  }
  useLastPage({ ...list, page, pages }, (last) => void navigate({ ...placeOf(last), replace: true }))

  return (
    <Stack gap="md" maw={900} mx="auto">
      <Breadcrumbs current={t('title.trash')}>
        <AnchorLink to="/home">{t('title.home')}</AnchorLink>
      </Breadcrumbs>
      <Group justify="space-between">
        <Title order={1} size="h2" tabIndex={-1}>
          {t('title.trash')}
        </Title>
        {count > 0 && (
          <Group gap="xs" className={classes.buttons ?? ''} data-vanishes>
            <Button
              variant="default"
              disabled={actions.busy || isOld}
              onClick={() => actions.restoreAll(search)}
            >
              {t(search === '' ? 'trash.restoreAll' : 'trash.restoreFound')}
            </Button>
            {search === '' && (
              <Button
                variant="light"
                color="red"
                leftSection={<TrashIcon size={18} />}
                disabled={actions.busy || isOld}
                onClick={askToClear}
              >
                {t('trash.removeAll')}
              </Button>
            )}
          </Group>
        )}
      </Group>
      <Text c="dimmed" size="sm">
        {data?.kept_days === undefined ? t('trash.about') : t('trash.aboutKept', { days: data.kept_days })}{' '}
        {!isClearing && progress}
      </Text>
      {(search !== '' || count > 0) && (
        <SearchField
          label={t('trash.search')}
          value={search}
          onSearch={(text) => void navigate(placeOf(1, text))}
        />
      )}
      {search !== '' && data && (
        <Text size="sm" c="dimmed" role="status">
          {!isOld && t('trash.found', { count })}
        </Text>
      )}
      <ListFrame
        list={list}
        busy={actions.busy}
        empty={data?.count === 0 ? t(search === '' ? 'trash.empty' : 'trash.none') : undefined}
      >
        <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
          {data?.results.map((item) => (
            <TrashRow key={item.id} item={item} actions={actions} />
          ))}
        </Stack>
      </ListFrame>
      <Pager
        page={page}
        pages={pages}
        hrefOf={(target) => router.buildLocation(placeOf(target)).href}
        onPage={(target) => void navigate(placeOf(target))}
      />
      {isAny && (
        <Suspense>
          <TrashBar actions={actions} search={search} found={isOld ? undefined : { count, as_of }} />
        </Suspense>
      )}
      <ConfirmDialog
        opened={isClearing}
        title={t('items.deletion.title')}
        text={t('trash.removeAll.question', { count: asked?.count ?? 0 })}
        confirm={t('trash.removeAll')}
        busy={actions.busy}
        progress={isClearing && progress}
        onConfirm={() => asked && actions.removeForEver(asked, () => setClearing(false))}
        onClose={() => setClearing(false)}
      />
    </Stack>
  )
}
