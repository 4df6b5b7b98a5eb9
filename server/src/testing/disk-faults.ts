import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A disk that can be filled up. */
export interface SmallDisk {
  readonly folder: string
  /** Leaves no byte free. */
  readonly fill: () => void
  readonly free: () => void
  readonly remove: () => void
}

/** A tmpfs of so many megabytes; undefined where it cannot be mounted, which usually takes root. */
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
      // The rest is filled page by page after the large write has failed half way.
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

/** Limits the size of files the running process may write, in bytes, as if the disk were full; undefined: no limit. */
export function limitFiles(pid: number, bytes: number | undefined): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes ?? 'unlimited'}:unlimited`])
}

/** Whether {@link limitFiles} works here: on Linux. */
export function canLimitFiles(): boolean {
  try {
    execFileSync('prlimit', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Makes the folder and its files immutable, or writable again. */
export function freeze(folder: string, frozen: boolean): void {
  execFileSync('chattr', ['-R', frozen ? '+i' : '-i', folder], { stdio: 'ignore' })
}

/** Whether {@link freeze} works here: for root, on a Linux file system. */
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
