/**
 * A request whose response may name an operation. It is under way until the undo knows the operation (undo/undoable.ts), or there
 * is none.
 */
export interface UndoableRequest {
  /** Of the response, once it is there. */
  operation?: string | undefined
  /** Called when it is no longer under way; set by the one that waits to undo it. */
  onSettled?: () => void
}

/** Those under way, the newest last. */
export const undoableRequests = new Set<UndoableRequest>()

export const settleRequest = (request: UndoableRequest): void => {
  undoableRequests.delete(request)
  request.onSettled?.()
}
