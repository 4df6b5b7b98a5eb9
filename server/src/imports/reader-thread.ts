import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { MessagePort } from 'node:worker_threads'
import type { Locale } from '@kopilka/contract/field-messages.ts'
import { tagNameKey } from '@kopilka/contract/fields.ts'
import { AppError } from '../errors.ts'
import { cleanPictureFile, type PictureFacts } from '../files/clean-picture.ts'
import { isDiskFull } from '../files/disk-full.ts'
import { lowerPriority } from '../threads/lower-priority.ts'
import { threadTasks } from '../threads/pool.ts'
import type { FormatId } from './adapter.ts'
import { createNameCount } from './name-count.ts'
import { readImport } from './read-import.ts'
import {
  faultOf,
  ImportError,
  type ImportedItem,
  type ImportedPicture,
  type ImportMessage,
  type Rejection,
} from './row.ts'
import { type FreshRow, toStoredRow } from './stored-row.ts'

/** A file to read. Batches of entries go through the port; the next follows once the last is acknowledged. */
export interface ReadTask {
  readonly path: string
  /** Where a zip within the file is unpacked to. */
  readonly unpacked: string
  /** Where a picture is written to. */
  readonly picture: string
  readonly name: string
  readonly locale: Locale
  /** Most entries, tags that the file lists by themselves, and characters of texts. */
  readonly maxRows: number
  readonly maxTags: number
  readonly maxText: number
  /** Most bytes of a picture. */
  readonly maxPicture: number
  readonly port: MessagePort
}

/** Entries in the order of the file. `tags`: how many distinct names of tags and folders it had so far. */
export interface RowBatch {
  readonly format: FormatId
  readonly rows: readonly FreshRow[]
  readonly tags: number
  /** Tags that the file lists by themselves. */
  readonly listedTags: readonly string[]
}

/** A clean picture, which lies at `ReadTask.picture` until the message is acknowledged: null, or why it is not kept. */
export interface ReadPicture {
  readonly facts: PictureFacts
}

export type ReadOutcome = { readonly error: ImportMessage | undefined }

/** Distinct names of tags that are counted, besides as many as the owner may have. */
const MORE_NAMES = 100_000

/** Entries of a batch at most, and characters of their texts after which it ends. */
const ROWS = 200
const TEXT = 200_000

lowerPriority()

/** Reads files, which may be hostile, apart from all else. */
export const run = threadTasks({
  async readFile(task: ReadTask): Promise<ReadOutcome> {
    try {
      await read(task)
      return { error: undefined }
    } catch (error) {
      if (error instanceof ImportError) return { error: error.code }
      // A zip within a zip and pictures are written beside the file.
      if (isDiskFull(error)) return { error: 'importDiskFull' }
      throw error
    } finally {
      task.port.close()
    }
  },
})

async function read(task: ReadTask): Promise<void> {
  const { path, name, locale, unpacked, maxRows, maxTags, maxText, port } = task
  const { format, rows } = await readImport(path, name, { unpacked, maxUnpacked: maxText })
  const names = createNameCount(maxTags + MORE_NAMES)
  const listed = new Set<string>()
  let listedTags: string[] = []
  let [batch, length, count, text]: [FreshRow[], number, number, number] = [[], 0, 0, 0]
  async function send(): Promise<void> {
    const message: RowBatch = { format, rows: batch, tags: names.size(), listedTags }
    port.postMessage(message)
    await once(port, 'message')
    batch = []
    listedTags = []
    length = 0
  }
  function storedOf(row: ImportedItem | Rejection): FreshRow {
    const stored = toStoredRow(row, locale)
    length += stored.item?.length ?? 0
    if (row.state === 'item') for (const name of [...row.tags, ...row.folders.flat()]) names.add(name)
    return stored
  }
  for await (const row of rows) {
    count += 1
    if (row.state === 'picture') {
      const reason = await keepPicture(task, row)
      if (reason) batch.push(storedOf({ place: row.place, title: row.file.name, state: 'broken', reason }))
    } else if (row.state === 'tag') {
      const key = tagNameKey(row.title)
      names.add(row.title)
      if (!listed.has(key)) listedTags.push(row.title)
      listed.add(key)
      if (listed.size > maxTags) throw new ImportError('importTooManyTags')
    } else batch.push(storedOf(row))
    if (batch.length + listedTags.length < ROWS && length < TEXT) continue
    text += length
    if (count > maxRows) throw new ImportError('importTooManyRows')
    if (text > maxText) throw new ImportError('importZipBomb')
    await send()
  }
  // A warning: with folders left out, or entries that are kept already, the tags may fit.
  if (names.size() > maxTags)
    batch.push(storedOf({ place: {}, title: name, state: 'broken', reason: 'importTooManyTags' }))
  await send()
}

/** Has a picture kept. Resolves to why it is not. */
async function keepPicture(
  { picture, maxPicture, port }: ReadTask,
  { pictureId, file }: ImportedPicture,
): Promise<ImportMessage | null> {
  const paths = { from: `${picture}.raw`, to: picture }
  if (file.size > maxPicture) return 'importLargePicture'
  try {
    await pipeline(file.bytes(), createWriteStream(paths.from, { mode: 0o600 }))
    const facts = cleanPictureFile(paths)
    // Texts name it by the id that its bytes had in the account that it comes from.
    if (facts.id !== pictureId) return 'importBrokenPicture'
    port.postMessage({ facts } satisfies ReadPicture)
    const [reason]: ImportMessage[] = await once(port, 'message')
    return reason ?? null
  } catch (error) {
    if (error instanceof AppError) return 'importBrokenPicture'
    return faultOf(error)
  } finally {
    for (const path of Object.values(paths)) await rm(path, { force: true })
  }
}
