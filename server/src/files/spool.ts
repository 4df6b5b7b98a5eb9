import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { v7 as uuidv7 } from 'uuid'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import { limitBytes } from '../http/limit-bytes.ts'
import { isDiskFull } from './disk-full.ts'

/** Milliseconds after which a file is left over from a server that was killed. */
const KEPT_FOR = 60 * 60_000

const MEGABYTE = 1_000_000

export type Spool = ReturnType<typeof createSpool>

/** Where pictures lie, in a folder of DATA_DIR, while they come and are cleaned. */
export function createSpool({ DATA_DIR, FILE_LIMIT }: Pick<Config, 'DATA_DIR' | 'FILE_LIMIT'>) {
  const folder = join(DATA_DIR, 'pictures')

  const tooLarge = () =>
    new AppError('fileTooLarge', { file: [`fileOver:${Math.max(1, Math.floor(FILE_LIMIT / MEGABYTE))}`] })

  return {
    /**
     * Writes bytes as they come, and runs a task with the path of their file and that of a second one. Removes both
     * afterwards. Throws 'fileTooLarge' and 'importDiskFull'.
     */
    async withFile<T>(
      bytes: AsyncIterable<Uint8Array>,
      size: number | undefined,
      task: (paths: { from: string; to: string }) => Promise<T>,
    ): Promise<T> {
      if (size !== undefined && size > FILE_LIMIT) throw tooLarge()
      const from = join(folder, uuidv7())
      const to = `${from}.clean`
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await pipeline(bytes, limitBytes(FILE_LIMIT, tooLarge), createWriteStream(from, { mode: 0o600 }))
        return await task({ from, to })
      } catch (error) {
        throw isDiskFull(error) ? new AppError('importDiskFull') : error
      } finally {
        for (const path of [from, to]) await rm(path, { force: true })
      }
    },

    /** The bytes of a file, in chunks of this size but for the last. */
    chunksOf: (path: string, size: number): AsyncIterable<Buffer> =>
      createReadStream(path, { highWaterMark: size }),

    /** Removes what servers that were killed have left. */
    async sweep(now: number): Promise<void> {
      for (const name of await readdir(folder).catch(() => [])) {
        const path = join(folder, name)
        const file = await stat(path).catch(() => undefined)
        if (file && now - file.mtimeMs > KEPT_FOR) await rm(path, { force: true })
      }
    },
  }
}
