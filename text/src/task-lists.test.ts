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

it('changes one task and nothing else', () => {
  const html = `<ul><li>пункт &lt;li data-checked="true"&gt;</li></ul>${LIST}<p>конец</p>`
  expect(withTask(html, 1, false)).toBe(html.replace('"true"><p>чай', '"false"><p>чай'))
  expect(withTask(withTask(html, 0, true), 0, false)).toBe(html)
  expect(withTask(html, 2, true)).toBe(html)
})
