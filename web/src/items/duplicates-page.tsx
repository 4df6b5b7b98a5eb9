import { bulk } from '@kopilka/contract/bulk.ts'
import { PAGE_SIZE } from '@kopilka/contract/limits.ts'
import type { LinkSummary } from '@kopilka/contract/links.ts'
import { readableAddress } from '@kopilka/text/readable-address.ts'
import { Button, Group, Paper, Radio, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate, useRouter } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { refreshAll } from '../api/cache.ts'
import { callWithEtag } from '../api/call.ts'
import { duplicatesQuery } from '../api/history-queries.ts'
import { formatDateTime } from '../lib/format-date.ts'
import { t } from '../messages/lazy-messages.ts'
import { AnchorLink } from '../navigation/router-links.tsx'
import { Breadcrumbs } from '../ui/breadcrumbs.tsx'
import { ListFrame } from '../ui/list-frame.tsx'
import { Pager } from '../ui/pager.tsx'
import { showMessage } from '../ui/snackbar.ts'
import { undoable } from '../undo/undoable.ts'
import { dropDrafts } from './drop-drafts.ts'

const route = getRouteApi('/main/profile/duplicates')

/** Pages that are kept twice or more: of each one link can be chosen that takes in the others. */
export function DuplicatesPage() {
  const { page = 1 } = route.useSearch()
  const navigate = useNavigate()
  const router = useRouter()
  const list = useQuery(duplicatesQuery({ page }))
  const { data } = list
  const pages = Math.ceil((data?.count ?? 0) / PAGE_SIZE)
  const placeOf = (page: number) => ({
    to: '/profile/duplicates' as const,
    search: { page: page === 1 ? undefined : page },
  })
  return (
    <Stack gap="md" maw={900} mx="auto">
      <Breadcrumbs current={t('title.duplicates')}>
        <AnchorLink to="/home">{t('title.home')}</AnchorLink>
        <AnchorLink to="/profile">{t('title.profile')}</AnchorLink>
      </Breadcrumbs>
      <Title order={1} size="h2" tabIndex={-1}>
        {t('title.duplicates')}
      </Title>
      <Text c="dimmed" size="sm">
        {t('duplicates.about')}
      </Text>
      <ListFrame list={list} empty={data?.results.length === 0 ? t('duplicates.empty') : undefined}>
        {data?.results.map(({ count, results }) => (
          <DuplicateGroup key={results.map(({ id }) => id).join()} count={count} links={results} />
        ))}
      </ListFrame>
      <Pager
        page={page}
        pages={pages}
        hrefOf={(target) => router.buildLocation(placeOf(target)).href}
        onPage={(target) => void navigate(placeOf(target))}
      />
    </Stack>
  )
}

interface DuplicateGroupProps {
  /** How many there are, more perhaps than are shown. */
  count: number
  /** The newest first. */
  links: readonly LinkSummary[]
}

/** Links to one page: the chosen one gets the tags, the texts and the oldest date of the others. */
function DuplicateGroup({ count, links }: DuplicateGroupProps) {
  const name = useId()
  const queryClient = useQueryClient()
  const [keep, setKeep] = useState(links[0]?.id ?? '')
  const others = links.map(({ id }) => id).filter((id) => id !== keep)
  const merging = useMutation({
    meta: { failure: 'duplicates.mergeFailure' },
    mutationFn: () => callWithEtag(bulk.merge, { body: { keep, merge: others } }),
    onSuccess: async ({ operation }) => {
      showMessage(t('duplicates.merged'), 'success', undoable(queryClient, operation))
      void dropDrafts(queryClient, others)
      await refreshAll(queryClient)
    },
  })
  const address = readableAddress(links[0]?.url ?? '')
  return (
    <Paper withBorder component="section" aria-labelledby={name} p="md">
      <Stack gap="sm">
        <Text fw={600} id={name} dir="ltr" style={{ overflowWrap: 'anywhere' }}>
          {address}
        </Text>
        <Stack gap="sm" role="radiogroup" aria-label={t('duplicates.keep')}>
          {links.map((link) => (
            <Radio
              key={link.id}
              name={name}
              checked={link.id === keep}
              onChange={() => setKeep(link.id)}
              label={link.title}
              description={aboutOf(link)}
              styles={{ label: { overflowWrap: 'anywhere' }, description: { overflowWrap: 'anywhere' } }}
            />
          ))}
        </Stack>
        {count > links.length && (
          <Text size="sm" c="dimmed">
            {t('duplicates.more', { count: count - links.length })}
          </Text>
        )}
        <Group>
          <Button
            variant="default"
            loading={merging.isPending}
            aria-label={t('duplicates.mergeOne', { address })}
            onClick={() => merging.mutate()}
          >
            {t('duplicates.merge')}
          </Button>
          <AnchorLink to="/urllinks/$id" params={{ id: keep }} size="sm">
            {t('duplicates.open')}
          </AnchorLink>
        </Group>
      </Stack>
    </Paper>
  )
}

const aboutOf = ({ url, created_at, tags }: LinkSummary): string =>
  [formatDateTime(created_at), url, ...tags.map(({ name }) => `#${name}`)].join(' · ')
