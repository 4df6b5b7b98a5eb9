import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A lock this old was left behind by a machine that went down, whoever has its process id now. */
const FORGOTTEN_AFTER_MS = 15 * 60_000

/**
 * Runs `work` while holding the lock file, so that two commands started at once take turns.
 * A lock whose process is gone is taken over.
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(file, work) {
  mkdirSync(dirname(file), { recursive: true })
  while (!take(file)) {
    if (isAbandoned(file)) rmSync(file, { force: true })
    else await sleep(100)
  }
  try {
    return await work()
  } finally {
    rmSync(file, { force: true })
  }
}

/** @param {string} file */
function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** @param {string} file */
function isAbandoned(file) {
  try {
    const age = Date.now() - statSync(file).mtimeMs
    const holder = Number(readFileSync(file, 'utf8'))
    // A lock without a number is being written at this moment.
    if (!Number.isInteger(holder) || holder <= 0) return age > 1000
    return age > FORGOTTEN_AFTER_MS || !isAlive(holder)
  } catch (error) {
    // Released between our two looks at it: simply try again.
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** @param {unknown} error */
const codeOf = (error) => (error instanceof Error && 'code' in error ? error.code : undefined)
