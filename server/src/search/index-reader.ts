import { type IndexReader, RANKED_BODY_LENGTH, type Tag } from '@kopilka/text/search/index-reader.ts'
import type { Db } from '../db/schema.ts'
import { frequenciesOf, itemCountsOf, searchIndexOf } from './index.ts'
import {
  countsOfTags,
  pageInOrder,
  piecesOf,
  readItems,
  readTags,
  taggedAmong,
  titlesWith,
  WHOLE_BODY,
} from './texts.ts'
import { similarForms, stemsCompleting } from './vocabulary.ts'

/** What one search reads of an owner's items. Tags are read once. */
export function indexReader(db: Db, owner_id: string): IndexReader {
  const index = searchIndexOf(db)
  let known: Promise<Tag[]> | undefined
  const tags = () => {
    known ??= readTags(db, owner_id)
    return known
  }
  return {
    tags,
    tagCounts: (ids) => countsOfTags(db, { owner_id, ids }),
    itemCounts: () => itemCountsOf(db, owner_id),
    countAndFirst: (condition, limit) => index.countAndFirst(db, owner_id, condition, limit),
    newest: (condition, wanted) => index.newest(db, owner_id, condition, wanted),
    frequencies: (conditions, limit) => frequenciesOf(db, owner_id, conditions, limit),
    conditionsMet: (conditions, among) => index.conditionsMet(db, owner_id, conditions, among),
    stemsCompleting: (prefix) => stemsCompleting(db, owner_id, prefix),
    similarForms: (asked) => similarForms(db, { owner_id, ...asked }),
    items: async (ids) => readItems(db, await tags(), { owner_id, ids, length: RANKED_BODY_LENGTH }),
    async *wholeItems(ids) {
      for await (const some of piecesOf(db, { owner_id, ids }))
        yield await readItems(db, await tags(), { owner_id, ids: some, length: WHOLE_BODY })
    },
    taggedAmong: async (ids) =>
      new Set((await taggedAmong(db, { owner_id, ids })).map(({ item_id }) => item_id)),
    titlesWith: (asked) => titlesWith(db, { owner_id, ...asked }),
    pageInOrder: (page) => pageInOrder(db, { owner_id, ...page }),
  }
}
