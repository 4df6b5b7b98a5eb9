import { bulk } from '@kopilka/contract/bulk.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { operations } from '@kopilka/contract/operations.ts'
import { search } from '@kopilka/contract/search.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { trash } from '@kopilka/contract/trash.ts'
import { expect } from 'vitest'
import { createNotes } from '../testing/create-notes.ts'
import { test } from '../testing/fixtures.ts'
import { readFile, runImport } from '../testing/send-file.ts'

interface Reply {
  status: number
  headers: Headers
}

const it = test
  .extend(
    'note',
    ({ app, account }) =>
      (title: string, names: string[] = []) =>
        app.call(notes.create, { body: { title, content: 'текст', tags: names } }, account.auth),
  )
  .extend('idOf', ({ app, account }) => async (name: string): Promise<string> => {
    const all = await app.call(tags.list, { query: {} }, account.auth)
    return all.find((tag) => tag.name === name)?.id ?? ''
  })
  .extend(
    'namesOf',
    ({ app, account }) =>
      async ({ id }: { id: string }) =>
        (await app.call(notes.read, { params: { id } }, account.auth)).tags.map(({ name }) => name),
  )
  /** Titles of the notes that a search by the tag finds. */
  .extend('tagged', ({ app, account }) => async (name: string) => {
    const query = { search: `tag:"${name}"`, exact: '1' } as const
    return (await app.call(search, { query }, account.auth)).notes.map(({ title }) => title).sort()
  })
  /** Does something; resolves to the function that undoes it. */
  .extend('undoable', ({ app, account }) => async (doing: Promise<Reply>) => {
    const { status, headers } = await doing
    expect(status).toBeLessThan(300)
    const id = headers.get('operation') ?? ''
    return () => app.call(operations.undo, { params: { id } }, account.auth)
  })
  .extend(
    'remove',
    ({ app, account, undoable }) =>
      ({ id }: { id: string }) =>
        undoable(app.request(notes.remove, { params: { id } }, account.auth)),
  )
  .extend(
    'restore',
    ({ app, account, undoable }) =>
      ({ id }: { id: string }) =>
        undoable(app.request(trash.restore, { body: { ids: [id] } }, account.auth)),
  )
  .extend(
    'removeTag',
    ({ app, account, undoable, idOf }) =>
      async (name: string) =>
        undoable(app.request(tags.remove, { params: { id: await idOf(name) } }, account.auth)),
  )
  .extend(
    'rename',
    ({ app, account, undoable, idOf }) =>
      async (from: string, name: string) =>
        undoable(
          app.request(tags.update, { params: { id: await idOf(from) }, body: { name } }, account.auth),
        ),
  )
  .extend('merge', ({ app, account, undoable, idOf }) => async (name: string, other: string) => {
    const [id, into] = [await idOf(name), await idOf(other)]
    return undoable(app.request(tags.merge, { params: { id }, body: { into } }, account.auth))
  })
  .extend(
    'change',
    ({ app, account, undoable }) =>
      (items: { id: string }[], change: object) =>
        undoable(
          app.request(bulk.change, { body: { ids: items.map(({ id }) => id), ...change } }, account.auth),
        ),
  )

it('finds a deleted tag that came back at no item that was changed since', async ({
  note,
  removeTag,
  change,
  tagged,
}) => {
  await note('Прежняя', ['сад'])
  const pinned = await note('Закреплённая', ['сад'])
  const undo = await removeTag('сад')
  await change([pinned], { pinned: true })
  expect((await undo()).skipped).toMatchObject([{ id: pinned.id }])
  expect(await tagged('сад')).toEqual(['Прежняя'])
})

it('gives all items the tag that has taken the name of a deleted one', async ({
  app,
  account,
  note,
  removeTag,
  namesOf,
}) => {
  const ids = await createNotes(app, account, { count: 30, tags: ['Сад'] })
  const undo = await removeTag('Сад')
  const { tags: named } = await note('Новая', ['сад'])
  expect(await undo()).toEqual({
    restored: 1,
    skipped: [{ kind: 'tag', id: named[0]?.id, title: 'Сад', reason: 'changed' }],
    skipped_count: 1,
  })
  for (const id of ids) expect(await namesOf({ id })).toEqual(['сад'])
})

