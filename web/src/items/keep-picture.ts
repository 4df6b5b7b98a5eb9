import { files, type Picture } from '@kopilka/contract/files.ts'
import { withPicture } from '@kopilka/text/html-pictures.ts'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { aboutFailure, failureText } from '../api/failure-text.ts'
import { itemQuery } from '../api/queries.ts'
import { t } from '../messages/pictures-messages.ts'
import { showMessage } from '../ui/snackbar.ts'
import { bodyOf, type ItemKind } from './item-kind.ts'
import { saveChange } from './save-tick.ts'

const SENTENCES = {
  saved: 'pictures.kept',
  conflict: 'pictures.keepConflict',
  failure: 'pictures.keepFailure',
} as const

/**
 * Has the server fetch a picture of another host, and saves the item's text with it in the place of that one: a small change
 * like a tick. Returns whether it is saved; a message says so, or why not, unless another press has saved it.
 */
export const keepPicture = async (
  queryClient: QueryClient,
  kind: ItemKind,
  id: string,
  src: string,
): Promise<boolean> => {
  let kept: Picture
  try {
    kept = await call(files.fetch, { body: { url: src } })
  } catch (failure) {
    showMessage(failureText(failure, SENTENCES.failure), 'error', { about: aboutFailure(failure) })
    return false
  }
  const cached = queryClient.getQueryData(itemQuery(kind, id).queryKey)
  const body = cached && bodyOf(cached.value)
  if (body !== undefined && withPicture(body, src, kept) === body) {
    // Another press has put it there.
    if (body.includes(kept.url)) return true
    showMessage(t(SENTENCES.failure), 'error')
    return false
  }
  return saveChange(queryClient, kind, id, (body) => withPicture(body, src, kept), SENTENCES)
}
