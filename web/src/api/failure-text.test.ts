import { describe, expect, test, vi } from 'vitest'
import { CallFailure } from './failure.ts'

// A browser that remembers no language: the interface is in Russian.
vi.stubGlobal('localStorage', { getItem: () => null })
const { failureText } = await import('./failure-text.ts')
// The screen that says a sentence loads its catalogue.
await import('../messages/accounts-messages.ts')

describe('without a sentence of the screen the general catalogue speaks', () => {
  test.each([
    [400, 'Неправильный запрос'],
    [401, 'Необходимо авторизоваться.'],
    [403, 'Доступ запрещен'],
    [404, 'Ресурс не найден'],
    [429, 'Вы превысили лимит запросов. Пожалуйста, попробуйте позже.'],
    [500, 'Внутренняя ошибка сервера'],
    [418, 'Произошла неизвестная ошибка.'],
    ['no-response', 'Нет ответа от сервера. Проверьте соединение.'],
  ] as const)('%s: %s', (status, sentence) => {
    expect(failureText(new CallFailure(status))).toBe(sentence)
  })

  test.each([400, 403, 404, 500])("of %s the server's words come first", (status) => {
    expect(failureText(new CallFailure(status, { detail: 'Так нельзя.' }))).toBe('Так нельзя.')
  })

  test.each([401, 429, 503])('of %s they do not', (status) => {
    expect(failureText(new CallFailure(status, { detail: 'Так нельзя.' }))).not.toBe('Так нельзя.')
  })

  test('another failure says its message', () => {
    expect(failureText(new Error('кончилось место'))).toBe('кончилось место')
    expect(failureText(new Error(''))).toBe('Произошла ошибка.')
    expect(failureText('?')).toBe('Произошла ошибка.')
  })
})

describe("with a screen's own sentence", () => {
  test("the server's words come first, and of them `error`", () => {
    const failure = new CallFailure(400, { detail: 'Из detail.', error: 'Из error.' })
    expect(failureText(failure, 'failure.tags')).toBe('Из error.')
    expect(failureText(new CallFailure(503, { detail: 'Из detail.' }), 'failure.tags')).toBe('Из detail.')
  })

  test.each([
    [401, 'Необходимо авторизоваться.'],
    [429, 'Вы превысили лимит запросов. Пожалуйста, попробуйте позже.'],
  ])('of %s neither: %s', (status, sentence) => {
    const failure = new CallFailure(status, { detail: 'Из detail.', error: 'Из error.' })
    expect(failureText(failure, 'failure.tags')).toBe(sentence)
  })

  test('else it shows, and without a response also the reason', () => {
    expect(failureText(new CallFailure(502, '<html>'), 'failure.tags')).toBe('Не удалось загрузить теги.')
    expect(failureText(new CallFailure('no-response'), 'failure.tags')).toBe(
      'Не удалось загрузить теги. Нет ответа от сервера. Проверьте соединение.',
    )
    expect(failureText(new CallFailure('no-response'), 'passwordReset.failure')).toBe(
      'Ошибка при сбросе пароля. Нет ответа от сервера. Проверьте соединение.',
    )
  })
})

test('messages by field are kept apart from the sentence', () => {
  const failure = new CallFailure(400, { detail: 'd', email: ['занят'], count: 3, title: ['a', 'b'] })
  expect(failure.fields).toEqual({ email: ['занят'], title: ['a', 'b'] })
})