it('gives items the tag of the same name that an item keeps which was changed since', async ({
  note,
  removeTag,
  change,
  namesOf,
  idOf,
  tagged,
}) => {
  const former = await note('Прежняя', ['сад'])
  const kept = await note('Закреплённая')
  const undoDeletion = await removeTag('сад')
  const undoAddition = await change([kept], { add_tags: ['сад'] })
  const id = await idOf('сад')
  await change([kept], { pinned: true })
  expect((await undoAddition()).skipped).toMatchObject([{ id: kept.id }])
  expect((await undoDeletion()).skipped).toEqual([])
  for (const item of [former, kept]) expect(await namesOf(item)).toEqual(['сад'])
  expect(await tagged('сад')).toEqual(['Закреплённая', 'Прежняя'])
  expect(await idOf('сад')).toBe(id)
})

it('names the tag that items got for a deleted one where it was renamed twice', async ({
  note,
  removeTag,
  change,
  rename,
  namesOf,
  idOf,
}) => {
  const item = await note('Прежняя', ['сад'])
  const undoDeletion = await removeTag('сад')
  const undoAddition = await change([await note('Другая')], { add_tags: ['сад'] })
  expect((await undoDeletion()).skipped).toEqual([])
  const id = await idOf('сад')
  const undoFirst = await rename('сад', 'огород')
  const undoSecond = await rename('огород', 'парк')
  await undoAddition()
  expect((await undoFirst()).skipped).toMatchObject([{ kind: 'tag', id, title: 'парк' }])
  expect((await undoSecond()).skipped).toEqual([])
  expect(await namesOf(item)).toEqual(['огород'])
})

it('takes the tag away that an item got for the one that had been added to it', async ({
  note,
  removeTag,
  change,
  namesOf,
  tagged,
}) => {
  const item = await note('Запись')
  const undoAddition = await change([item], { add_tags: ['сад'] })
  const undoDeletion = await removeTag('сад')
  await note('Новая', ['сад'])
  expect((await undoDeletion()).skipped).toEqual([])
  expect(await namesOf(item)).toEqual(['сад'])
  expect((await undoAddition()).skipped).toEqual([])
  expect(await namesOf(item)).toEqual([])
  expect(await tagged('сад')).toEqual(['Новая'])
})

it('finds a tag that an item of the trash brings back at that item alone', async ({
  note,
  idOf,
  remove,
  removeTag,
  restore,
  tagged,
}) => {
  const deleted = await note('Из корзины', ['сад'])
  await note('Без тега', ['сад'])
  const id = await idOf('сад')
  await remove(deleted)
  await removeTag('сад')
  await restore(deleted)
  expect(await tagged('сад')).toEqual(['Из корзины'])
  expect(await idOf('сад')).toBe(id)
})

it('finds it there alone also where many items had it, and undoes the deletion', async ({
  app,
  account,
  note,
  remove,
  removeTag,
  restore,
  tagged,
  namesOf,
}) => {
  const deleted = await note('Из корзины', ['сад'])
  const others = await createNotes(app, account, { count: 505, tags: ['сад'] })
  await remove(deleted)
  const undoDeletion = await removeTag('сад')
  await restore(deleted)
  expect(await tagged('сад')).toEqual(['Из корзины'])
  // It came back with another id, and all have it as they had it before.
  expect((await undoDeletion()).skipped).toEqual([])
  for (const id of others) expect(await namesOf({ id })).toEqual(['сад'])
})

it('lets a deleted tag come back with another id where the texts of others that had it are long', async ({
  app,
  account,
  note,
  idOf,
  remove,
  removeTag,
  restore,
  tagged,
}) => {
  const deleted = await note('Из корзины', ['сад'])
  const content = 'слово '.repeat(30_000)
  for (const title of ['Длинная', 'Вторая'])
    await app.call(notes.create, { body: { title, content, tags: ['сад'] } }, account.auth)
  const id = await idOf('сад')
  await remove(deleted)
  await removeTag('сад')
  await restore(deleted)
  expect(await tagged('сад')).toEqual(['Из корзины'])
  expect(await idOf('сад')).not.toBe(id)
})

it('gives a deleted tag its name back that it did not have at an item of the trash', async ({
  note,
  remove,
  rename,
  removeTag,
  restore,
  namesOf,
}) => {
  const deleted = await note('Из корзины', ['сад'])
  const other = await note('Другая', ['сад'])
  await remove(deleted)
  await rename('сад', 'огород')
  const undo = await removeTag('огород')
  await restore(deleted)
  expect(await namesOf(deleted)).toEqual(['сад'])
  expect((await undo()).skipped).toEqual([])
  for (const item of [deleted, other]) expect(await namesOf(item)).toEqual(['огород'])
})

