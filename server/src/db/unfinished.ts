import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { codeOf } from '../errors.ts'

/** Prefix of folders for unfinished files: `.unfinished-PID-random`. */
export const UNFINISHED = '.unfinished-'

/** Removes the folders of killed commands, into which nothing was written after `last`, from `folder`, which may be missing. */
export function removeAbandoned(folder: string, last = Number.POSITIVE_INFINITY): void {
  for (const name of namesIn(folder)) {
    if (!name.startsWith(UNFINISHED)) continue
    const pid = Number(/^\d+(?=-)/.exec(name.slice(UNFINISHED.length))?.[0])
    const path = join(folder, name)
    if ((pid !== process.pid && isAlive(pid)) || lastChangeIn(path) > last) continue
    try {
      rmSync(path, { recursive: true, force: true })
    } catch (error) {
      // Another user's.
      if (codeOf(error) === '') throw error
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    // A folder that cannot be read is reported where it is needed.
    if (codeOf(error) === '') throw error
    return []
  }
}

const lastChangeIn = (folder: string): number =>
  Math.max(
    ...[folder, ...namesIn(folder).map((name) => join(folder, name))].map(
      (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0,
    ),
  )

/** Whether a process has this id; NaN: none. */
function isAlive(pid: number): boolean {
  if (Number.isNaN(pid)) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}
