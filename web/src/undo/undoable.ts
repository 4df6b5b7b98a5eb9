import type { QueryClient } from '@tanstack/react-query'
import { NETWORK } from '../lib/network.ts'
import { t } from '../messages/messages.ts'
import { showMessage } from '../ui/snackbar.ts'

type Undo = () => Promise<unknown>

/** What undoes that which this page has done and not undone, the last one at the end. */
const made: Undo[] = []

const run = async (undo: Undo): Promise<void> => {
  const index = made.indexOf(undo)
  if (index >= 0) made.splice(index, 1)
  try {
    await undo()
  } catch {
    showMessage(t('failure.noResponse'), 'error', { about: NETWORK })
  }
}

/**
 * Options of a message about what can be undone: «Отменить», which undoes the operations, the last one first.
 * Ctrl+Z undoes what this function was called with last.
 */
export const undoable = (queryClient: QueryClient, ...ids: (string | undefined)[]) => {
  const operations = ids.filter((id) => id !== undefined)
  if (operations.length === 0) return {}
  return undoableBy(async () => {
    const { undoOperations } = await import('./undo.ts')
    await undoOperations(queryClient, operations)
  })
}

/** The same for what a function undoes. */
export const undoableBy = (undo: Undo) => {
  made.push(undo)
  return { action: { label: t('undo'), run: () => void run(undo) } }
}

/** Undoes the last thing that this page has done. */
export const undoLast = (): void => {
  const last = made.at(-1)
  if (last) void run(last)
}

/** Forgets the operations, after a sign-out: another user's may follow. */
export const forgetOperations = (): void => {
  made.length = 0
}
