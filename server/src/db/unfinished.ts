import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { isOver } from '../clock.ts'
import { codeOf } from '../errors.ts'

/** Prefix of folders for unfinished files: `.unfinished-PID-random`. */
export const UNFINISHED = '.unfinished-'

interface Stillness {
  now: number
  /** Milliseconds. */
  still: number
}

/**
 * Removes the folders of killed commands from `folder`, which may be missing. With `since`, only those into which nothing was
 * written for so long; times that are still to come are of a wrong clock and do not count.
 */
export function removeAbandoned(folder: string, since?: Stillness): void {
  for (const name of namesIn(folder)) {
    if (!name.startsWith(UNFINISHED)) continue
    const pid = Number(/^\d+(?=-)/.exec(name.slice(UNFINISHED.length))?.[0])
    const path = join(folder, name)
    if ((pid !== process.pid && isAlive(pid)) || (since && isChanging(path, since))) continue
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

const isChanging = (folder: string, { now, still }: Stillness): boolean =>
  [folder, ...namesIn(folder).map((name) => join(folder, name))].some((path) => {
    const { mtimeMs = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {}
    return !isOver(mtimeMs + still, now, still)
  })

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
