import type { QueryClient } from '@tanstack/react-query'
import { settleRequest, undoableRequests } from '../api/undoable-requests.ts'
import { NETWORK } from '../lib/network.ts'
import { t } from '../messages/messages.ts'
import { showMessage } from '../ui/snackbar.ts'
import { forgetUndoable, type Undoable, undoStack } from './undo-stack.ts'

const showNoResponse = (action?: Undoable['action']) =>
  showMessage(t('failure.noResponse'), 'error', action ? { action } : { about: NETWORK })

const run = async (undoable: Undoable, turn?: Promise<void>): Promise<void> => {
  forgetUndoable(undoable)
  await turn
  try {
    await undoable.undo()
  } catch {
    undoStack.push(undoable)
    showNoResponse(undoable.action)
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
    // What failed can be tried again, by the message or Ctrl+Z.
    await undoOperations(queryClient, operations, (left) => undoable(queryClient, ...left))
  }
  const offered = offer({ undo, operations: new Set(operations) })
  for (const request of undoableRequests)
    if (request.operation && operations.includes(request.operation)) settleRequest(request)
  return offered
}

/** The same for what a function undoes. */
export const undoableBy = (undo: () => Promise<unknown>) => offer({ undo })

/** What the presses of Ctrl+Z undo by now, one after the other. */
let presses = Promise.resolve()

/**
 * Undoes the last thing that this page has done, or that it is doing once that is done; where that is nothing, says where else it can
 * be undone.
 */
export const undoLast = (openHistory: () => void): void => {
  const before = presses
  const request = [...undoableRequests].findLast(({ onSettled }) => !onSettled)
  const last = undoStack.at(-1)
  if (request) {
    const settled = new Promise<void>((resolve) => {
      request.onSettled = resolve
    })
    presses = import('./undo.ts')
      .then(({ undoRequest }) => undoRequest(request, Promise.all([before, settled]), run))
      .catch(() => showNoResponse())
  } else if (last) presses = run(last, before)
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
