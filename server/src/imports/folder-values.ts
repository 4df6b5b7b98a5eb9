import { describedFolder, type Rejection } from './row.ts'

/**
 * Counts the values of folders that are not imported, until a row mentions them: that of the first imported bookmark in a folder, or
 * else one of the folder's own.
 */
export function createFolderValues() {
  const counts = new Map<string, { descriptions: number; others: number }>()

  /** How many values a folder has that no row has mentioned yet; from now on a row has. */
  const take = (folder: string): number => {
    const { descriptions = 0, others = 0 } = counts.get(folder) ?? {}
    counts.delete(folder)
    return descriptions + others
  }

  const takeRow = (folder: string, entry: number, title: string): Rejection | undefined => {
    const hasOthers = (counts.get(folder)?.others ?? 0) > 0
    const count = take(folder)
    if (count === 0) return undefined
    const row = describedFolder(entry, title)
    return hasOthers ? { ...row, reason: `importOtherFields:${count}` } : row
  }

  return {
    add: (folder: string, { descriptions = 0, others = 0 }): void => {
      if (descriptions + others === 0) return
      const before = counts.get(folder) ?? { descriptions: 0, others: 0 }
      counts.set(folder, {
        descriptions: before.descriptions + descriptions,
        others: before.others + others,
      })
    },
    take,
    /** The row of a folder without an imported bookmark; undefined where there is nothing to mention. */
    takeRow,
    /** The rows of all folders that no row has mentioned yet, numbered on behind `entry`. */
    *takeRows(entry: number, titleOf: (folder: string) => string | undefined): Generator<Rejection> {
      let last = entry
      for (const folder of [...counts.keys()]) {
        last += 1
        const row = takeRow(folder, last, titleOf(folder) ?? '')
        if (row) yield row
      }
    },
  }
}
