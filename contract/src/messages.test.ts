import { expect, it } from 'vitest'
import { translate } from './messages.ts'

it('inserts the limit of a reference into its message', () => {
  expect(translate('tooLong:255', 'ru')).toBe('Не больше 255 символов')
  expect(translate('tooLong:255', 'en')).toBe('No more than 255 characters')
})

it.each(['Invalid input', '', 'toString', '__proto__'])(
  'words %j, which is no key, as a value of the wrong kind',
  (text) => {
    expect(translate(text, 'ru')).toBe('Значение неподходящего вида')
  },
)
