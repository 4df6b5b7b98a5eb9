import { isMissing } from './failure.ts'

/**
 * Calls `work` with one id after the other and passes over those that no longer exist (404). Fails where none exists.
 * Resolves to how many existed.
 */
export const forEachExisting = async (
  ids: readonly string[],
  work: (id: string) => Promise<void>,
): Promise<number> => {
  let done = 0
  let gone: unknown
  for (const id of ids)
    try {
      await work(id)
      done += 1
    } catch (failure) {
      if (!isMissing(failure)) throw failure
      gone = failure
    }
  if (gone && done === 0) throw gone
  return done
}
