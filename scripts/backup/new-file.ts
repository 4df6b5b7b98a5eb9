import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isAlive } from '../lock.mjs'
import { CliError } from '../prepare.mjs'

/** Signals that end a command, and its exit codes; what is unfinished is removed. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const

/**
 * Makes the new file `path` whole or not at all: `write` fills an unfinished one, which takes the name once it is done.
 * Throws {@link CliError} where there is a file of that name.
 */
export async function makeFile(path: string, write: (unfinished: string) => Promise<void>): Promise<void> {
  if (existsSync(path)) throw new CliError(`Такой файл уже есть: ${path}`)
  await besideFile(path, async (unfinished) => {
    await write(unfinished)
    renameSync(unfinished, path)
  })
}

/** Lets `work` use a file on the same disk as `path`, in a folder of its own that is removed afterwards, also on a signal. */
export async function besideFile(path: string, work: (unfinished: string) => Promise<void>): Promise<void> {
  removeAbandoned(dirname(path))
  const folder = mkdtempSync(join(dirname(path), `${UNFINISHED}${process.pid}-`))
  const clear = () => rmSync(folder, { recursive: true, force: true })
  const ends = Object.entries(SIGNALS).map(([signal, code]) => {
    const end = () => {
      clear()
      process.exit(code)
    }
    process.once(signal, end)
    return () => process.off(signal, end)
  })
  try {
    await work(join(folder, 'copy'))
  } finally {
    for (const forget of ends) forget()
    clear()
  }
}

/** Begins the names of folders for unfinished files: `.unfinished-PID-random`. */
const UNFINISHED = '.unfinished-'

/** Removes what commands that were killed have left in a folder. */
function removeAbandoned(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(UNFINISHED)) continue
    const pid = Number(/^\d+(?=-)/.exec(name.slice(UNFINISHED.length))?.[0])
    if (pid !== process.pid && isAlive(pid)) continue
    rmSync(join(folder, name), { recursive: true, force: true })
  }
}

/** A file of DATA_DIR/backups, named by the time: names sort as the copies were made. */
export function backupFile(dataDir: string, ending: string): string {
  const folder = join(dataDir, 'backups')
  mkdirSync(folder, { recursive: true })
  return join(folder, nameAt(new Date(), ending))
}

/** The file that somebody named, or in the folder that somebody named, one named by the time. */
export function namedFile(path: string, ending: string): string {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory()
  return resolve(isFolder ? join(path, nameAt(new Date(), ending)) : path)
}

/** Without colons, which Windows does not allow in a name. */
const nameAt = (time: Date, ending: string): string => `${time.toISOString().replaceAll(':', '-')}${ending}`

/** The size of a file for people: 12,3 МБ. */
export function sizeOf(path: string): string {
  const megabytes = statSync(path).size / 2 ** 20
  return `${megabytes.toLocaleString('ru', { maximumFractionDigits: 1, minimumFractionDigits: 1 })} МБ`
}
