import type { Skipped } from '@kopilka/contract/operations.ts'
import type { ChangesTable } from '../db/schema.ts'
import type { Totals } from '../items/counts.ts'
import type { Restoring } from '../items/item-changes.ts'
import type { UndoneTags } from '../tags/item-tags.ts'
import type { DueTag, OperationKey } from './running.ts'

/** What the undos of the changes of one step share. */
export interface UndoState extends UndoneTags {
  readonly operation: OperationKey
  readonly skipped: Skipped[]
  readonly totals: Totals
  readonly restoring: Restoring
  /** How many items and tags were put back. */
  restored: number
  /** Ids of tags that the changes created, with the numbers of those changes. */
  readonly created: Map<string, number>
  /** Ids of those that were created by themselves, without an item. */
  readonly alone: Set<string>
  /** Ids of tags that stand for deleted ones from this step on. */
  readonly standing: Set<string>
  /** Ids of items that are to be reindexed: they got or lost a tag, or the index has one at them that was deleted. */
  readonly retagged: Set<string>
  /** How many items one step gives a tag. */
  readonly limit: number
  /** Whether the tag of a change was renamed or deleted since. */
  readonly wasTagSince: (end: 'renamed' | 'deleted', change: ChangesTable) => boolean
  /** What the next step gives a tag, before it undoes other changes. */
  due?: DueTag | undefined
  /** How many items there are to be given a tag in steps of their own. */
  found: number
}

/** Items of the change `seq` of a tag. */
export interface TagItems {
  owner_id: string
  id: string
  seq: number
  items: readonly string[]
}
