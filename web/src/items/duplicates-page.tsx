import { bulk } from '@kopilka/contract/bulk.ts'
import type { LinkSummary } from '@kopilka/contract/links.ts'
import { readableAddress } from '@kopilka/text/readable-address.ts'
import { Button, Group, Paper, Radio, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { refreshAll } from '../api/cache.ts'
import { callWithEtag } from '../api/call.ts'
import { duplicatesQuery } from '../api/history-queries.ts'
import { formatDateTime } from '../lib/format-date.ts'
import { t } from '../messages/lazy-messages.ts'
import { AnchorLink } from '../navigation/router-links.tsx'
import { SettingsList } from '../navigation/settings-list.tsx'
import { showMessage } from '../ui/snackbar.ts'
import { undoable } from '../undo/undoable.ts'

const route = getRouteApi('/main/profile/duplicates')

/** Pages that are kept twice or more: of each one link can be chosen that takes in the others. */
export function DuplicatesPage() {
  const { page = 1 } = route.useSearch()
  return (
    <SettingsList
      to="/profile/duplicates"
      page={page}
      list={useQuery(duplicatesQuery({ page }))}
      title={t('title.duplicates')}
      about={t('duplicates.about')}
      empty={t('duplicates.empty')}
    >
      {(groups) =>
        groups.map(({ count, results }) => (
          <DuplicateGroup key={results.map(({ id }) => id).join()} count={count} links={results} />
        ))
      }
    </SettingsList>
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
  [formatDateTime(created_at), readableAddress(url), ...tags.map(({ name }) => `#${name}`)].join(' · ')
