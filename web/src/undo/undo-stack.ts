import { hideMessage, type Message, shownMessages } from '../ui/snackbar.ts'

/** Something that can be undone. */
export interface Undoable {
  undo: () => Promise<unknown>
  /** The button of the message that offers it. */
  action: NonNullable<Message['action']>
  /** The operations that it undoes and that nothing has undone; absent where it undoes something else. */
  operations?: Set<string>
}

/** What this page can undo, newest last. */
export const undoStack: Undoable[] = []

/** Removes an entry: neither Ctrl+Z nor a message offers it any more. */
export const forgetUndoable = (undoable: Undoable): void => {
  const index = undoStack.indexOf(undoable)
  if (index >= 0) undoStack.splice(index, 1)
  for (const message of shownMessages()) if (message.action === undoable.action) hideMessage(message)
}

/** Forgets operations that were undone elsewhere, as on the screen of the history. */
export const forgetUndone = (ids: readonly string[]): void => {
  for (const undoable of [...undoStack]) {
    for (const id of ids) undoable.operations?.delete(id)
    if (undoable.operations?.size === 0) forgetUndoable(undoable)
  }
}

let undoListener = (): void => {}

/** Sets the function called after each undo; replaces the one before. */
export const setUndoListener = (listener: () => void): void => {
  undoListener = listener
}

/** Calls the listener. Called after an undo, once queries are refreshed. */
export const notifyUndone = (): void => undoListener()
