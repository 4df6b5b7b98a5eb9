import type { ItemKind } from '../db/schema.ts'
import { threadTask } from '../threads/pool.ts'
import type { ItemDraft } from './item.ts'
import { type PackedItem, packed, prepareItem } from './prepare.ts'

/** The thread that prepares long items. */
export const run = threadTask(
  async ({ kind, draft }: { kind: ItemKind; draft: ItemDraft }): Promise<PackedItem> =>
    packed(await prepareItem(kind, draft)),
)