it('leaves items the tag that they got by a merge where the merged one has changed since', async ({
  note,
  remove,
  merge,
  removeTag,
  namesOf,
}) => {
  const item = await note('Запись', ['сад'])
  const deleted = await note('Из корзины', ['сад'])
  await note('Другая', ['огород'])
  const undoRemoval = await remove(deleted)
  const undo = await merge('сад', 'огород')
  // Everything as it was before: with the tag that it had.
  await undoRemoval()
  expect(await namesOf(deleted)).toEqual(['сад'])
  await removeTag('сад')
  expect((await undo()).skipped.map(({ kind, title }) => [kind, title])).toEqual([
    ['tag', 'сад'],
    ['tag', 'огород'],
  ])
  expect(await namesOf(item)).toEqual(['огород'])
})

it('gives a tag back although an item got and lost it since', async ({
  note,
  remove,
  restore,
  removeTag,
  rename,
  change,
  namesOf,
}) => {
  const item = await note('Запись', ['сад'])
  const deleted = await note('Из корзины', ['сад'])
  await remove(deleted)
  const undoDeletion = await removeTag('сад')
  await restore(deleted)
  const undoAddition = await change([item], { add_tags: ['сад'] })
  const undoRenaming = await rename('сад', 'огород')
  await undoAddition()
  await undoRenaming()
  expect(await undoDeletion()).toEqual({ restored: 1, skipped: [], skipped_count: 0 })
  expect(await namesOf(item)).toEqual(['сад'])
})

it('brings a tag back that went as no item had it, and removes it with the last of them', async ({
  note,
  change,
  namesOf,
  idOf,
}) => {
  const [one, other] = [await note('Одна'), await note('Другая')]
  const undoCreation = await change([one], { add_tags: ['сад'] })
  const undoAddition = await change([other], { add_tags: ['сад'] })
  const undoRemoval = await change([other], { remove_tags: ['сад'] })
  await undoCreation()
  expect(await idOf('сад')).toBe('')
  await undoRemoval()
  expect(await namesOf(other)).toEqual(['сад'])
  await undoAddition()
  expect(await namesOf(other)).toEqual([])
  expect(await idOf('сад')).toBe('')
})

it('undoes an import whose tag has become part of another one, and the merge', async ({
  app,
  account,
  note,
  merge,
  idOf,
  tagged,
}) => {
  await note('Своя', ['огород'])
  const before = await app.call(tags.list, { query: {} }, account.auth)
  const line = (at: number) => `<DT><A HREF="https://example.org/${at}" TAGS="сад">Ссылка ${at}</A>`
  const html = `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL>${Array.from({ length: 5 }, (_, at) => line(at)).join('\n')}</DL>`
  const { id } = await readFile(app, account, html, 'закладки.html')
  const { operation } = await runImport(app, account, id)
  const params = { id: operation ?? '' }
  const undoMerge = await merge('сад', 'огород')
  expect(await app.call(operations.undo, { params }, account.auth)).toEqual({
    restored: 5,
    skipped: [],
    skipped_count: 0,
  })
  expect(await app.call(tags.list, { query: {} }, account.auth)).toEqual(before)
  await undoMerge()
  expect(await idOf('сад')).toBe('')
  expect(await app.call(tags.list, { query: {} }, account.auth)).toEqual(before)
  expect(await tagged('огород')).toEqual(['Своя'])
})

it('restores items with the tags into which theirs were merged since, each once', async ({
  app,
  account,
  note,
  remove,
  restore,
  merge,
  tagged,
}) => {
  const deleted = [await note('Одна', ['сад']), await note('Другая', ['сад', 'огород', 'лес'])]
  await note('Своя', ['двор'])
  for (const one of deleted) await remove(one)
  await merge('сад', 'огород')
  await merge('огород', 'двор')
  for (const one of deleted) await restore(one)
  const named = await app.call(tags.list, { query: {} }, account.auth)
  expect(named.map(({ name, notes_count }) => [name, notes_count])).toEqual([
    ['двор', 3],
    ['лес', 1],
  ])
  expect(await tagged('двор')).toEqual(['Другая', 'Одна', 'Своя'])
})

