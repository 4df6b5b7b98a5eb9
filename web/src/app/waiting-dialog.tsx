import { tags } from '@kopilka/contract/tags.ts'
import { Button, Group, Stack, Text, UnstyledButton } from '@mantine/core'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type FocusEvent, useEffect, useRef, useState } from 'react'
import { withToken } from '../api/call.ts'
import { CallFailure, isMissing } from '../api/failure.ts'
import { failureText } from '../api/failure-text.ts'
import { meQuery } from '../api/queries.ts'
import { send, type Versioned } from '../api/send.ts'
import { useWaiting, type Waiting } from '../api/waiting.ts'
import { storeValues } from '../forms/stored-values.ts'
import { ConflictDialog } from '../items/conflict-dialog.tsx'
import { formOf, keepDraft } from '../items/draft.ts'
import { type Item, type ItemKind, type ItemValues, toForm } from '../items/item-kind.ts'
import { linkKind } from '../items/link-kind.ts'
import { noteKind } from '../items/note-kind.ts'
import { beginNextWith } from '../items/open-draft.ts'
import { formatDateTime } from '../lib/format-date.ts'
import { useReachable } from '../lib/network.ts'
import { t } from '../messages/offline-messages.ts'
import { ConfirmDialog } from '../navigation/confirm-dialog.tsx'
import { useBackCloses } from '../navigation/use-back-closes.ts'
import {
  discard,
  discardUnreadable,
  idOnServer,
  isStorageFull,
  keepBoth,
  keepMine,
  ownName,
  ownVersion,
  sendAgain,
  takeRemovalBack,
  versionBefore,
  waitingChanges,
} from '../offline/decide.ts'
import { type Entry, isRemoval } from '../offline/entry.ts'
import type { Unreadable } from '../offline/outbox.ts'
import { hideQuestion } from '../offline/rounds.ts'
import { Dialog, type OverlayProps } from '../ui/dialog.tsx'
import { showMessage } from '../ui/snackbar.ts'
import classes from './waiting-dialog.module.css'

const KINDS = { note: noteKind, urllink: linkKind } as const

const kindOf = ({ change }: Entry): ItemKind | undefined =>
  'kind' in change ? KINDS[change.kind] : undefined

/** Undefined where the server says that there is no such thing. */
const ifThere = async <T,>(reading: Promise<T>): Promise<T | undefined> => {
  try {
    return await reading
  } catch (failure) {
    if (isMissing(failure)) return undefined
    throw failure
  }
}

/** Where nobody responds it may be. */
const isTagThere = async (id: string): Promise<boolean> => {
  try {
    return (await ifThere(withToken((token) => send(tags.read, { params: { id } }, token)))) !== undefined
  } catch (failure) {
    if (failure instanceof CallFailure && failure.isUnreachable) return true
    throw failure
  }
}

const whatOf = ({ change }: Entry): string =>
  t(`offline.${change.action}`, change.action === 'renameTag' ? { name: change.name } : undefined)

/** Why the server did not take a change, in its words. */
const reasonOf = ({ error }: Entry): string => {
  const { status = 0, detail, fields = {} } = error ?? {}
  const [field] = Object.values(fields).flat()
  return field ?? failureText(new CallFailure(status, { detail }))
}

type FormScreen =
  | { to: ItemKind['paths']['add'] }
  | { to: ItemKind['paths']['edit'] | '/tags/$id/edit'; params: { id: string } }

const withoutSlash = (path: string): string => path.replace(/\/$/, '')

/** What waits for the server, and what for a decision: that is not sent by itself. */
const textOf = ({ count, sendable, undecided }: Waiting): string =>
  [
    (sendable > 0 || undecided === 0) && t('offline.waiting', { count: undecided === 0 ? count : sendable }),
    undecided > 0 && t('offline.undecided', { count: undecided }),
  ]
    .filter(Boolean)
    .join('. ')

export interface WaitingChangesProps {
  /** What the top bar says of the network. */
  network: string | false
}

