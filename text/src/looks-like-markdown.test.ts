import { expect, it } from 'vitest'
import { looksLikeMarkdown } from './looks-like-markdown.ts'

it.each([
  '- [ ] хлеб',
  'См. [статью](https://example.org/a_b) и дальше',
  '```js\nconst a = 1;\n```',
  '~~~\n\n~~~',
  '| Что | Где |\n|-----|:---:|\n| а | б |',
  '# Заголовок\n\nТекст с **жирным**.',
  '## План\r\n\r\n1. раз\r\n2. два\r\n',
  '**Важно:** запустите npm start',
  '- раз\n- два\n  - три',
  '1. раз\n2. два',
  '> цитата\n\n**ответ**',
])('%j is Markdown', (text) => {
  expect(looksLikeMarkdown(text)).toBe(true)
})

it.each([
  '',
  'Просто текст\nв две строки',
  '- Один пункт',
  '# Комментарий\nnpm start',
  '#тег и #другой',
  '2 * 3 * 4 = 24, 5 ** 6 ** 7',
  'snake_case и __init__',
  'const a = `1`;\nconst b = 2**3**4;\nint **p, **q;\n',
  'function f() {\n  return [1](2);\n}\n/**\n * a\n * b\n */',
  '1995. Год, когда всё началось',
  'a[i](x) = b',
  'До встречи — и [пока]\n(до завтра)',
  '```js\nconst a = 1;',
  '---\nкнига --- тетрадь',
])('%j is not', (text) => {
  expect(looksLikeMarkdown(text)).toBe(false)
})

it('judges the longest texts at once', () => {
  for (const part of ['```\n', '```a\n', '[a](', '**a', '| --- ', '# a\n', '- ', '`', '[ ', '\n'])
    expect(looksLikeMarkdown(part.repeat(200_000))).toBeTypeOf('boolean')
})
