import { files, type Picture } from '@kopilka/contract/files.ts'
import { withPicture } from '@kopilka/text/html-pictures.ts'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { aboutFailure, failureText } from '../api/failure-text.ts'
import '../messages/pictures-messages.ts'
import { showMessage } from '../ui/snackbar.ts'
import type { ItemKind } from './item-kind.ts'
import { saveChange } from './save-tick.ts'

const SENTENCES = {
  saved: 'pictures.kept',
  conflict: 'pictures.keepConflict',
  failure: 'pictures.keepFailure',
} as const

/**
 * Has the server fetch a picture of another host, and saves the item's text with it in the place of that one: a small change
 * like a tick. Returns whether it is saved; a message says so, or why not.
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
  return saveChange(queryClient, kind, id, (body) => withPicture(body, src, kept), SENTENCES)
}