it('restores an item with the tag into which its own was merged, where that one was deleted since', async ({
  note,
  remove,
  restore,
  merge,
  removeTag,
  namesOf,
  idOf,
}) => {
  const deleted = await note('Из корзины', ['сад'])
  await note('Другая', ['огород'])
  const id = await idOf('огород')
  await remove(deleted)
  await merge('сад', 'огород')
  await removeTag('огород')
  await restore(deleted)
  expect(await namesOf(deleted)).toEqual(['огород'])
  expect(await idOf('огород')).toBe(id)
})

it('restores an item with its own tag where the merge was undone', async ({
  note,
  remove,
  restore,
  merge,
  namesOf,
}) => {
  const deleted = await note('Из корзины', ['сад'])
  await note('Другая', ['огород'])
  await remove(deleted)
  const undo = await merge('сад', 'огород')
  await undo()
  await restore(deleted)
  expect(await namesOf(deleted)).toEqual(['сад'])
})

it.for([
  [0, 1],
  [1, 0],
] as const)(
  'undoes a merge and a restoration with the other tag in any order: %i, %i',
  async (order, { note, remove, restore, merge, namesOf, tagged }) => {
    const item = await note('Запись', ['сад'])
    const deleted = await note('Из корзины', ['сад'])
    const other = await note('Другая', ['огород'])
    const undoRemoval = await remove(deleted)
    const undos = [await merge('сад', 'огород'), await restore(deleted)]
    for (const at of order) expect((await undos[at]?.())?.skipped).toEqual([])
    expect(await undoRemoval()).toMatchObject({ restored: 1, skipped: [] })
    for (const one of [item, deleted]) expect(await namesOf(one)).toEqual(['сад'])
    expect(await namesOf(other)).toEqual(['огород'])
    expect(await tagged('сад')).toEqual(['Запись', 'Из корзины'])
  },
)

it('shows and restores a version with the tag into which its own was merged since', async ({
  app,
  account,
  note,
  merge,
  namesOf,
  idOf,
}) => {
  const { id } = await note('Первая', ['сад'])
  await app.call(notes.update, { params: { id }, body: { title: 'Вторая', content: 'x' } }, account.auth)
  await note('Другая', ['огород'])
  await merge('сад', 'огород')
  const { results } = await app.call(notes.versions, { params: { id } }, account.auth)
  expect(results).toMatchObject([{ revision: 1, title: 'Первая', tags: ['огород'] }])
  await app.call(notes.restoreVersion, { params: { id, revision: '1' } }, account.auth)
  expect(await namesOf({ id })).toEqual(['огород'])
  expect(await idOf('сад')).toBe('')
})

const ORDERS = [
  [0, 1],
  [1, 0],
] as const

it.for(ORDERS)(
  'undoes two merges into one tag in any order: %i, %i',
  async (order, { note, merge, namesOf, idOf }) => {
    const items = [await note('Первая', ['a']), await note('Вторая', ['b']), await note('Третья', ['c'])]
    const ids = [await idOf('a'), await idOf('b'), await idOf('c')]
    const undos = [await merge('a', 'b'), await merge('c', 'b')]
    for (const at of order) expect((await undos[at]?.())?.skipped).toEqual([])
    expect(await Promise.all(items.map(namesOf))).toEqual([['a'], ['b'], ['c']])
    expect([await idOf('a'), await idOf('b'), await idOf('c')]).toEqual(ids)
  },
)

it.for(ORDERS)(
  'undoes them in any order where an item had both tags: %i, %i',
  async (order, { note, merge, namesOf }) => {
    const item = await note('Запись', ['a', 'c'])
    const other = await note('Другая', ['b'])
    const undos = [await merge('a', 'b'), await merge('c', 'b')]
    for (const at of order) expect((await undos[at]?.())?.skipped).toEqual([])
    expect(await namesOf(item)).toEqual(['a', 'c'])
    expect(await namesOf(other)).toEqual(['b'])
  },
)

it.for(ORDERS)(
  'undoes a merge and the renaming of the other tag in any order: %i, %i',
  async (order, { note, merge, rename, namesOf }) => {
    const [item, other] = [await note('Запись', ['a']), await note('Другая', ['b'])]
    const undos = [await merge('a', 'b'), await rename('b', 'c')]
    for (const at of order) expect((await undos[at]?.())?.skipped).toEqual([])
    expect(await namesOf(item)).toEqual(['a'])
    expect(await namesOf(other)).toEqual(['b'])
  },
)

