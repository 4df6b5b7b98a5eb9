import type { QueryClient } from '@tanstack/react-query'
import { NETWORK } from '../lib/network.ts'
import { t } from '../messages/messages.ts'
import { showMessage } from '../ui/snackbar.ts'

/** Operations that this page has made and not undone, the last one at the end. */
const made: string[][] = []

const undo = async (queryClient: QueryClient, operations: readonly string[]): Promise<void> => {
  const index = made.findIndex((one) => one.join() === operations.join())
  if (index >= 0) made.splice(index, 1)
  try {
    const { undoOperations } = await import('./undo.ts')
    await undoOperations(queryClient, operations)
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
  made.push(operations)
  return { action: { label: t('undo'), run: () => void undo(queryClient, operations) } }
}

/** Undoes the last operation of this page. */
export const undoLast = (queryClient: QueryClient): void => {
  const last = made.at(-1)
  if (last) void undo(queryClient, last)
}

/** Forgets the operations, after a sign-out: another user's may follow. */
export const forgetOperations = (): void => {
  made.length = 0
}
