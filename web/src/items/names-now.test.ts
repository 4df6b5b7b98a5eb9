import { expect, test } from 'vitest'
import { namesNow } from './names-now.ts'

const tag = (id: string, name: string, merged_ids?: string[]) => ({
  ...{ id, name, notes_count: 0, urllinks_count: 0 },
  ...(merged_ids && { merged_ids }),
})

test('a tag that was picked is added by the name it has now; what was typed stays', () => {
  const picked = [
    { id: '1', name: 'Дом' },
    { id: '2', name: 'сад' },
    { id: '3', name: 'лес' },
    { id: '4', name: 'луг' },
    { id: crypto.randomUUID(), name: 'план' },
  ]
  const known = [tag('1', 'усадьба'), tag('5', 'поле', ['3']), tag('6', 'Луг')]
  expect(namesNow(['дом', 'сад', 'лес', 'луг', 'план', 'новый'], picked, known)).toEqual({
    names: ['усадьба', 'поле', 'луг', 'план', 'новый'],
    gone: ['сад'],
  })
})
