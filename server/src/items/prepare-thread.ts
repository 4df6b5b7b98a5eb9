import type { ItemKind } from '../db/schema.ts'
import { threadTask } from '../threads/pool.ts'
import type { ItemDraft } from './item.ts'
import { prepareItem } from './prepare.ts'

/** Entry of the thread that prepares long items. */
export const run = threadTask(({ kind, draft }: { kind: ItemKind; draft: ItemDraft }) =>
  prepareItem(kind, draft),
)
