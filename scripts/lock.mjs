import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const LOOK_EVERY_MS = 100
const BEAT_EVERY_MS = 1000
/**
 * Checks after which a holder that has not touched its file counts as dead (15 seconds), even if another process has its
 * id.
 */
const LOOKS_AT_A_DEAD_HOLDER = 150
const OVER = 'over'

/**
 * Runs `work` under a lock: concurrent commands with the same folder wait for each other.
 *
 * Each acquisition is a file in the folder, named by a number. The highest number has the lock until its file says that
 * it is released, or its process is dead. Numbers only grow, so of two processes that see a dead holder only one can
 * follow it, and no process deletes a held lock.
 * @template T
 * @param {string} folder
 * @param {() => Promise<T>} work
 * @param {() => Promise<void>} [waitToLook] resolves when to look again whether the lock is free
 * @returns {Promise<T>}
 */
export async function withLock(folder, work, waitToLook = () => sleep(LOOK_EVERY_MS)) {
  mkdirSync(folder, { recursive: true })
  const acquisition = await acquire(folder, waitToLook)
  const beat = setInterval(() => touch(acquisition), BEAT_EVERY_MS)
  try {
    return await work()
  } finally {
    clearInterval(beat)
    writeFileSync(acquisition, OVER)
  }
}

/** @param {string} folder @param {() => Promise<void>} waitToLook @returns {Promise<string>} the file of this acquisition */
async function acquire(folder, waitToLook) {
  const isStill = createWatch()
  for (;;) {
    const last = lastAcquisition(folder)
    if (last === 0 || isOver(fileOf(folder, last), isStill)) {
      const acquisition = fileOf(folder, last + 1)
      if (make(acquisition)) {
        if (lastAcquisition(folder) === last + 1) {
          removeBefore(folder, last)
          return acquisition
        }
        // So late that others have had this acquisition, and later ones, in the meantime.
        rmSync(acquisition, { force: true })
      }
    }
    await waitToLook()
  }
}

/** @param {string} file @param {(change: string) => boolean} isStill */
function isOver(file, isStill) {
  try {
    const text = readFileSync(file, 'utf8')
    if (text === OVER) return true
    // A file without a number is being written at this moment.
    if (text !== '' && !isAlive(Number(text))) return true
    return isStill(`${file} ${statSync(file).mtimeMs}`)
  } catch (error) {
    // A later acquisition was made between our two looks: see whose it is.
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
}

/** Returns whether the same value was seen too many times in a row. */
function createWatch() {
  let [seen, looks] = ['', 0]
  /** @param {string} change */
  return (change) => {
    looks = change === seen ? looks + 1 : 0
    seen = change
    return looks >= LOOKS_AT_A_DEAD_HOLDER
  }
}

/** @param {string} file */
function make(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** @param {string} file */
function touch(file) {
  try {
    const now = new Date()
    utimesSync(file, now, now)
  } catch {
    // Stopped for so long that the next has come: the work cannot be taken back.
  }
}

/** @param {string} folder @param {number} acquisition */
const fileOf = (folder, acquisition) => join(folder, String(acquisition))

/** @param {string} folder */
const acquisitionsIn = (folder) => readdirSync(folder).map(Number).filter(Number.isInteger)

/** @param {string} folder */
const lastAcquisition = (folder) => Math.max(0, ...acquisitionsIn(folder))

/**
 * One released file stays, so that processes that list the folder meanwhile see at least one. @param {string} folder
 * @param {number} acquisition
 */
function removeBefore(folder, acquisition) {
  for (const old of acquisitionsIn(folder))
    if (old < acquisition) rmSync(fileOf(folder, old), { force: true })
}

/** Whether a process has this id. @param {number} pid NaN: none */
function isAlive(pid) {
  if (Number.isNaN(pid)) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** @param {unknown} error */
const codeOf = (error) => (error instanceof Error && 'code' in error ? error.code : undefined)
