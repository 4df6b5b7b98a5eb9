import { ANALYSER } from '@kopilka/text/search/terms.ts'
import { read, write } from '../database.ts'
import { readSome } from './copy-reader.ts'
import { type IndexStores, indexLog } from './index-log.ts'
import type { IndexStorage } from './search-engine.ts'

const storesOf = (signIn: string): IndexStores => ({
  read: (work) =>
    read(signIn, ['items', 'changed', 'keptIndex', 'indexState'], (transaction, { revision }) =>
      work({
        revision,
        state: () => transaction.objectStore('indexState').get('state'),
        changedAfter: (last) => transaction.objectStore('changed').getAll(IDBKeyRange.lowerBound(last, true)),
        ids: () => transaction.objectStore('items').getAllKeys(),
        index: () => {
          // The caller of this call gets the failure.
          transaction.done.catch(() => undefined)
          return transaction.objectStore('keptIndex').get('index')
        },
      }),
    ),
  write: (work) =>
    write(signIn, ['changed', 'keptIndex', 'indexState'], (transaction) =>
      work({
        state: () => transaction.objectStore('indexState').get('state'),
        putState: (state) => transaction.objectStore('indexState').put(state, 'state'),
        putIndex: (index) => transaction.objectStore('keptIndex').put(index, 'index'),
        forget: (last) => transaction.objectStore('changed').delete(IDBKeyRange.upperBound(last)),
      }),
    ),
})

/** What search reads and keeps in the database of a sign-in. */
export const indexStorage = (signIn: string): IndexStorage => ({
  items: (ids) =>
    read(signIn, ['items', 'texts'], async (transaction) => {
      const [items, texts] = [transaction.objectStore('items'), transaction.objectStore('texts')]
      return readSome(ids, async (id) => {
        const [item, text = ''] = await Promise.all([items.get(id), texts.get(id)])
        return item && { ...item, kind: item.kind === 'note' ? 'note' : 'link', text }
      })
    }),

  tags: () => read(signIn, ['tags'], (transaction) => transaction.objectStore('tags').getAll()),

  ...indexLog(storesOf(signIn)),
})

/** Whether the first search would have to wait. */
export const isIndexBehind = (signIn: string): Promise<boolean> =>
  indexLog(storesOf(signIn)).isBehind(ANALYSER)
