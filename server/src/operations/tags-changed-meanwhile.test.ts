import { notes } from '@kopilka/contract/notes.ts'
import { operations } from '@kopilka/contract/operations.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { expect } from 'vitest'
import { readConfig } from '../config.ts'
import { quotasOf } from '../db/usage.ts'
import { contentOf } from '../items/item.ts'
import { createItemStore } from '../items/store.ts'
import { databaseWith } from '../testing/database-with.ts'
import { test } from '../testing/fixtures.ts'
import { createWorkerPool } from '../threads/worker-pool.ts'
import { createItemMerger } from './merge-items.ts'
import { findVersion } from './versions.ts'

const quotas = quotasOf(readConfig({}))
const SESSION = 'session'

const it = test
  .extend('tags', ({ app, account: { auth } }) => {
    const list = () => app.call(tags.list, { query: {} }, auth)
    const id = async (name: string) => (await list()).find((tag) => tag.name === name)?.id ?? ''
    return {
      /** The names with how many notes have each. */
      counted: async () => (await list()).map(({ name, notes_count }) => [name, notes_count]),
      /** Resolves to the operation. */
      remove: async (name: string) => {
        const { headers } = await app.request(tags.remove, { params: { id: await id(name) } }, auth)
        return headers.get('operation') ?? ''
      },
      rename: async (name: string, to: string) =>
        app.call(tags.update, { params: { id: await id(name) }, body: { name: to } }, auth),
      merge: async (name: string, into: string) =>
        app.call(tags.merge, { params: { id: await id(name) }, body: { into: await id(into) } }, auth),
    }
  })
  .extend('save', ({ app, account: { auth } }) => (names: string[]) => {
    const body = { title: 'Сад', content: `<p>Яблони ${names.join(' ')}</p>`, tags: names }
    return app.call(notes.create, { body }, auth)
  })
  .extend('undo', ({ app, account: { auth } }) => async (id = '') => {
    await app.call(operations.undo, { params: { id } }, auth)
  })
  .extend('pool', { scope: 'file' }, ({ app }, { onCleanup }) => {
    const pool = createWorkerPool(app.database.settings)
    onCleanup(() => pool.close())
    return pool
  })
  /** What analyses texts and then writes: before it writes, `meanwhile` is done. */
  .extend('analysing', ({ app, pool }) => (meanwhile: () => Promise<unknown>) => ({
    ...{ clock: app.now, pool, quotas },
    db: databaseWith(app, async (command, args) => {
      await meanwhile()
      return app.db.write(command, args)
    }),
  }))
  .extend('merge', ({ account, analysing }) => {
    const caller = { owner_id: account.id, session_id: SESSION }
    return (keep: { id: string }, other: { id: string }, meanwhile: () => Promise<unknown>) =>
      createItemMerger(analysing(meanwhile))(
        caller,
        { keep: keep.id, merge: [other.id] },
        new AbortController().signal,
      )
  })
  .extend('restore', ({ app, account, analysing }) => {
    /** Restores the first version of a note. Resolves to the operation. */
    return async ({ id }: { id: string }, meanwhile: () => Promise<unknown>) => {
      const key = { owner_id: account.id, kind: 'note' as const, id }
      const version = await findVersion(app.db, { ...key, revision: 1 }, app.now())
      if (!version) throw new Error('The note has no such version.')
      const outcome = await createItemStore(analysing(meanwhile)).restoreVersion(
        { ...key, session_id: SESSION },
        { ...contentOf(version), tags: version.namedTags },
      )
      return 'done' in outcome ? outcome.done.operation_id : undefined
    }
  })

it('merging items leaves a tag deleted or renamed that was so while their texts were analysed', async ({
  app,
  account,
  tags,
  save,
  merge,
  undo,
}) => {
  const [keep, other] = [await save(['старый', 'общий']), await save(['другой', 'чужой', 'общий'])]
  const { id } = await merge(keep, other, async () => {
    await tags.remove('старый')
    await tags.remove('чужой')
    await tags.rename('другой', 'новое имя')
    await tags.rename('общий', 'прежний')
  })
  expect(await tags.counted()).toEqual([
    ['новое имя', 1],
    ['прежний', 1],
  ])
  await undo(id)
  expect(await tags.counted()).toEqual([
    ['новое имя', 1],
    ['прежний', 2],
  ])
  const back = await app.call(notes.read, { params: { id: other.id } }, account.auth)
  expect(back.tags.map(({ name }) => name)).toEqual(['новое имя', 'прежний'])
})

it('merging items gives the kept one the tag into which one of theirs was merged meanwhile', async ({
  tags,
  save,
  merge,
}) => {
  const [keep, other] = [await save(['сад']), await save(['огород'])]
  await merge(keep, other, () => tags.merge('огород', 'сад'))
  expect(await tags.counted()).toEqual([['сад', 1]])
})

it('merging items merges none where they get too many tags meanwhile', async ({
  tags,
  save,
  merge,
  undo,
}) => {
  const names = (from: number, count: number) => Array.from({ length: count }, (_, at) => `тег ${from + at}`)
  const [keep, other] = [await save(names(0, 25)), await save(names(25, 26))]
  const removal = await tags.remove('тег 50')
  await expect(merge(keep, other, () => undo(removal))).rejects.toMatchObject({ code: 'mergeManyTags' })
})

it('restoring a version leaves a tag deleted or renamed that was so while its text was analysed', async ({
  app,
  account,
  tags,
  save,
  restore,
  undo,
}) => {
  const note = await save(['старый', 'общий', 'огород'])
  await save(['сад'])
  const body = { title: 'Сад', content: 'x', tags: [] }
  await app.call(notes.update, { params: { id: note.id }, body }, account.auth)
  const operation = await restore(note, async () => {
    await tags.remove('старый')
    await tags.rename('общий', 'новое имя')
    await tags.merge('огород', 'сад')
  })
  expect(await tags.counted()).toEqual([
    ['новое имя', 1],
    ['сад', 2],
  ])
  await undo(operation)
  expect(await tags.counted()).toEqual([
    ['новое имя', 0],
    ['сад', 1],
  ])
})

it('restoring a version creates a tag that was there no more, which the undo removes', async ({
  app,
  account,
  tags,
  save,
  restore,
  undo,
}) => {
  const note = await save(['давний'])
  const body = { title: 'Сад', content: 'x', tags: [] }
  await app.call(notes.update, { params: { id: note.id }, body }, account.auth)
  await tags.remove('давний')
  const operation = await restore(note, async () => {})
  expect(await tags.counted()).toEqual([['давний', 1]])
  await undo(operation)
  expect(await tags.counted()).toEqual([])
  // Another tag has the name by now.
  await save(['давний'])
  await restore(note, () => tags.rename('давний', 'иной'))
  expect(await tags.counted()).toEqual([['иной', 2]])
})
