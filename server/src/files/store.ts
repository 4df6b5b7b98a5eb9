import type { PictureType } from '@kopilka/contract/files.ts'
import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import { command } from '../db/command.ts'
import { deleteFirst } from '../db/delete-first.ts'
import type { Database } from '../db/open.ts'
import type { FilesTable, Trx } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { addToUsage, checkQuotas, type Quotas } from '../db/usage.ts'
import { yieldToEventLoop } from '../threads/yield-to-event-loop.ts'
import type { PictureFacts } from './clean-picture.ts'

/** Bytes of a chunk: what is in memory of a picture at once, and what one write adds. */
export const CHUNK = 256 * 1024

export interface FileKey {
  owner_id: string
  id: string
}

/** The ending of the name of a picture. */
export const endingOf = (type: PictureType): string => type.replace('image/', '')

type Facts = Pick<FilesTable, 'id' | 'type' | 'width' | 'height' | 'bytes'>

const SHOWN = ['id', 'type', 'width', 'height', 'bytes'] as const

const findComplete = statement((db, value: Value<FileKey>) =>
  db
    .selectFrom('files')
    .select(SHOWN)
    .where('owner_id', '=', value('owner_id'))
    .where('id', '=', value('id'))
    .where('is_complete', '=', 1),
)

const begin = statement((db, value: Value<Omit<FilesTable, 'is_complete'>>) =>
  db
    .insertInto('files')
    .values({
      ...value.row(['owner_id', 'id', 'type', 'width', 'height', 'bytes', 'begun_at', 'unused_since']),
      is_complete: 0,
    })
    .onConflict((conflict) =>
      conflict.columns(['owner_id', 'id']).doUpdateSet(({ ref, eb }) => ({
        begun_at: ref('excluded.begun_at'),
        // Something may name it; if nothing does, its time starts over.
        unused_since: eb
          .case()
          .when('files.unused_since', 'is', null)
          .then(null)
          .else(ref('excluded.unused_since'))
          .end(),
      })),
    )
    .returning('is_complete'),
)

const DAY = 24 * 60 * 60_000
/**
 * Milliseconds that a picture lives longer which nothing has named yet: a draft has only its address, and may be saved weeks
 * later.
 */
const UNNAMED = 29 * DAY

/** Begins an upload. Resolves to whether the owner has the same picture, complete, already. Throws 'fileQuota'. */
export const beginFile = command(
  'files.begin',
  async (
    trx,
    { owner_id, facts, now, quotas }: { owner_id: string; facts: PictureFacts; now: number; quotas: Quotas },
  ): Promise<boolean> => {
    const [row] = await begin(trx, { ...facts, owner_id, begun_at: now, unused_since: now + UNNAMED })
    if (row?.is_complete === 1) return true
    await checkQuotas(trx, owner_id, { file_bytes: facts.bytes }, quotas)
    return false
  },
)

/** A chunk that is there already, of another upload of the same picture, has the same bytes. */
const insertChunk = statement(
  (db, value: Value<{ owner_id: string; file_id: string; seq: number; bytes: Uint8Array }>) =>
    db
      .insertInto('file_chunks')
      .values(value.row(['owner_id', 'file_id', 'seq', 'bytes']))
      .onConflict((conflict) => conflict.columns(['owner_id', 'file_id', 'seq']).doNothing()),
)

export const addChunk = command(
  'files.add-chunk',
  async (trx, { owner_id, id, seq, bytes }: FileKey & { seq: number; bytes: Uint8Array }): Promise<void> => {
    await insertChunk(trx, {
      owner_id,
      file_id: id,
      seq,
      bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
    })
  },
)

const storedBytes = statement(
  (_, value: Value<FileKey>) => sql<{ bytes: number }>`select coalesce(sum(octet_length(bytes)), 0) as bytes
    from file_chunks where owner_id = ${value('owner_id')} and file_id = ${value('id')}`,
)

const complete = statement((db, value: Value<FileKey & { now: number }>) =>
  db
    .updateTable('files')
    .set({ is_complete: 1, begun_at: value('now') })
    .where('owner_id', '=', value('owner_id'))
    .where('id', '=', value('id'))
    .where('is_complete', '=', 0)
    .returning('bytes'),
)

/**
 * Makes a picture visible once all its chunks are there. False where some are missing: a purge has taken them meanwhile. Throws
 * 'fileQuota'.
 */
export const finishFile = command(
  'files.finish',
  async (trx, { now, quotas, ...key }: FileKey & { now: number; quotas: Quotas }): Promise<boolean> => {
    const [completed] = await complete(trx, { ...key, now })
    const [found] = completed ? [] : await findComplete(trx, key)
    if (found) return true
    const [stored] = await storedBytes(trx, key)
    if (!completed || Number(stored?.bytes) !== Number(completed.bytes)) {
      await hide(trx, { ...key, now })
      return false
    }
    await addToUsage(trx, key.owner_id, { file_bytes: Number(completed.bytes) }, quotas)
    return true
  },
)

const hide = statement((db, value: Value<FileKey & { now: number }>) =>
  db
    .updateTable('files')
    .set({ is_complete: 0, begun_at: value('now') })
    .where('owner_id', '=', value('owner_id'))
    .where('id', '=', value('id')),
)

/** Milliseconds after which an upload that is not complete is taken for broken off. */
const BROKEN_OFF_AFTER = 60 * 60_000

