import { notificationsStore } from '@mantine/notifications'
import { beforeEach, expect, test, vi } from 'vitest'

// A browser that remembers no language: the interface is in Russian.
vi.stubGlobal('localStorage', { getItem: () => null })
const { MOST_MESSAGES, hideErrors, showMessage } = await import('./snackbar.tsx')

beforeEach(() =>
  notificationsStore.setState({
    notifications: [],
    queue: [],
    defaultPosition: 'bottom-center',
    limit: MOST_MESSAGES,
  }),
)

/** Each as 'colour:text'. */
const shown = () => notificationsStore.getState().notifications.map(({ id }) => id)
const waiting = () => notificationsStore.getState().queue

test('an error never waits behind other messages: the oldest of them goes', () => {
  for (const text of ['раз', 'два', 'три']) showMessage(text, 'success')
  showMessage('беда', 'error')
  expect(shown()).toEqual(['success:два', 'success:три', 'error:беда'])
  showMessage('четыре')
  expect(shown()).toEqual(['success:три', 'error:беда', 'info:четыре'])
  expect(waiting()).toEqual([])
})

test('of errors alone the oldest goes; one that shows already stays as it is', () => {
  for (const text of ['раз', 'два', 'три', 'четыре', 'два']) showMessage(text, 'error')
  expect(shown()).toEqual(['error:два', 'error:три', 'error:четыре'])
  expect(waiting()).toEqual([])
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
