import { v7 as uuidv7 } from 'uuid'
import { readConfig } from '../config.ts'
import { quotasOf } from '../db/usage.ts'
import { createItems } from '../items/store.ts'
import type { TestApp } from './create-test-app.ts'
import type { Account } from './new-account.ts'

const quotas = quotasOf(readConfig({}))

/** Creates notes with these tags in one transaction. Resolves to their ids. */
export async function createNotes(
  { db, now }: TestApp,
  { id: owner_id }: Account,
  { count, tags }: { count: number; tags: string[] },
): Promise<string[]> {
  const first = now()
  const creations = Array.from({ length: count }, (_, at) => ({
    key: { owner_id, kind: 'note' as const, id: uuidv7({ msecs: first + at }) },
    item: { draft: { title: `Заметка ${at}`, body: '<p>Текст</p>', url: null, tags } },
    ...{ session_id: null, created_at: first + at, now: first, idempotencyKey: undefined, quotas },
  }))
  await db.write(createItems, creations)
  return creations.map(({ key }) => key.id)
}
