import { expect, it } from 'vitest'
import { withTicks } from './ticks.ts'

const list = (...tasks: string[]) =>
  `<ul data-type="taskList">${tasks.map((task) => `<li data-checked="${task.startsWith('+')}">${task.slice(1)}</li>`).join('')}</ul>`

it('makes ticks in another version, by what the tasks say', () => {
  const inner = list('-<p>ржаной</p>')
  const [before, after] = [
    list(`-<p>хлеб</p>${inner}`, '+<p>чай</p>'),
    list(`+<p>хлеб</p>${inner}`, '-<p>чай</p>'),
  ]
  const other = (bread: string, tea: string) =>
    `<p>Купить</p>${list('-<p>соль</p>', `${tea}<p>чай</p>`)}<p>и</p>${list(`${bread}<p><strong>хлеб</strong></p>`)}`
  expect(withTicks(before, after, other('-', '+'))).toBe(other('+', '-'))
  expect(withTicks(before, after, other('+', '-'))).toBe(other('+', '-'))
  expect(withTicks(before, after, other('+', '+'))).toBe(other('+', '-'))
  expect(withTicks(after, before, other('+', '-'))).toBe(other('-', '+'))
  expect(withTicks(before, after, list('-<p>батон</p>', '+<p>чай</p>'))).toBeUndefined()
  expect(withTicks(before, `${after}<p>ещё</p>`, other('-', '+'))).toBeUndefined()
})

it('makes a tick among tasks that say the same only where there are as many of them', () => {
  const before = list('-<p>яйца</p>', '-<p>яйца</p>')
  const after = list('-<p>яйца</p>', '+<p>яйца</p>')
  expect(withTicks(before, after, list('-<p>яйца</p>', '-<p>соль</p>', '-<p>яйца</p>'))).toBe(
    list('-<p>яйца</p>', '-<p>соль</p>', '+<p>яйца</p>'),
  )
  expect(withTicks(before, after, list('-<p>яйца</p>'))).toBeUndefined()
  expect(withTicks(before, after, list('-<p>яйца</p>', '-<p>яйца</p>', '-<p>яйца</p>'))).toBeUndefined()
  const [one, two] = ['1', '2'].map((name) => `<p><img src="/api/v1/files/${name}/" alt=""></p>`)
  expect(withTicks(list(`-${one}`, `-${two}`), list(`+${one}`, `-${two}`), list(`-${two}`, `-${one}`))).toBe(
    list(`-${two}`, `+${one}`),
  )
})
