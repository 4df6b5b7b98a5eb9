import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { removeAbandoned, UNFINISHED } from '../../server/src/db/unfinished.ts'
import { CliError } from '../prepare.mjs'

/** Signals that end a command, and its exit codes; what is unfinished is removed. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const

/**
 * Creates the file `path` atomically: `write` fills an unfinished file, which gets the name at the end. Throws {@link
 * CliError} if a file has that name, or if its folder is missing.
 */
export async function makeFile(path: string, write: (unfinished: string) => Promise<void>): Promise<void> {
  if (existsSync(path)) throw new CliError(`Такой файл уже есть: ${path}`)
  if (!existsSync(dirname(path))) throw new CliError(`Нет такой папки: ${dirname(path)}`)
  await besideFile(path, async (unfinished) => {
    await write(unfinished)
    renameSync(unfinished, path)
  })
}

/** Runs `work` with a temporary file on the same disk as `path`. Its folder is removed afterwards, also on a signal. */
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

/** Path of a new backup in DATA_DIR/backups, named by the time, so that names sort by age. */
export function backupFile(dataDir: string, ending: string): string {
  const folder = join(dataDir, 'backups')
  mkdirSync(folder, { recursive: true })
  return join(folder, nameAt(new Date(), ending))
}

/** The target of a backup: the given file or, in a given folder, a file named by the time. */
export function namedFile(path: string, ending: string): string {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory()
  return resolve(isFolder ? join(path, nameAt(new Date(), ending)) : path)
}

/** Without colons, which Windows does not allow in a name. */
const nameAt = (time: Date, ending: string): string => `${time.toISOString().replaceAll(':', '-')}${ending}`

/** A readable file size: 12,3 МБ. */
export function sizeOf(path: string): string {
  const megabytes = statSync(path).size / 2 ** 20
  return `${megabytes.toLocaleString('ru', { maximumFractionDigits: 1, minimumFractionDigits: 1 })} МБ`
}

/** At most five of the names. */
export const listed = (names: readonly string[]): string =>
  names.length > 5 ? `${names.slice(0, 5).join(', ')} и ещё ${names.length - 5}` : names.join(', ')