/** How many changes wait, and the way to them. */
export function WaitingChanges({ network }: WaitingChangesProps) {
  const waiting = useWaiting()
  const [isListed, setListed] = useState<boolean>()
  return (
    <>
      {waiting.count > 0 ? (
        <UnstyledButton
          className={classes.waiting ?? ''}
          aria-haspopup="dialog"
          onClick={() => {
            hideQuestion()
            setListed(true)
          }}
        >
          {network ? `${network}. ${t('offline.waiting', { count: waiting.count })}` : textOf(waiting)}
        </UnstyledButton>
      ) : (
        network
      )}
      {isListed !== undefined && <WaitingDialog opened={isListed} onClose={() => setListed(false)} />}
    </>
  )
}

/** Keeps the focus in a list whose rows go: it moves to the row that is now at the same place, else to the button below the list. */
function useFocusInList(rows: unknown) {
  const listRef = useRef<HTMLUListElement>(null)
  const closeRef = useRef<HTMLButtonElement>(null)
  /** The row that had the focus last. */
  const last = useRef<{ row: Element; at: number }>(undefined)
  const onFocus = ({ target }: FocusEvent) => {
    const all = [...(listRef.current?.children ?? [])]
    const at = all.findIndex((row) => row.contains(target))
    const row = all[at]
    // That of a question about a row comes here as well.
    if (row) last.current = { row, at }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows go with what is read
  useEffect(() => {
    const gone = last.current
    if (!gone || gone.row.isConnected) return
    last.current = undefined
    if (document.activeElement !== document.body) return
    const all = listRef.current?.children
    const row = all?.item(gone.at) ?? all?.item(all.length - 1)
    const button = row?.querySelector<HTMLButtonElement>('button:enabled') ?? closeRef.current
    button?.focus()
  }, [rows])
  return { listRef, closeRef, onFocus }
}

/** The changes that wait for the server, and what to do about those that it did not take. */
function WaitingDialog({ opened, onClose }: OverlayProps) {
  useBackCloses(opened, onClose)
  const { count, sendable, undecided } = useWaiting()
  // A key for each number: what was sent, kept or refused meanwhile shows.
  const { data: waiting, refetch } = useQuery({
    queryKey: ['waiting', count, undecided],
    queryFn: waitingChanges,
    enabled: opened,
    staleTime: 0,
    placeholderData: keepPreviousData,
    meta: { failure: 'screen' },
  })
  const { changes = [], unreadable = [] } = waiting ?? {}
  const { data: hasNoRoom } = useQuery({
    queryKey: ['waiting', 'room', count],
    queryFn: isStorageFull,
    enabled: opened,
    staleTime: 0,
    meta: { failure: 'screen' },
  })
  const { listRef, closeRef, onFocus } = useFocusInList(waiting)
  const isUndecided = undecided > 0 && sendable === 0
  const about =
    undecided === 0 ? 'offline.about' : isUndecided ? 'offline.about.undecided' : 'offline.about.some'
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={t(isUndecided ? 'offline.title.undecided' : 'offline.title')}
      width={700}
    >
      <Stack>
        <Text size="sm">{changes.length + unreadable.length > 0 ? t(about) : t('offline.none')}</Text>
        {hasNoRoom && <Text size="sm">{t('offline.noRoom')}</Text>}
        <ul className={classes.list} ref={listRef} onFocus={onFocus}>
          {changes.map(({ entry, isRemoved, isBehind }) => (
            <WaitingRow
              key={entry.key}
              entry={entry}
              isRemoved={isRemoved}
              isBehind={isBehind}
              onDecided={() => void refetch()}
              onLeave={onClose}
            />
          ))}
          {unreadable.map((change) => (
            <UnreadableRow key={change.number} change={change} />
          ))}
        </ul>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} ref={closeRef} data-autofocus>
            {t('snackbar.close')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

/** A change that cannot be read, with what is left of it, which the user may copy. */
function UnreadableRow({ change }: { change: Unreadable }) {
  const [busy, setBusy] = useState(false)
  const [isDiscarding, setDiscarding] = useState(false)
  const { value } = change
  const confirm = async () => {
    setBusy(true)
    try {
      await discardUnreadable(change)
    } catch {
      showMessage(t('offline.failure'), 'error')
    } finally {
      setBusy(false)
    }
  }
  return (
    <li className={classes.row}>
      <Text fw={600}>{t('offline.unreadable')}</Text>
      <Text size="sm">{t('offline.unreadable.text')}</Text>
      {value !== undefined && (
        <Text size="sm" dir="auto" className={classes.left ?? ''}>
          {JSON.stringify(value, undefined, 1)}
        </Text>
      )}
      <Button size="sm" variant="default" mt={6} disabled={busy} onClick={() => setDiscarding(true)}>
        {t('offline.discard')}
      </Button>
      <ConfirmDialog
        opened={isDiscarding}
        title={t('offline.discard.title')}
        text={t('offline.unreadable.discard')}
        confirm={t('offline.discard')}
        busy={busy}
        onConfirm={() => void confirm()}
        onClose={() => setDiscarding(false)}
      />
    </li>
  )
}

interface WaitingRowProps {
  entry: Entry
  /** The last change of the item or tag deletes it. */
  isRemoved: boolean
  /** It is sent once the user has decided about another change. */
  isBehind: boolean
  onDecided: () => void
  /** Another screen opens. */
  onLeave: () => void
}

function WaitingRow({ entry, isRemoved, isBehind, onDecided, onLeave }: WaitingRowProps) {
  const [busy, setBusy] = useState(false)
  const [isDiscarding, setDiscarding] = useState(false)
  const [isTagGone, setTagGone] = useState(false)
  const [conflict, setConflict] = useState<{ theirs: Versioned<Item>; mine: ItemValues }>()
  const isReachable = useReachable()
  const queryClient = useQueryClient()
  const router = useRouter()
  const kind = kindOf(entry)
  const { title, at, state, change } = entry

  const decide = async (work: () => Promise<unknown>): Promise<void> => {
    setBusy(true)
    try {
      await work()
      onDecided()
    } catch (failure) {
      const text = failure instanceof CallFailure ? failureText(failure) : t('offline.failure')
      showMessage(text, 'error')
    } finally {
      setBusy(false)
    }
  }
  /** From the server itself: what responds in its place shows what waits here. */
  const readTheirs = async (kind: ItemKind): Promise<Versioned<Item> | undefined> => {
    const params = { id: await idOnServer(entry) }
    return ifThere(withToken((token) => send(kind.calls.read, { params }, token)))
  }
  const choose = () =>
    decide(async () => {
      if (!kind) return
      const theirs = await readTheirs(kind)
      // Deleted since: what is left is the text, which can become a new item.
      if (!theirs) return mend(true)
      const own = await ownVersion(entry)
      if (!own) return keepMine(entry, theirs.etag)
      const { add_tags: _added, remove_tags: _removed, pinned: _, ...mine } = own
      setConflict({ theirs, mine })
    })
  /** Deletes the item or tag whatever the server has; of an item that it does not have nothing is left to do. */
  const removeAnyway = () =>
    decide(async () => {
      if (!kind) return keepMine(entry, undefined)
      const theirs = await readTheirs(kind)
      return theirs ? keepMine(entry, theirs.etag) : discard(entry)
    })
  const openForm = async (screen: FormScreen): Promise<void> => {
    const isOpen = withoutSlash(router.buildLocation(screen).pathname) === withoutSlash(location.pathname)
    // A form that is open would stay as it is. A new document asks first where pictures are on their way.
    if (isOpen) location.reload()
    else await router.navigate(screen)
  }
  /** Opens the form with the text as its draft; that of a new item where the old one is gone: its drafts would be dropped. */
  const mend = async (isGone = entry.error?.status === 404) => {
    const user = queryClient.getQueryData(meQuery.queryKey)
    const own = await ownVersion(entry)
    if (!kind || !user || !own) return
    const isNew = change.action === 'create' || isGone
    const id = await idOnServer(entry)
    const { add_tags: _added, remove_tags: _removed, pinned: _, ...values } = own
    const form = formOf(user.id, kind, isNew ? undefined : id)
    const place = `${form}:${crypto.randomUUID()}`
    const etag = isNew ? undefined : await versionBefore(entry)
    if (!(await keepDraft(place, { values, etag }))) throw new Error(t('offline.failure'))
    await discard(entry)
    beginNextWith(form, place)
    onLeave()
    await openForm(isNew ? { to: kind.paths.add } : { to: kind.paths.edit, params: { id } })
  }
  /** Opens the form of the tag with the name that it was to get. */
  const mendName = async () => {
    const name = await ownName(entry)
    const id = await idOnServer(entry)
    const isThere = !isReachable || (await isTagThere(id))
    if (name === undefined || !isThere) {
      setTagGone(true)
      return setDiscarding(true)
    }
    // The change waits until the tag has got another name (offline/offline.ts). Last: a form that is open stores what is typed in it.
    storeValues(`tag:${id}`, { name })
    onLeave()
    await openForm({ to: '/tags/$id/edit', params: { id } })
  }
  const isText = change.action === 'create' || change.action === 'update'
  // It may be there: corrected, it would be another one.
  const mayBeThere = change.action === 'create' && entry.error?.status === 'no-response'
  const isName = change.action === 'renameTag' && entry.error?.status !== 404
  // Of what waits to be deleted nothing else is to be given up.
  const mayGiveUp = state !== 'waiting' || !isRemoved || isRemoval(change)
  return (
    <li className={classes.row}>
      <Text fw={600} dir="auto" className={classes.title ?? ''}>
        {title}
      </Text>
      <Text size="sm" c="dimmed">
        {whatOf(entry)} · <time dateTime={at}>{formatDateTime(at)}</time>
      </Text>
      {state === 'conflict' && (
        <Text size="sm">
          {isName ? t('offline.conflict.name', { name: entry.error?.detail ?? '' }) : t('offline.conflict')}
        </Text>
      )}
      {isBehind && <Text size="sm">{t('offline.behind')}</Text>}
      {state === 'refused' && <Text size="sm">{t('offline.refused', { reason: reasonOf(entry) })}</Text>}
      {mayGiveUp && (
        <Group gap="xs" mt={6}>
          {state === 'conflict' && !isName && !isRemoved && (
            <Button size="sm" disabled={busy || !isReachable} onClick={() => void choose()}>
              {t('offline.choose')}
            </Button>
          )}
          {isRemoved && (state === 'conflict' || !isRemoval(change)) && (
            <Button size="sm" disabled={busy || !isReachable} onClick={() => void removeAnyway()}>
              {t('offline.removeAnyway')}
            </Button>
          )}
          {((state === 'refused' && isText && !mayBeThere) || (state !== 'waiting' && isName)) &&
            !isRemoved && (
              <Button
                size="sm"
                disabled={busy}
                onClick={() => void decide(() => (isName ? mendName() : mend()))}
              >
                {t('offline.mend')}
              </Button>
            )}
          {state === 'refused' && (
            <Button
              size="sm"
              variant="default"
              disabled={busy || !isReachable}
              onClick={() => void decide(() => sendAgain(entry))}
            >
              {t('offline.again')}
            </Button>
          )}
          <Button
            size="sm"
            variant="default"
            disabled={busy}
            onClick={() => (isRemoved ? void decide(() => takeRemovalBack(entry)) : setDiscarding(true))}
          >
            {t(isRemoved ? 'offline.keepTheirs' : 'offline.discard')}
          </Button>
        </Group>
      )}
      <ConfirmDialog
        opened={isDiscarding}
        title={t('offline.discard.title')}
        text={isTagGone ? t('offline.tagGone') : t('offline.discard.text', { title })}
        confirm={t('offline.discard')}
        busy={busy}
        onConfirm={() => void decide(() => discard(entry))}
        onClose={() => setDiscarding(false)}
      />
      {conflict && kind && (
        <ConflictDialog
          textPrefix={kind.textPrefix}
          fields={kind.fields}
          theirs={toForm(kind, conflict.theirs.value)}
          mine={conflict.mine}
          busy={busy}
          onTheirs={() => void decide(() => discard(entry))}
          onMine={() => void decide(() => keepMine(entry, conflict.theirs.etag))}
          onBoth={() => void decide(() => keepBoth(entry))}
          onClose={() => setConflict(undefined)}
        />
      )}
    </li>
  )
}