const lockBrokenOff = statement((db, value: Value<{ owner_id: string; until: number }>) =>
  db
    .selectFrom('files')
    .select('id')
    .where('owner_id', '=', value('owner_id'))
    .where('is_complete', '=', 0)
    .where('begun_at', '<=', value('until'))
    .orderBy('id')
    .limit(1)
    .forUpdate(),
)

/** Chunks that one step deletes: some two megabytes. */
const STEP = 8

const deleteChunks = deleteFirst<FileKey & { limit: number }>({
  ...{ table: 'file_chunks', key: 'seq', order: 'seq' },
  where: (value) => sql`file_id = ${value('id')}`,
})

const deleteFile = statement((db, value: Value<FileKey>) =>
  db.deleteFrom('files').where('owner_id', '=', value('owner_id')).where('id', '=', value('id')),
)

/** Deletes some of what uploads that were broken off, and purged pictures, have left. Resolves to whether there is more. */
export const deleteBrokenOff = command(
  'files.delete-broken-off',
  async (trx, { owner_id, now }: { owner_id: string; now: number }): Promise<boolean> => {
    const [found] = await lockBrokenOff(trx, { owner_id, until: now - BROKEN_OFF_AFTER })
    if (!found) return false
    const key = { owner_id, id: found.id }
    if ((await deleteChunks(trx, { ...key, limit: STEP })).length < STEP) await deleteFile(trx, key)
    return true
  },
)

/**
 * Hides a complete picture, so that its chunks can be deleted in steps, once it is forgotten which items have named it. Where
 * `unused_since` is another by now it stays. Resolves to whether another step is needed.
 */
export async function hideFile(
  trx: Trx,
  { unused_since, ...key }: FileKey & { unused_since: number },
): Promise<boolean> {
  const [unused] = await lockUnused(trx, { ...key, unused_since })
  if (!unused) return false
  if ((await forgetItems(trx, { ...key, limit: ROWS })).length === ROWS) return true
  const [hidden] = await hideUnused(trx, { ...key, unused_since })
  if (hidden) await addToUsage(trx, key.owner_id, { file_bytes: -Number(hidden.bytes) })
  return false
}

/** Rows of items that one step deletes. */
const ROWS = 500

const forgetItems = deleteFirst<FileKey & { limit: number }>({
  ...{ table: 'file_items', key: 'item_id', order: 'item_id' },
  where: (value) => sql`file_id = ${value('id')}`,
})

/** A save that names the picture waits from here on, or has changed `unused_since` before. */
const lockUnused = statement((db, value: Value<FileKey & { unused_since: number }>) =>
  db
    .selectFrom('files')
    .select('id')
    .where('owner_id', '=', value('owner_id'))
    .where('id', '=', value('id'))
    .where('is_complete', '=', 1)
    .where('unused_since', '=', value('unused_since'))
    .forUpdate(),
)

const hideUnused = statement((db, value: Value<FileKey & { unused_since: number }>) =>
  db
    .updateTable('files')
    .set({ is_complete: 0, begun_at: 0 })
    .where('owner_id', '=', value('owner_id'))
    .where('id', '=', value('id'))
    .where('is_complete', '=', 1)
    .where('unused_since', '=', value('unused_since'))
    .returning('bytes'),
)

const readChunk = statement((db, value: Value<FileKey & { seq: number }>) =>
  db
    .selectFrom('file_chunks')
    .select('bytes')
    .where('owner_id', '=', value('owner_id'))
    .where('file_id', '=', value('id'))
    .where('seq', '=', value('seq')),
)

export type FileStore = ReturnType<typeof createFileStore>

interface Dependencies {
  db: Database
  clock: Clock
  quotas: Quotas
}

/** Attempts to save a picture while a purge takes its chunks. */
const ATTEMPTS = 3

/** Stores clean pictures in chunks. */
export function createFileStore({ db, clock, quotas }: Dependencies) {
  return {
    /** A complete picture; undefined where the owner has none of that id. */
    async find(key: FileKey): Promise<Facts | undefined> {
      const [found] = await findComplete(db, key)
      return found && { ...found, bytes: Number(found.bytes) }
    },

    /** Saves a clean picture, unless the owner has it already. `chunks` gives its bytes, newly each time. Throws 'fileQuota'. */
    async save(
      owner_id: string,
      facts: PictureFacts,
      chunks: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    ): Promise<void> {
      const key = { owner_id, id: facts.id }
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        if (await db.write(beginFile, { owner_id, facts, now: clock(), quotas })) return
        let seq = 0
        for await (const bytes of chunks()) {
          await db.write(addChunk, { ...key, seq, bytes })
          seq += 1
        }
        if (await db.write(finishFile, { ...key, now: clock(), quotas })) return
      }
      throw new Error('The chunks of a picture are not what its facts say.')
    },

    /** The bytes of a complete picture; others come between its chunks. Throws where it is purged meanwhile. */
    async *bytesOf({ owner_id, id, bytes }: FileKey & Pick<Facts, 'bytes'>): AsyncGenerator<Uint8Array> {
      let sent = 0
      for (let seq = 0; sent < bytes; seq += 1) {
        if (seq > 0) await yieldToEventLoop()
        const [chunk] = await readChunk(db, { owner_id, id, seq })
        if (!chunk) throw new Error('A picture was purged while it was sent.')
        sent += chunk.bytes.length
        yield chunk.bytes
      }
    },
  }
}
