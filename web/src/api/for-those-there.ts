import { isMissing } from './failure.ts'

/**
 * Does something to one after the other: what is gone already (404) does not hold up the others. Fails where all are gone.
 * Resolves to how many were there.
 */
export const forThoseThere = async (
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
