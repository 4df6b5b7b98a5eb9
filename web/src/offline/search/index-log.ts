import type { Changes, IndexStorage, KeptIndex } from './search-engine.ts'

/** What is known of the kept index without reading it. */
export interface IndexState extends Pick<KeptIndex, 'analyser' | 'last'> {
  /** How many items of the log it does not have yet. */
  readonly waiting?: number
}

/** What the log and the kept index have, in one transaction. */
interface IndexReading {
  /** The last revision of the copy. */
  readonly revision: number
  state(): Promise<IndexState | undefined>
  /** The ids of the items that later revisions have changed, for each revision. */
  changedAfter(revision: number): Promise<readonly (readonly string[] | 'all')[]>
  /** The ids of all items. */
  ids(): Promise<readonly string[]>
  /** Fails where the browser has lost it, and ends the transaction with that. */
  index(): Promise<KeptIndex | undefined>
}

interface IndexWriting extends Pick<IndexReading, 'state'> {
  putState(state: IndexState): Promise<unknown>
  putIndex(index: KeptIndex): Promise<unknown>
  /** Deletes what the log has up to a revision. */
  forget(revision: number): Promise<unknown>
}

/** The database. Each call is a transaction; one that writes does all or nothing. */
export interface IndexStores {
  read<T>(work: (stores: IndexReading) => Promise<T>): Promise<T>
  write<T>(work: (stores: IndexWriting) => Promise<T>): Promise<T>
}

/** Changed items from which the index is brought up to date before anybody searches: so many take a tenth of a second. */
const MANY = 200

/** In place of the analyser of an index that cannot be read: browsers keep large values in files of their own. */
const LOST = -1

/** How the index is kept and followed, whatever has the stores. The log is by the revisions of the copy. */
export const indexLog = (database: IndexStores) =>
  ({
    changes: async (since, analyser) => {
      const found = await database.read(async (stores): Promise<Changes | undefined> => {
        const state = await stores.state()
        // The log begins where an index was kept, whichever analyser made that.
        const isFollowed = since !== undefined && since >= (state?.last ?? 0)
        const isKept = state?.analyser === analyser
        const from = isFollowed ? since : isKept ? state.last : undefined
        const rows = from === undefined ? ['all' as const] : await stores.changedAfter(from)
        const last = stores.revision
        if (rows.includes('all')) return { ids: await stores.ids(), last, index: 'none' }
        const changes = { ids: rows.flatMap((row) => (row === 'all' ? [] : row)), last }
        if (isFollowed) return changes
        const index = await stores.index().catch(() => undefined)
        return index && { ...changes, index }
      })
      if (found) return found
      // The state stays without its analyser: it says where the log begins, which other tabs have read to different places.
      const lose = async (stores: IndexWriting) => {
        const state = await stores.state()
        if (state) await stores.putState({ ...state, analyser: LOST })
      }
      await database.write(lose).catch(() => undefined)
      return database.read(async (stores) => ({
        ids: await stores.ids(),
        last: stores.revision,
        index: 'none',
      }))
    },

    keep: (index) =>
      database.write(async (stores) => {
        const { analyser, last, waiting } = index
        if (last < ((await stores.state())?.last ?? 0)) return
        await Promise.all([
          stores.putState({ analyser, last, waiting: waiting.length }),
          stores.putIndex(index),
          stores.forget(last),
        ])
      }),

    /** Whether the first search would have to wait. */
    isBehind: (analyser: number): Promise<boolean> =>
      database.read(async (stores) => {
        const state = await stores.state()
        if (state?.analyser !== analyser) return true
        const rows = await stores.changedAfter(state.last)
        // A first build that was interrupted is continued.
        const { waiting = MANY } = state
        return rows.reduce((sum, row) => sum + (row === 'all' ? MANY : row.length), waiting) >= MANY
      }),
  }) satisfies Pick<IndexStorage, 'changes' | 'keep'> & { isBehind: unknown }
