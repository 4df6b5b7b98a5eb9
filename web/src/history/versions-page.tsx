import { picturesIn, type ShownPicture } from '@kopilka/text/html-pictures.ts'
import { htmlToText } from '@kopilka/text/html-to-text.ts'
import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { cacheUpdated, refreshAll } from '../api/cache.ts'
import { callWithEtag } from '../api/call.ts'
import { CallFailure } from '../api/failure.ts'
import { aboutFailure, failureText } from '../api/failure-text.ts'
import { versionQuery, versionsQuery } from '../api/history-queries.ts'
import { itemQuery } from '../api/queries.ts'
import { ItemBreadcrumbs } from '../items/item-breadcrumbs.tsx'
import { type ItemKind, type ItemValues, namesOf, textOf, toForm } from '../items/item-kind.ts'
import { formatDateTime } from '../lib/format-date.ts'
import { t } from '../messages/lazy-messages.ts'
import { AnchorLink } from '../navigation/router-links.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Retry } from '../ui/load-failure.tsx'
import { LoadingBar } from '../ui/loading-bar.tsx'
import { PageSkeleton } from '../ui/skeletons.tsx'
import { showMessage } from '../ui/snackbar.ts'
import { usePageTitle } from '../ui/use-page-title.ts'
import { undoable } from '../undo/undoable.ts'
import { Comparison, type FieldTexts } from './comparison.tsx'
import classes from './versions-page.module.css'

/** The earlier versions of an item: which there are, what has changed since, the way back. */
export function VersionsPage({ kind }: { kind: ItemKind }) {
  const { id } = useParams({ from: `/main${kind.paths.versions}` })
  const { revision } = useSearch({ from: `/main${kind.paths.versions}` })
  const { data: item } = useSuspenseQuery(itemQuery(kind, id))
  const { data: versions, isPending, isError, refetch } = useQuery(versionsQuery(kind, id))
  const chosen =
    versions?.results.find((version) => String(version.revision) === revision) ?? versions?.results[0]
  const { title } = item.value
  usePageTitle(`${t('title.versions')}: ${title}`)
  return (
    <Stack gap="md">
      <ItemBreadcrumbs current={t('title.versions')}>
        <AnchorLink to={kind.paths.list}>{t(`${kind.textPrefix}.list`)}</AnchorLink>
        <AnchorLink to={kind.paths.item} params={{ id }} dir="auto">
          {title}
        </AnchorLink>
      </ItemBreadcrumbs>
      <Title order={1} size="h2" tabIndex={-1}>
        {t('title.versions')}
      </Title>
      {isPending && <PageSkeleton />}
      {isError && <Retry onRetry={() => void refetch()} />}
      {versions?.results.length === 0 && (
        <Paper withBorder>
          <EmptyState text={t('versions.empty')}>
            <Text size="sm" c="dimmed">
              {t('versions.emptyAbout')}
            </Text>
          </EmptyState>
        </Paper>
      )}
      {versions && chosen && (
        <div className={classes.columns}>
          <nav aria-label={t('versions.list')}>
            <ul className={classes.list}>
              {versions.results.map((version) => (
                <li key={version.revision}>
                  <Link
                    to={kind.paths.versions}
                    params={{ id }}
                    search={{ revision: String(version.revision) }}
                    replace
                    resetScroll={false}
                    className={classes.version ?? ''}
                    aria-current={version === chosen || undefined}
                  >
                    <time dateTime={version.saved_at}>{formatDateTime(version.saved_at)}</time>
                    <span className={classes.title} dir="auto">
                      {version.title}
                    </span>
                    <span className={classes.text} dir="auto">
                      {version.excerpt}
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
          <Version kind={kind} id={id} revision={String(chosen.revision)} savedAt={chosen.saved_at} />
        </div>
      )}
    </Stack>
  )
}

interface VersionProps {
  kind: ItemKind
  id: string
  revision: string
  savedAt: string
}

/** One version against the present one. */
function Version({ kind, id, revision, savedAt }: VersionProps) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { data: item } = useSuspenseQuery(itemQuery(kind, id))
  const { data: version, isFetching } = useQuery(versionQuery(kind, id, revision))
  const restoring = useMutation({
    meta: { failure: 'screen' },
    mutationFn: () =>
      callWithEtag(kind.calls.restoreVersion, { params: { id, revision } }, { ifMatch: item.etag }),
    onSuccess: async (saved) => {
      cacheUpdated(queryClient, kind, saved)
      showMessage(t('versions.restored'), 'success', undoable(queryClient, saved.operation))
      await navigate({ to: kind.paths.item, params: { id } })
    },
    onError: async (failure) => {
      const status = failure instanceof CallFailure && failure.status
      // The end of a session shows its own message.
      if (status === 401) return
      const text = status === 412 ? t('versions.changed') : failureText(failure, 'versions.restoreFailure')
      showMessage(text, 'error', { about: aboutFailure(failure) })
      // Shows what a restoration would replace.
      await refreshAll(queryClient)
    },
  })
  const textsOf = (values: ReturnType<typeof toForm>): FieldTexts =>
    Object.fromEntries(
      kind.fields.map(({ name, input }) => {
        const value = values[name]
        const text = input === 'text' ? htmlToText(textOf(value)) : textOf(value)
        return [name, input === 'tags' ? namesOf(value) : text]
      }),
    )
  /** Whether the fields hold the same HTML as well, not only the same text. */
  const isSameSource = (before: ItemValues, now: ItemValues): boolean =>
    kind.fields.every(({ name }) => textOf(before[name]) === textOf(now[name]))
  const picturesOf = (values: ReturnType<typeof toForm>): ShownPicture[] =>
    kind.fields
      .filter(({ input }) => input === 'text')
      .flatMap(({ name }) => picturesIn(textOf(values[name])))
  return (
    <Stack gap="sm" miw={0} pos="relative">
      <div className={classes.busy}>
        <LoadingBar shown={isFetching} />
      </div>
      {version && (
        <>
          <Group>
            <Button loading={restoring.isPending} onClick={() => restoring.mutate()}>
              {t('versions.restore')}
            </Button>
          </Group>
          <Comparison
            name={t('versions.of', { at: formatDateTime(savedAt) })}
            fields={kind.fields}
            before={textsOf({ ...version, revision: undefined })}
            now={textsOf(toForm(kind, item.value))}
            isSameSource={isSameSource({ ...version, revision: undefined }, toForm(kind, item.value))}
            pictures={{
              before: picturesOf({ ...version, revision: undefined }),
              after: picturesOf(toForm(kind, item.value)),
            }}
          />
        </>
      )}
    </Stack>
  )
}
