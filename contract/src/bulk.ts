import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { anId, ids, mergedIds, pinned, searchText, tagId, typeError } from './fields.ts'
import { tagChanges } from './items.ts'

/**
 * The conditions of the lists: an item that a list with them would show, on whatever page, but for those that match a search in part
 * only. Without any: every item.
 */
export const itemFilter = z.object({
  kind: z.optional(z.enum(['note', 'urllink'])),
  search: z.optional(searchText),
  exact: z.optional(z.boolean()),
  /** The id of a tag. */
  tag: z.optional(tagId),
  untagged: z.optional(z.boolean()),
})
export type ItemFilter = z.output<typeof itemFilter>

/** Changes of many items at once. */
export const bulk = {
  /**
   * Changes all of the items or none: those of `ids`, or all that the filter finds at that moment. Either `delete`, or at
   * least one of the others. `changed`: how many items are not as they were.
   */
  change: endpoint({
    method: 'POST',
    path: '/items/bulk/',
    access: 'signed-in',
    scope: 'write',
    status: 200,
    body: z.object({
      ids: z.optional(ids),
      // A misspelt condition would be left out, and everything changed.
      filter: z.optional(z.strictObject(itemFilter.shape, typeError)),
      ...tagChanges,
      pinned: z.optional(pinned),
      delete: z.optional(z.literal(true)),
    }),
    maxBodyBytes: 256 * 1024,
    response: z.object({ changed: z.int() }),
    sendsOperation: true,
    goesInSteps: true,
    errors: ['idsOrFilter', 'bulkChange', 'itemNotFound', 'tagNotFound', 'tagQuota'],
  }),
  /**
   * Joins items of one kind into `keep`: it gets their tags, their texts and the oldest date of creation, and is pinned if one
   * of them is. They go to the trash.
   */
  merge: endpoint({
    method: 'POST',
    path: '/items/merge/',
    access: 'signed-in',
    scope: 'write',
    status: 200,
    body: z.object({ keep: anId, merge: mergedIds }),
    response: z.object({ merged: z.int() }),
    sendsOperation: true,
    errors: [
      'itemNotFound',
      'mergeItself',
      'mergeKinds',
      'mergeTooLong',
      'mergeManyTags',
      'changedMeanwhile',
      'textQuota',
    ],
  }),
}
