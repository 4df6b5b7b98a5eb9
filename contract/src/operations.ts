import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { id, pageNumber, time } from './fields.ts'

/** What an operation did; each of them can be undone. */
export const OPERATION_ACTIONS = [
  'delete_items',
  'change_items',
  'merge_items',
  'restore_items',
  'restore_version',
  'delete_tag',
  'rename_tag',
  'merge_tags',
  'import',
] as const
export type OperationAction = (typeof OPERATION_ACTIONS)[number]

/**
 * An operation; `items`: how many items or tags it changed, 0 for an import of tags alone. `title`: of the one item that it changed, or
 * the name that its tag had; absent where that is kept no more. `progress`: only while it, or its undo, is under way.
 */
export const operation = z.object({
  id,
  action: z.enum(OPERATION_ACTIONS),
  at: time,
  items: z.int(),
  title: z.optional(z.string()),
  undone_at: z.nullable(time),
  progress: z.optional(z.object({ done: z.int(), total: z.int() })),
})
export type Operation = z.output<typeof operation>

/** What an undo left as it is, because it was changed since. `title`: a tag's name; empty where it was deleted for ever. */
const skipped = z.object({
  kind: z.enum(['note', 'urllink', 'tag']),
  id,
  title: z.string(),
  reason: z.literal('changed'),
})
export type Skipped = z.output<typeof skipped>

export const operations = {
  /** The operations of the last 30 days, the newest first. */
  list: endpoint({
    method: 'GET',
    path: '/operations/',
    access: 'signed-in',
    scope: 'read',
    status: 200,
    query: z.object({ page: z.optional(pageNumber) }),
    response: z.object({ count: z.int(), results: z.array(operation) }),
  }),
  /**
   * Puts back what the operation changed. Works once. `restored`: how many items and tags were put back; `skipped_count`: how
   * many were left as they are, of which `skipped` names the first 100. Where the request took the undo over from one that had
   * failed, and there are more, it may count some of them twice.
   */
  undo: endpoint({
    method: 'POST',
    path: '/operations/:id/undo/',
    access: 'signed-in',
    scope: 'write',
    status: 200,
    params: z.object({ id }),
    missing: 'operationNotFound',
    response: z.object({ restored: z.int(), skipped: z.array(skipped), skipped_count: z.int() }),
    goesInSteps: true,
    errors: ['operationUndone', 'itemQuota', 'tagQuota', 'textQuota'],
  }),
}