it.for(ORDERS)(
  'undoes a merge and the deletion of the other tag in any order: %i, %i',
  async (order, { note, merge, removeTag, namesOf, tagged }) => {
    const [item, other] = [await note('Запись', ['a']), await note('Другая', ['b'])]
    const undos = [await merge('a', 'b'), await removeTag('b')]
    for (const at of order) expect((await undos[at]?.())?.skipped).toEqual([])
    expect(await namesOf(item)).toEqual(['a'])
    expect(await namesOf(other)).toEqual(['b'])
    expect(await tagged('b')).toEqual(['Другая'])
  },
)

it.for(ORDERS)(
  'undoes two merges one after the other in any order: %i, %i',
  async (order, { note, merge, namesOf }) => {
    const items = [await note('Первая', ['a']), await note('Вторая', ['b']), await note('Третья', ['c'])]
    const undos = [await merge('a', 'b'), await merge('b', 'c')]
    for (const at of order) await undos[at]?.()
    expect(await Promise.all(items.map(namesOf))).toEqual([['a'], ['b'], ['c']])
  },
)

it('names the tag that has taken the name of a merged one, and that alone came of it', async ({
  note,
  merge,
  rename,
  namesOf,
  idOf,
}) => {
  const item = await note('Запись', ['a'])
  await note('Другая', ['b'])
  const id = await idOf('b')
  const undo = await merge('a', 'b')
  await rename('b', 'A')
  expect(await undo()).toEqual({
    restored: 0,
    skipped: [{ kind: 'tag', id, title: 'A', reason: 'changed' }],
    skipped_count: 1,
  })
  expect(await namesOf(item)).toEqual(['A'])
})

it('names a tag that was created and has another name since', async ({ note, change, rename, idOf }) => {
  const item = await note('Запись')
  const undo = await change([item], { add_tags: ['новый'] })
  await rename('новый', 'новее')
  const id = await idOf('новее')
  expect(await undo()).toEqual({
    restored: 1,
    skipped: [{ kind: 'tag', id, title: 'новее', reason: 'changed' }],
    skipped_count: 1,
  })
})

it('names by its title an item that lies in the trash since', async ({ note, change, remove }) => {
  const item = await note('Рецепт борща')
  const undo = await change([item], { pinned: true })
  await remove(item)
  expect((await undo()).skipped).toEqual([
    { kind: 'note', id: item.id, title: 'Рецепт борща', reason: 'changed' },
  ])
})

it('gives all items a deleted tag back that was renamed while it was being deleted', async ({
  app,
  account,
  undoable,
  idOf,
  rename,
  tagged,
}) => {
  const count = 2_500
  await createNotes(app, account, { count, tags: ['сад'] })
  const id = await idOf('сад')
  const deleting = app.request(tags.remove, { params: { id } }, account.auth)
  const undoRenaming = await rename('сад', 'огород')
  const undo = await undoable(deleting)
  expect((await undo()).skipped).toEqual([])
  expect(await app.call(tags.read, { params: { id } }, account.auth)).toMatchObject({
    name: 'огород',
    notes_count: count,
  })
  expect((await undoRenaming()).skipped).toEqual([])
  expect(await idOf('сад')).toBe(id)
  expect((await tagged('сад')).length).toBeGreaterThan(0)
})

it('gives all items a deleted tag back that was renamed while it was coming back', async ({
  app,
  account,
  removeTag,
  idOf,
}) => {
  const count = 300
  await createNotes(app, account, { count, tags: ['сад'] })
  const id = await idOf('сад')
  const undo = await removeTag('сад')
  const undoing = undo()
  await expect.poll(() => idOf('сад')).toBe(id)
  await app.call(tags.update, { params: { id }, body: { name: 'огород' } }, account.auth)
  expect((await undoing).skipped).toEqual([])
  expect(await app.call(tags.read, { params: { id } }, account.auth)).toMatchObject({
    name: 'огород',
    notes_count: count,
  })
})

it('leaves a tag to the items that had one of its name before, whichever is undone first', async ({
  note,
  removeTag,
  merge,
  namesOf,
}) => {
  for (const isDeletionFirst of [true, false]) {
    const [name, other] = [`липа ${isDeletionFirst}`, `туя ${isDeletionFirst}`]
    const item = await note('Прежняя', [name, other])
    const undoDeletion = await removeTag(name)
    const later = await note('Новая', [name])
    const undoMerge = await merge(other, name)
    const undos = isDeletionFirst ? [undoDeletion, undoMerge] : [undoMerge, undoDeletion]
    for (const undo of undos) expect((await undo()).skipped).toEqual([])
    expect((await namesOf(item)).sort()).toEqual([name, other])
    expect(await namesOf(later)).toEqual([name])
  }
})

