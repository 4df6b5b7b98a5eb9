import { type Import, imports } from '@kopilka/contract/imports.ts'
import { operations } from '@kopilka/contract/operations.ts'
import { Button, Paper, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useId, useRef } from 'react'
import { refreshAll } from '../api/cache.ts'
import { call } from '../api/call.ts'
import { importQuery, importsQuery, POLL_MS } from '../api/import-queries.ts'
import { t } from '../messages/data-messages.ts'
import { lazy } from '../ui/lazy.tsx'
import { ListSkeleton } from '../ui/skeletons.tsx'
import { showMessage } from '../ui/snackbar.ts'
import { undoable } from '../undo/undoable.ts'
import { DropArea } from './drop-area.tsx'
import { FileChoice } from './file-choice.tsx'
import { formatName, importName } from './format-names.ts'
import { ImportResult } from './import-result.tsx'
import classes from './import-section.module.css'
import { ProgressReport } from './progress-report.tsx'
import { UploadReport } from './upload-report.tsx'
import { dropUpload, startUpload, takeOffered, type Upload, useUpload } from './uploads.ts'
import { useFocusKept } from './use-focus-kept.ts'

const ImportReview = lazy(() => import('./import-review.tsx'), 'ImportReview')

const isOpen = ({ state }: Import): boolean => state === 'reading' || state === 'ready' || state === 'running'

/** The import that is not over yet, else the last one; absent while that is not known, null where there is none. */
const useCurrentImport = () => {
  const list = useQuery(importsQuery)
  const latest = list.data?.results.find(isOpen) ?? list.data?.results[0]
  const one = useQuery({ ...importQuery(latest?.id ?? ''), enabled: latest !== undefined && isOpen(latest) })
  const current = list.data && ((one.data?.id === latest?.id ? one.data : latest) ?? null)
  return { current, isError: list.isError, refetch: list.refetch }
}

/** What a file that has been read holds, and in what format. */
const foundIn = ({ summary, format }: Import): string =>
  t('import.found', { ...summary, format: formatName(format) })

/** The share of its work that an import has done; absent where that is not known. */
const shareOf = ({ done, total }: Import): number | undefined => (total > 0 ? done / total : undefined)

/** What a screen reader hears of the progress: no more than ten times. */
const spokenProgress = (upload: Upload | undefined, current: Import | null | undefined): string => {
  const of = (what: string, share = 0) =>
    t('import.progress.spoken', { what, percent: Math.floor(share * 10) * 10 })
  if (upload) return upload.failure ? '' : of(t('import.uploading', { name: upload.file.name }), upload.share)
  if (current?.state === 'reading') return t('import.reading')
  if (current?.state === 'running') return of(t('import.running'), shareOf(current))
  if (current?.state === 'ready') return foundIn(current)
  return ''
}

/** Takes over what another program exported: a file is sent, looked at, and saved once somebody has said how. */
export function ImportSection() {
  const heading = useId()
  const title = useRef<HTMLHeadingElement>(null)
  const queryClient = useQueryClient()
  const upload = useUpload()
  const { current, isError, refetch } = useCurrentImport()
  const isBusy = upload !== undefined || (current != null && isOpen(current))
  const view = upload ? (upload.failure ? 'failure' : 'upload') : isBusy ? current?.state : 'choice'
  useFocusKept(view, title)
  useRefreshAfterImport(current)
  const take = (file: File) => {
    if (isBusy && !upload?.failure) showMessage(t('import.busy'), 'error')
    else if (file.size === 0) showMessage(t('import.emptyFile', { name: file.name }), 'error')
    else void startUpload(queryClient, file)
  }
  useEffect(() => {
    if (current === undefined) return
    const file = takeOffered()
    if (file) take(file)
  })
  return (
    <Paper withBorder component="section" aria-labelledby={heading} p={{ base: 'md', xs: 'lg' }}>
      <DropArea onFile={take} />
      <Stack gap="md">
        <Title order={2} size="h4" id={heading} ref={title} className={classes.title ?? ''}>
          {t('import.title')}
        </Title>
        <VisuallyHidden role="status">{spokenProgress(upload, current)}</VisuallyHidden>
        {upload && (
          <UploadReport
            upload={upload}
            onRetry={() => void startUpload(queryClient, upload.file)}
            onDrop={dropUpload}
          />
        )}
        {upload?.failure && <FileChoice onFile={take} />}
        {!upload && current === undefined && !isError && <ListSkeleton />}
        {!upload && current === undefined && isError && (
          <Button variant="default" style={{ alignSelf: 'start' }} onClick={() => void refetch()}>
            {t('items.retry')}
          </Button>
        )}
        {!upload && current && isOpen(current) && <OpenImport current={current} />}
        {!isBusy && current !== undefined && (
          <>
            <Text size="sm" c="dimmed">
              {t('import.about')}
            </Text>
            <FileChoice onFile={take} />
            {current && <ImportResult ended={current} />}
          </>
        )}
      </Stack>
    </Paper>
  )
}

