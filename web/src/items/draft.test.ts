import { noteSave } from '@kopilka/contract/notes.ts'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { applyDraft, applyDraftToItem, isSame } from './draft.ts'

const empty = { title: '', content: '', tags: [] }

test('what was typed stands over what is saved; the rest stays as saved', () => {
  const draft = { values: { title: 'Набрано', tags: null } }
  expect(applyDraft({ ...empty, content: '<p>Было</p>' }, draft)).toEqual({
    title: 'Набрано',
    content: '<p>Было</p>',
    tags: [],
  })
})

test('a draft of an older form keeps what the form still has; whether it fits, the schema says', () => {
  const old = { values: { title: ['не строка'], content: '<p>Текст</p>', colour: 'синий' } }
  const values = applyDraft(empty, old)
  expect(values).toEqual({ title: ['не строка'], content: '<p>Текст</p>', tags: [] })
  expect(z.safeParse(noteSave, values).error?.issues).toMatchObject([{ path: ['title'] }])
})

test('the order of fields makes no difference, the order of tags does', () => {
  expect(isSame({ title: 'а', tags: ['б'] }, { tags: ['б'], title: 'а' })).toBe(true)
  expect(isSame({ tags: ['б', 'в'] }, { tags: ['в', 'б'] })).toBe(false)
})

test('adds to the tags of an item and takes from them what a draft did, and brings back none that is gone since', () => {
  const tagsBefore = ['дом', 'сад', 'лес']
  const draft = { values: { tags: ['Дом', 'лес', 'новый'] }, tagsBefore }
  const tagsOf = (tags: string[], more: object = {}) =>
    applyDraftToItem({ title: '', tags }, { ...draft, ...more }).tags
  expect(tagsOf(tagsBefore)).toEqual(['дом', 'лес', 'новый'])
  expect(tagsOf(['огород', 'сад'])).toEqual(['огород', 'новый'])
  expect(tagsOf(['Новый'])).toEqual(['Новый'])
  // A draft of an earlier version does not say what there was.
  expect(tagsOf(['огород'], { tagsBefore: undefined })).toEqual(draft.values.tags)
})
