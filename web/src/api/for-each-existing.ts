import { isMissing } from './failure.ts'
import type { CallCounter } from './progress.ts'

/**
 * Calls `work` with one id after the other and passes over those that no longer exist (404). Fails where none exists.
 * Resolves to how many existed. `counter` tells meanwhile how many have had their turn.
 */
export const forEachExisting = async (
  ids: readonly string[],
  work: (id: string) => Promise<void>,
  counter: CallCounter = { done: 0, total: 0 },
): Promise<number> => {
  let done = 0
  let gone: unknown
  Object.assign(counter, { done: 0, total: ids.length })
  for (const id of ids)
    try {
      await work(id)
      done += 1
    } catch (failure) {
      if (!isMissing(failure)) throw failure
      gone = failure
    } finally {
      counter.done += 1
    }
  if (gone && done === 0) throw gone
  return done
}
