import { randomUUID } from 'node:crypto'
import { createWriteStream, existsSync, readFileSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import { isDiskFull } from '../files/disk-full.ts'
import { limitBytes } from '../http/limit-bytes.ts'
import type { ReceivedFile } from '../http/received-file.ts'

const HOUR = 60 * 60_000
/** How long a file may come, and lie there to be read: older ones are left over from a server that was killed. */
const SENT_FOR = HOUR
const READ_FOR = 25 * HOUR
/** What the name of a file ends with while it comes. */
const UPLOAD = '.upload'
/** And that of a zip within a zip while it is read. */
const UNPACKED = '.part'

const MEGABYTE = 1_000_000

export type Uploads = ReturnType<typeof createUploads>

/**
 * Files that are read for imports, in a folder of DATA_DIR. The folder has an id: servers that share a database know from it
 * which of them can read a file.
 */
export function createUploads({ DATA_DIR, IMPORT_LIMIT }: Pick<Config, 'DATA_DIR' | 'IMPORT_LIMIT'>) {
  const folder = join(DATA_DIR, 'imports')
  const idFile = join(folder, 'folder-id')
  const known = readId(idFile)
  const folderId = known ?? randomUUID()
  let isReady = known !== undefined

  async function ready(): Promise<void> {
    if (isReady) return
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(idFile, folderId)
    isReady = true
  }

  const pathOf = (import_id: string): string => join(folder, import_id)
  const unpackedPathOf = (import_id: string): string => `${pathOf(import_id)}${UNPACKED}`

  /** Removes a file, and all that its reading has written beside it. */
  async function remove(import_id: string): Promise<void> {
    const names = existsSync(folder) ? await readdir(folder) : []
    for (const name of names) if (name.startsWith(import_id)) await rm(join(folder, name), { force: true })
  }

  return {
    folderId,
    pathOf,
    /** Where a zip within the file is unpacked to. */
    unpackedPathOf,
    remove,

    /** Writes a file as it comes. Throws 'importTooLarge', 'importEmptyFile' or 'importDiskFull'; then nothing is left of it. */
    async save(import_id: string, { size, bytes }: ReceivedFile): Promise<void> {
      if (size !== undefined && size > IMPORT_LIMIT) throw tooLarge(IMPORT_LIMIT)
      const part = `${pathOf(import_id)}${UPLOAD}`
      try {
        await ready()
        await pipeline(
          bytes,
          limitBytes(IMPORT_LIMIT, () => tooLarge(IMPORT_LIMIT)),
          createWriteStream(part),
        )
        const { size: length } = await stat(part)
        if (length === 0) throw new AppError('importEmptyFile')
        await rename(part, pathOf(import_id))
      } catch (error) {
        await rm(part, { force: true })
        throw isDiskFull(error) ? new AppError('importDiskFull') : error
      }
    },

    /** Removes what servers that were killed have left. */
    async sweep(now: number): Promise<void> {
      if (!isReady) return
      for (const name of await readdir(folder)) {
        const path = join(folder, name)
        const file = path === idFile ? undefined : await stat(path).catch(() => undefined)
        const keptFor = name.endsWith(UPLOAD) ? SENT_FOR : READ_FOR
        if (file && now - file.mtimeMs > keptFor) await rm(path, { recursive: true, force: true })
      }
    },
  }
}

function readId(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

const tooLarge = (limit: number): AppError =>
  new AppError('importTooLarge', { file: [`fileOver:${Math.max(1, Math.floor(limit / MEGABYTE))}`] })
