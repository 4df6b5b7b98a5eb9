import { MAX_LENGTH } from '@kopilka/contract/limits.ts'
import { type Link, type LinkSummary, links } from '@kopilka/contract/links.ts'
import { metadata } from '@kopilka/contract/metadata.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { paragraphsToHtml } from '@kopilka/text/paragraphs.ts'
import { readableAddress } from '@kopilka/text/readable-address.ts'
import type { QueryClient } from '@tanstack/react-query'
import { refreshAll } from '../api/cache.ts'
import { call, callWithEtag } from '../api/call.ts'
import { CallFailure, isMissing } from '../api/failure.ts'
import { aboutFailure, failureText } from '../api/failure-text.ts'
import { existingLinkQuery, itemQuery } from '../api/queries.ts'
import type { Versioned } from '../api/send.ts'
import { watchSession } from '../api/session.ts'
import { t } from '../messages/lazy-messages.ts'
import { showMessage } from '../ui/snackbar.ts'
import { undoableBy } from '../undo/undoable.ts'
import { noteOf, wholeAddress } from './given-content.ts'
import type { Item, ItemKind } from './item-kind.ts'
import { linkKind } from './link-kind.ts'
import { noteKind } from './note-kind.ts'
import { endAllReadings, endReading, startReading } from './page-readings.ts'
import { pageValues, titleFromAddress } from './page-values.ts'

/** The link that has the page already, if the text is an address. None if the request fails. */
export const findExistingLink = async (
  queryClient: QueryClient,
  text: string,
): Promise<LinkSummary | undefined> => {
  const url = wholeAddress(text)
  if (url === undefined) return undefined
  const { found } = await queryClient.fetchQuery(existingLinkQuery(url)).catch(() => ({ found: null }))
  return found ?? undefined
}

/**
 * Saves a text at once: an address as a link, whose page is read afterwards, anything else as a note. Returns whether it
 * is saved; a message says so, or why not.
 */
export const saveQuickly = async (
  queryClient: QueryClient,
  text: string,
  idempotencyKey: string,
): Promise<boolean> => {
  try {
    await save(queryClient, text, idempotencyKey)
    return true
  } catch (failure) {
    const sentence = wholeAddress(text) === undefined ? 'notes.addFailure' : 'links.addFailure'
    showMessage(failureText(failure, sentence), 'error', { about: aboutFailure(failure) })
    return false
  }
}

const save = async (queryClient: QueryClient, text: string, idempotencyKey: string): Promise<void> => {
  const url = wholeAddress(text)
  if (url === undefined) {
    const saved = await callWithEtag(notes.create, { body: noteOf(text) }, { idempotencyKey })
    return showSaved(queryClient, noteKind, saved)
  }
  // No link is without a title and a description: until its page has been read the address is both.
  const description = paragraphsToHtml(readableAddress(url))
  const body = { url, title: titleFromAddress(url), description, tags: [] }
  const saved = await callWithEtag(links.create, { body }, { idempotencyKey })
  showSaved(queryClient, linkKind, saved)
  if (/^https?:/i.test(url) && !saved.waits) void readPage(queryClient, saved)
}

const showSaved = (queryClient: QueryClient, kind: ItemKind, saved: Versioned<Item>): void => {
  const { id, title } = saved.value
  cache(queryClient, kind, saved)
  const undo = undoableBy(() => takeBack(queryClient, kind, id))
  showMessage(t(`${kind.textPrefix}.savedQuickly`, { title }), 'success', undo)
}

/** Caches what was saved; the lists on the screen show it too. */
const cache = (queryClient: QueryClient, kind: ItemKind, saved: Versioned<Item>): void => {
  queryClient.setQueryData(itemQuery(kind, saved.value.id).queryKey, saved)
  void refreshAll(queryClient)
}

/** Undoes the saving: the item goes to the trash. */
const takeBack = async (queryClient: QueryClient, kind: ItemKind, id: string): Promise<void> => {
  endReading(id)
  try {
    await call(kind.calls.remove, { params: { id } })
    showMessage(t('undo.done'), 'success')
  } catch (failure) {
    showMessage(failureText(failure, 'undo.failure'), 'error', { about: aboutFailure(failure) })
  } finally {
    await refreshAll(queryClient)
  }
}

/** Reads the page of a link just saved, and takes over what it says of itself. */
const readPage = async (queryClient: QueryClient, saved: Versioned<Link>): Promise<void> => {
  const { id, url } = saved.value
  const signal = startReading(id)
  const stop = watchSession({ ended: endAllReadings, replaced: endAllReadings, renewed: () => undefined })
  try {
    const found = pageValues(await call(metadata.extract, { body: { url } }, { signal }))
    await takeOver(queryClient, saved, found, signal)
  } catch (failure) {
    // Given up: it was undone, or somebody edits it.
    if (signal.aborted) return
    const about = aboutFailure(failure)
    showMessage(failureText(failure, 'links.pageFailure'), about === undefined ? 'info' : 'error', { about })
  } finally {
    stop()
    endReading(id)
  }
}

/** Somebody who saves a link over and over while its page is read needs no title from it. */
const MAX_TRIES = 3

/** Changes those fields that are as they were saved at first: what the user has changed meanwhile stays. */
const takeOver = async (
  queryClient: QueryClient,
  first: Versioned<Link>,
  found: ReturnType<typeof pageValues>,
  signal: AbortSignal,
): Promise<void> => {
  const params = { id: first.value.id }
  let now = first
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const body = filled(first.value, now.value, found)
    if (body === undefined) return
    try {
      const saved = await callWithEtag(links.update, { params, body }, { ifMatch: now.etag, signal })
      return cache(queryClient, linkKind, saved)
    } catch (failure) {
      if (!(failure instanceof CallFailure)) throw failure
      if (isMissing(failure)) return
      if (failure.status !== 412) throw failure
    }
    now = await callWithEtag(links.read, { params }, { signal })
  }
}

/** The link with what its page says in the fields that nobody has changed; undefined if that changes nothing. */
const filled = (first: Link, now: Link, found: ReturnType<typeof pageValues>) => {
  if (now.url !== first.url) return undefined
  const title =
    (now.title === first.title && [...found.title].slice(0, MAX_LENGTH.title).join('')) || now.title
  const description = (now.description === first.description && found.description) || now.description
  const add_tags = now.tags.length === 0 ? found.tags : []
  const isSame = title === now.title && description === now.description && add_tags.length === 0
  return isSame ? undefined : { url: now.url, title, description, add_tags, remove_tags: [] }
}
