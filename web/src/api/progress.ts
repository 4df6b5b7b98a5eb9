import { operations } from '@kopilka/contract/operations.ts'
import { call } from './call.ts'

interface Count {
  readonly done: number
  readonly total: number
}

/** How far a change has come; `part`: how far that one of its steps has come which is under way. */
export interface Progress extends Count {
  readonly part?: Count
}

/** Asks how far it has come; resolves to undefined where nobody knows. */
export type ProgressSource = () => Promise<Progress | undefined>

/** Milliseconds between two looks: what is over before the first shows no progress. */
const LOOK_EVERY = 500

/** Of an operation that is under way, or of its undo; without an id of the newest one that is not being undone. */
export const operationProgress = async (id?: string): Promise<Progress | undefined> => {
  const { results } = await call(operations.list, { query: {} })
  return results.find(
    (operation) =>
      operation.progress && (id === undefined ? operation.undone_at === null : operation.id === id),
  )?.progress
}

/** Counts calls that are made one after the other. */
export interface CallCounter {
  done: number
  total: number
}

/** Of such calls, each of which may be an operation of many items. */
export const progressOfCalls = async (
  { done, total }: CallCounter,
  source: ProgressSource,
): Promise<Progress | undefined> => {
  const part = await source().catch(() => undefined)
  return total > 1 ? { done, total, ...(part && { part }) } : part
}

/** Looks again and again. A look that fails says nothing. Returns the function that ends it. */
export const watchProgress = (
  source: ProgressSource,
  onProgress: (progress: Progress | undefined) => void,
): (() => void) => {
  let isOver = false
  let isLooking = false
  const look = async () => {
    if (isLooking) return
    isLooking = true
    try {
      const progress = await source()
      if (!isOver) onProgress(progress)
    } catch {
      // The line that moves shows all the same that something is under way.
    } finally {
      isLooking = false
    }
  }
  const timer = setInterval(() => void look(), LOOK_EVERY)
  return () => {
    isOver = true
    clearInterval(timer)
  }
}