it('takes what a merge gave from the tag that came back by name in place of the deleted one', async ({
  note,
  removeTag,
  merge,
  change,
  namesOf,
}) => {
  for (const ends of ['deleted', 'merged', 'created by a change'] as const) {
    const [from, into, third] = [`липа ${ends}`, `туя ${ends}`, `ель ${ends}`]
    const [item, other] = [await note('Одна', [from]), await note('Другая', [into])]
    await note('Третья', [third])
    const undoMerge = await merge(from, into)
    const undoEnd = await (ends === 'merged' ? merge(into, third) : removeTag(into))
    const later = await note('Новая', ends === 'created by a change' ? [] : [into])
    if (ends === 'created by a change') await change([later], { add_tags: [into] })
    expect((await undoEnd()).skipped).toEqual([])
    expect((await undoMerge()).skipped).toEqual([])
    expect(await namesOf(item)).toEqual([from])
    for (const one of [other, later]) expect(await namesOf(one)).toEqual([into])
  }
})

it('gives nothing back from a tag that came back by name as long as the deletion of the former one stands', async ({
  note,
  removeTag,
  merge,
  namesOf,
}) => {
  const [item, other] = [await note('Одна', ['липа']), await note('Другая', ['туя'])]
  const undoMerge = await merge('липа', 'туя')
  const undoDeletion = await removeTag('туя')
  const later = await note('Новая', ['туя'])
  expect((await undoMerge()).skipped).toEqual([])
  expect((await undoDeletion()).skipped).toEqual([])
  expect(await namesOf(item)).toEqual(['липа'])
  for (const one of [other, later]) expect(await namesOf(one)).toEqual(['туя'])
})

it('names a tag that did not come back as another one was renamed to its name', async ({
  note,
  removeTag,
  rename,
  merge,
}) => {
  await note('Одна', ['липа'])
  await note('Другая', ['туя'])
  const undoDeletion = await removeTag('липа')
  await rename('туя', 'липа')
  expect((await undoDeletion()).skipped).toMatchObject([{ kind: 'tag', title: 'липа' }])

  await note('Третья', ['ель', 'бук'])
  const undoMerge = await merge('бук', 'ель')
  await rename('ель', 'бук')
  expect((await undoMerge()).skipped).toMatchObject([{ kind: 'tag', title: 'бук' }])
})

it('keeps a tag without items whose deletion was undone, though a change created the one of its name', async ({
  app,
  account,
  note,
  removeTag,
  change,
  idOf,
}) => {
  const { id } = await note('Прежняя', ['пустая'])
  await app.call(
    notes.update,
    { params: { id }, body: { title: 'Прежняя', content: 'текст', tags: [] } },
    account.auth,
  )
  const undoDeletion = await removeTag('пустая')
  const undoAddition = await change([await note('Заметка')], { add_tags: ['пустая'] })
  await undoDeletion()
  await undoAddition()
  expect(await idOf('пустая')).not.toBe('')
})

it('puts a restored item back into the trash with the tags that it had there', async ({
  app,
  account,
  note,
  remove,
  restore,
  removeTag,
  merge,
  namesOf,
}) => {
  const [merged, spelled] = [await note('Слитая', ['липа']), await note('Иначе', ['Кот'])]
  await note('Другая', ['липа', 'туя'])
  await remove(merged)
  await remove(spelled)
  const undoMerge = await merge('липа', 'туя')
  await removeTag('Кот')
  await note('Новая', ['КОТ'])
  const undoRestorations = [await restore(merged), await restore(spelled)]
  expect(await namesOf(merged)).toEqual(['туя'])
  expect(await namesOf(spelled)).toEqual(['КОТ'])
  for (const undo of undoRestorations) expect((await undo()).skipped).toEqual([])
  const { results } = await app.call(trash.list, { query: {} }, account.auth)
  expect(results.map(({ title, tags }) => [title, tags.map(({ name }) => name)]).sort()).toEqual([
    ['Иначе', ['Кот']],
    ['Слитая', ['липа']],
  ])
  await undoMerge()
  await restore(merged)
  expect(await namesOf(merged)).toEqual(['липа'])
})
