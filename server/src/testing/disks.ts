import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A disk that can be filled up. */
export interface SmallDisk {
  readonly folder: string
  /** Leaves not a byte. */
  readonly fill: () => void
  readonly free: () => void
  readonly remove: () => void
}

/** A disk of so many megabytes; undefined where this system does not let us mount one: most often that takes root. */
export function mountSmallDisk(megabytes: number): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'kopilka-disk-'))
  const filler = join(folder, 'filler')
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    rmSync(folder, { recursive: true })
    return undefined
  }
  return {
    folder,
    fill() {
      // A file that is half written when the disk is full stays as it is.
      for (const bytes of [megabytes * 2 ** 20, 2 ** 12]) {
        try {
          writeFileSync(filler, Buffer.alloc(bytes), { flag: 'a' })
        } catch (error) {
          if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
        }
      }
    },
    free: () => rmSync(filler),
    remove() {
      execFileSync('umount', [folder])
      rmSync(folder, { recursive: true })
    },
  }
}

/** Lets the running process write files of so many bytes at most, as if the disk were full; undefined: of any size. */
export function limitFiles(pid: number, bytes: number | undefined): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes ?? 'unlimited'}:unlimited`])
}

/** Whether {@link limitFiles} is to be had: on Linux. */
export function canLimitFiles(): boolean {
  try {
    execFileSync('prlimit', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Makes the folder, with all in it, such that nobody can change it, or changes that back. */
export function freeze(folder: string, frozen: boolean): void {
  execFileSync('chattr', ['-R', frozen ? '+i' : '-i', folder], { stdio: 'ignore' })
}

/** Whether {@link freeze} is to be had: for root, on a file system of Linux's own. */
export function canFreeze(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'kopilka-disk-'))
  try {
    freeze(folder, true)
    freeze(folder, false)
    return true
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true })
  }
}
