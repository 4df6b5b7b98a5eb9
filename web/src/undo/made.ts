import { hideMessage, type Message, shownMessages } from '../ui/snackbar.ts'

/** Something that can be undone. */
export interface Undoable {
  undo: () => Promise<unknown>
  /** The button of the message that offers it. */
  action: NonNullable<Message['action']>
  /** The operations that it undoes and that nothing has undone; absent where it undoes something else. */
  operations?: Set<string>
}

/** What this page has done and not undone, the last one at the end. */
export const made: Undoable[] = []

/** Neither Ctrl+Z nor a message offers to undo it any more. */
export const forgetMade = (undoable: Undoable): void => {
  const index = made.indexOf(undoable)
  if (index >= 0) made.splice(index, 1)
  for (const message of shownMessages()) if (message.action === undoable.action) hideMessage(message)
}

/** Forgets operations that were undone elsewhere, as on the screen of the history. */
export const forgetUndone = (ids: readonly string[]): void => {
  for (const undoable of [...made]) {
    for (const id of ids) undoable.operations?.delete(id)
    if (undoable.operations?.size === 0) forgetMade(undoable)
  }
}

let onUndone = (): void => {}

/** Calls the listener after each undo, in place of the one before. */
export const watchUndone = (listener: () => void): void => {
  onUndone = listener
}

/** To be called after an undo, once queries are refreshed. */
export const noteUndone = (): void => onUndone()
