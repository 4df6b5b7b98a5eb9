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
 * @returns {Promise<T>}
 */
export async function withLock(folder, work) {
  mkdirSync(folder, { recursive: true })
  const turn = await takeTurn(folder)
  const beat = setInterval(() => touch(turn), BEAT_EVERY_MS)
  try {
    return await work()
  } finally {
    clearInterval(beat)
    writeFileSync(turn, OVER)
  }
}

/** @param {string} folder @returns {Promise<string>} the file of this acquisition */
async function takeTurn(folder) {
  const isStill = createWatch()
  for (;;) {
    const last = lastTurn(folder)
    if (last === 0 || isOver(fileOf(folder, last), isStill)) {
      const turn = fileOf(folder, last + 1)
      if (make(turn)) {
        if (lastTurn(folder) === last + 1) {
          removeBefore(folder, last)
          return turn
        }
        // So late that others have had this turn, and later ones, in the meantime.
        rmSync(turn, { force: true })
      }
    }
    await sleep(LOOK_EVERY_MS)
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
    // A later turn has begun between our two looks: see who has it.
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

/** @param {string} folder @param {number} turn */
const fileOf = (folder, turn) => join(folder, String(turn))

/** @param {string} folder */
const turnsIn = (folder) => readdirSync(folder).map(Number).filter(Number.isInteger)

/** @param {string} folder */
const lastTurn = (folder) => Math.max(0, ...turnsIn(folder))

/**
 * One released file stays, so that processes that list the folder meanwhile see at least one. @param {string} folder
 * @param {number} turn
 */
function removeBefore(folder, turn) {
  for (const old of turnsIn(folder)) if (old < turn) rmSync(fileOf(folder, old), { force: true })
}

/** Whether a process has this id. @param {number} pid NaN: none */
export function isAlive(pid) {
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
