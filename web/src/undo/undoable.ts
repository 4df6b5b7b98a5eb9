import type { QueryClient } from '@tanstack/react-query'
import { NETWORK } from '../lib/network.ts'
import { t } from '../messages/messages.ts'
import { showMessage } from '../ui/snackbar.ts'
import { forgetUndoable, type Undoable, undoStack } from './undo-stack.ts'

const run = async (undoable: Undoable): Promise<void> => {
  forgetUndoable(undoable)
  try {
    await undoable.undo()
  } catch {
    undoStack.push(undoable)
    showMessage(t('failure.noResponse'), 'error', { about: NETWORK })
  }
}

const offer = (what: Omit<Undoable, 'action'>) => {
  const action = { label: t('undo'), run: () => void run(undoable) }
  const undoable: Undoable = { ...what, action }
  undoStack.push(undoable)
  return { action }
}

/**
 * Options of a message about what can be undone: «Отменить», which undoes the operations, the last one first.
 * Ctrl+Z undoes what this function was called with last.
 */
export const undoable = (queryClient: QueryClient, ...ids: (string | undefined)[]) => {
  const operations = ids.filter((id) => id !== undefined)
  if (operations.length === 0) return {}
  const undo = async () => {
    const { undoOperations } = await import('./undo.ts')
    // Ctrl+Z tries again what failed.
    undoable(queryClient, ...(await undoOperations(queryClient, operations)))
  }
  return offer({ undo, operations: new Set(operations) })
}

/** The same for what a function undoes. */
export const undoableBy = (undo: () => Promise<unknown>) => offer({ undo })

/** Undoes the last thing that this page has done; where that is nothing, says where else it can be undone. */
export const undoLast = (openHistory: () => void): void => {
  const last = undoStack.at(-1)
  if (last) void run(last)
  else
    void import('./undo.ts').then(
      ({ showNothingToUndo }) => showNothingToUndo(openHistory),
      () => undefined,
    )
}

/** Forgets the operations, after a sign-out: another user's may follow. */
export const forgetOperations = (): void => {
  undoStack.length = 0
}
