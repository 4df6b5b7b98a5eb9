import { expect, test } from 'vitest'
import { shortcutOf } from './shortcuts.ts'

const NOTHING_HELD = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false }
const press = (code: string, key: string, held: Partial<typeof NOTHING_HELD> = {}) =>
  shortcutOf({ code, key, ...NOTHING_HELD, ...held })

test.each([
  ['Slash', '/', {}, 'search'],
  ['Slash', '?', { shiftKey: true }, 'help'],
  ['KeyN', 'n', {}, 'note'],
  ['KeyL', 'l', {}, 'link'],
  ['KeyN', 'N', {}, 'note'],
  ['KeyK', 'k', { ctrlKey: true }, 'palette'],
  ['KeyK', 'k', { metaKey: true }, 'palette'],
  ['KeyE', 'e', {}, 'edit'],
  ['KeyJ', 'j', {}, 'next'],
  ['KeyK', 'k', {}, 'previous'],
  ['KeyS', 's', { ctrlKey: true }, 'save'],
  ['KeyS', 's', { metaKey: true }, 'save'],
  ['KeyZ', 'z', { ctrlKey: true }, 'undo'],
  ['Enter', 'Enter', { ctrlKey: true }, 'save'],
] as const)('on an English keyboard %s (%s) %o: %s', (code, key, held, shortcut) => {
  expect(press(code, key, held)).toBe(shortcut)
})

test.each([
  ['Slash', '.', {}, 'search'],
  ['Slash', ',', { shiftKey: true }, 'help'],
  ['Digit7', '?', { shiftKey: true }, 'help'],
  ['KeyN', 'т', {}, 'note'],
  ['KeyL', 'д', {}, 'link'],
  ['KeyK', 'л', { ctrlKey: true }, 'palette'],
  ['KeyE', 'у', {}, 'edit'],
  ['KeyJ', 'о', {}, 'next'],
  ['KeyK', 'л', {}, 'previous'],
  ['KeyS', 'ы', { ctrlKey: true }, 'save'],
  ['KeyZ', 'я', { ctrlKey: true }, 'undo'],
] as const)('on a Russian keyboard %s (%s) %o: %s', (code, key, held, shortcut) => {
  expect(press(code, key, held)).toBe(shortcut)
})

test('on a keyboard with other places the letter counts, not the place', () => {
  expect(press('KeyL', 'n')).toBe('note')
  expect(press('Slash', '-')).toBeUndefined()
  expect(press('Digit7', '/', { shiftKey: true })).toBe('search')
})

test.each([
  ['KeyN', 'n', { ctrlKey: true }],
  ['KeyL', 'l', { metaKey: true }],
  ['KeyN', 'N', { shiftKey: true }],
  ['Slash', '/', { altKey: true }],
  ['KeyK', 'K', { ctrlKey: true, shiftKey: true }],
  ['KeyS', 's', {}],
  ['Enter', 'Enter', {}],
  ['KeyS', 'S', { ctrlKey: true, shiftKey: true }],
  ['KeyZ', 'Z', { ctrlKey: true, shiftKey: true }],
  ['Period', '.', {}],
] as const)('%s (%s) %o is not ours', (code, key, held) => {
  expect(press(code, key, held)).toBeUndefined()
})
