import { beforeEach, expect, test } from 'vitest'
import {
  hideErrors,
  hideErrorsAbout,
  hideMessage,
  lifetimeOf,
  onMessages,
  showMessage,
  shownMessages,
} from './snackbar.ts'

beforeEach(() => {
  for (const message of shownMessages()) hideMessage(message)
})

/** Each as 'colour:text'. */
const shown = () => shownMessages().map(({ colour, text }) => `${colour}:${text}`)

test('an error never waits behind other messages: the oldest of them goes', () => {
  for (const text of ['раз', 'два', 'три']) showMessage(text, 'success')
  showMessage('беда', 'error')
  expect(shown()).toEqual(['success:два', 'success:три', 'error:беда'])
  showMessage('четыре')
  expect(shown()).toEqual(['success:три', 'error:беда', 'info:четыре'])
})

test('a message with an action gives way to none: others go, errors last', () => {
  const action = { label: 'Отменить', run: () => {} }
  showMessage('удалено', 'success', { action })
  for (const text of ['раз', 'два']) showMessage(text)
  showMessage('три')
  expect(shown()).toEqual(['success:удалено', 'info:два', 'info:три'])
  for (const text of ['снова', 'опять']) showMessage(text, 'success', { action })
  showMessage('беда', 'error')
  const offers = ['success:удалено', 'success:снова', 'success:опять']
  expect(shown()).toEqual([...offers, 'error:беда'])
  showMessage('совет')
  expect(shown()).toEqual([...offers, 'info:совет'])
})

test('a message has an id of its own as long as it shows, whatever comes and goes beside it', () => {
  const action = { label: 'Отменить', run: () => {} }
  showMessage('совет')
  for (let at = 0; at < 2; at += 1) showMessage('удалено', 'success', { action })
  const ids = shownMessages().map(({ id }) => id)
  expect(new Set(ids).size).toBe(3)
  showMessage('совет')
  expect(shownMessages().map(({ id }) => id)).toEqual(ids)
  for (const message of shownMessages()) if (!message.action) hideMessage(message)
  expect(shownMessages().map(({ id }) => id)).toEqual(ids.slice(1))
  showMessage('совет')
  expect(ids).not.toContain(shownMessages().at(-1)?.id)
})

test('of errors alone the oldest goes; one that shows already stays in its place and begins anew', () => {
  for (const text of ['раз', 'два', 'три', 'четыре']) showMessage(text, 'error')
  const before = shownMessages()
  showMessage('два', 'error')
  expect(shown()).toEqual(['error:два', 'error:три', 'error:четыре'])
  expect(shownMessages()[0]).not.toBe(before[0])
  expect(shownMessages()[1]).toBe(before[1])
})

test('a success hides the errors before it, and so does who says that something succeeded', () => {
  showMessage('совет')
  showMessage('беда', 'error')
  showMessage('удача', 'success')
  expect(shown()).toEqual(['info:совет', 'success:удача'])
  showMessage('беда', 'error')
  hideErrors()
  expect(shown()).toEqual(['info:совет', 'success:удача'])
})

test('an error that stays until something is decided goes neither by itself nor by a success beside it', () => {
  showMessage('решите', 'error', { about: 'решение', stays: true })
  expect(shownMessages().map(lifetimeOf)).toEqual([undefined])
  showMessage('беда', 'error')
  showMessage('удача', 'success')
  expect(shown()).toEqual(['error:решите', 'success:удача'])
  for (const text of ['раз', 'два', 'три']) showMessage(text, 'error')
  expect(shown()).toEqual(['error:решите', 'error:два', 'error:три'])
  hideErrorsAbout('решение')
  expect(shown()).toEqual(['error:два', 'error:три'])
})

test('an error about something goes when just that has succeeded', () => {
  showMessage('беда', 'error', { about: 'список' })
  showMessage('горе', 'error', { about: 'форма' })
  const before = shownMessages()
  hideErrorsAbout('страница')
  expect(shownMessages()).toBe(before)
  hideErrorsAbout('список')
  expect(shown()).toEqual(['error:горе'])
})

test('of errors about one thing the last one shows, in the place of the first', () => {
  showMessage('нет заметок', 'error', { about: 'сеть' })
  showMessage('совет')
  showMessage('нет ссылок', 'error', { about: 'сеть' })
  expect(shown()).toEqual(['error:нет ссылок', 'info:совет'])
})

test('two messages with an action stay two, however alike: each undoes something else', () => {
  const done: number[] = []
  for (const at of [1, 2])
    showMessage('удалено', 'success', { action: { label: 'Отменить', run: () => done.push(at) } })
  for (const { action } of shownMessages()) action?.run()
  expect(done).toEqual([1, 2])
})

test('of messages with an action about one thing the last one shows, and it alone is undone there', () => {
  const done: string[] = []
  const say = (text: string) =>
    showMessage(text, 'success', {
      about: 'отметка',
      action: { label: 'Отменить', run: () => done.push(text) },
    })
  say('отмечено')
  const before = shownMessages()
  say('снято')
  expect(shown()).toEqual(['success:снято'])
  expect(shownMessages()[0]?.id).toBe(before[0]?.id)
  for (const { action } of shownMessages()) action?.run()
  expect(done).toEqual(['снято'])
  showMessage('беда', 'error', { about: 'отметка' })
  expect(shown()).toEqual(['success:снято', 'error:беда'])
})

test('who listens hears of each change until it has heard enough', () => {
  let changes = 0
  const stop = onMessages(() => {
    changes += 1
  })
  showMessage('раз')
  for (const message of shownMessages()) hideMessage(message)
  stop()
  showMessage('два')
  expect(changes).toBe(2)
})