/** The lists show what an import has brought once it is over, and the snackbar offers to undo it. */
const useRefreshAfterImport = (current: Import | null | undefined): void => {
  const queryClient = useQueryClient()
  const before = useRef<Import['state']>(undefined)
  useEffect(() => {
    const was = before.current
    before.current = current?.state
    // One that was cancelled is still to be taken back.
    if (was !== 'running' || current?.state === 'running' || current?.state === 'cancelled') return
    void refreshAll(queryClient)
    const undo = undoable(queryClient, current?.operation)
    if (current?.state === 'done') showMessage(t('import.done'), 'success', undo)
    else if (current?.operation !== undefined) showMessage(t('import.failedPart'), 'error', undo)
  }, [current, queryClient])
}

/** Times that an import which is taken back is asked about. */
const MAX_POLLS = 600

/** Waits until what a cancelled import had added is gone. Resolves to whether it is: calls that fail are made again. */
async function isTakenBack(id: string): Promise<boolean> {
  for (let polls = 0; polls < MAX_POLLS; polls += 1) {
    const isDone = async () => {
      const { operation } = await call(imports.read, { params: { id } })
      if (operation === undefined) return true
      const { results } = await call(operations.list, { query: {} })
      return results.some((one) => one.id === operation && one.undone_at !== null)
    }
    if (await isDone().catch(() => false)) return true
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  return false
}

/** An import that is being read, waits for a decision or runs. */
function OpenImport({ current }: { current: Import }) {
  const { id, name, state, done, total } = current
  const queryClient = useQueryClient()
  /** Another tab may have run or cancelled it. */
  const readAgain = () => {
    for (const { queryKey } of [importQuery(id), importsQuery])
      void queryClient.invalidateQueries({ queryKey })
  }
  const cancelling = useMutation({
    meta: { failure: 'import.cancelFailure' },
    mutationFn: async () => {
      await call(imports.cancel, { params: { id } })
      if (state !== 'running') return true
      showMessage(t('import.takingBack'), 'info')
      return await isTakenBack(id)
    },
    onSuccess: async (isGone) => {
      await refreshAll(queryClient)
      if (isGone) showMessage(t('import.cancelled'), 'info')
    },
    onError: readAgain,
  })
  const stop = () => cancelling.mutate()
  if (state === 'ready') {
    return (
      <Stack gap="md">
        <div>
          <Text fw={600} style={{ overflowWrap: 'anywhere' }} dir="auto">
            {name}
          </Text>
          <Text size="sm" c="dimmed">
            {foundIn(current)}
          </Text>
        </div>
        <Suspense fallback={<ListSkeleton />}>
          <ImportReview
            found={current}
            discarding={cancelling.isPending}
            onDiscard={stop}
            onFailed={readAgain}
            onStarted={(started) => queryClient.setQueryData(importQuery(id).queryKey, started)}
          />
        </Suspense>
      </Stack>
    )
  }
  return (
    <ProgressReport
      title={[t(state === 'reading' ? 'import.reading' : 'import.running'), importName(current)]
        .filter(Boolean)
        .join(': ')}
      text={total > 0 ? t('import.progress', { done, total }) : t('import.progress.read', { done })}
      share={shareOf(current)}
      about={t(state === 'reading' ? 'import.reading.about' : 'import.running.about')}
      stopping={cancelling.isPending}
      onStop={stop}
    />
  )
}
