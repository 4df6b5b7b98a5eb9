import { expect, it } from 'vitest'
import { taskListHtml, withTask } from './task-lists.ts'

const LIST = taskListHtml([
  { text: 'хлеб & <соль>', done: false },
  { text: 'чай', done: true },
])

it('makes a checklist of plain texts', () => {
  expect(LIST).toBe(
    '<ul data-type="taskList"><li data-checked="false"><p>хлеб &amp; &lt;соль&gt;</p></li>' +
      '<li data-checked="true"><p>чай</p></li></ul>',
  )
  expect(taskListHtml([])).toBe('')
})

it('makes tasks lie within others by their indents', () => {
  const shapeOf = (...indents: number[]) =>
    taskListHtml(indents.map((indent) => ({ text: `${indent}`, done: false, indent })))
      .replaceAll('<ul data-type="taskList">', '[')
      .replaceAll('</ul>', ']')
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/ +/g, ' ')
  expect(shapeOf(0, 2, 4, 2, 0)).toBe('[ 0 [ 2 [ 4 ] 2 ] 0 ]')
  expect(shapeOf(0, 4, 2, 1, 3)).toBe('[ 0 [ 4 2 1 [ 3 ] ] ]')
  expect(shapeOf(4, 0, 2)).toBe('[ 4 0 [ 2 ] ]')
  expect(shapeOf(...Array.from({ length: 12 }, (_, at) => at), 3)).toBe(
    '[ 0 [ 1 [ 2 [ 3 [ 4 [ 5 [ 6 [ 7 [ 8 [ 9 10 11 ] ] ] ] ] ] 3 ] ] ] ]',
  )
})

it('changes one task and nothing else', () => {
  const html = `<ul><li>пункт &lt;li data-checked="true"&gt;</li></ul>${LIST}<p>конец</p>`
  expect(withTask(html, 1, false)).toBe(html.replace('"true"><p>чай', '"false"><p>чай'))
  expect(withTask(withTask(html, 0, true), 0, false)).toBe(html)
  expect(withTask(html, 2, true)).toBe(html)
})
