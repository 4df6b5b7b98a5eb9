import { Schema } from '@tiptap/pm/model'
import { expect, it } from 'vitest'
import { copiedText } from './copied-text.ts'

const block = (content: string, attrs: Record<string, { default: unknown }> = {}) => ({
  content,
  group: 'block',
  attrs,
})
/** As much of the editor's schema as matters here; the whole of it needs a page. */
const schema = new Schema({
  nodes: {
    doc: { content: 'block+' },
    text: { group: 'inline' },
    hardBreak: { group: 'inline', inline: true },
    image: { group: 'inline', inline: true },
    paragraph: block('inline*'),
    bulletList: block('listItem+'),
    orderedList: block('listItem+', { start: { default: 1 } }),
    listItem: { content: 'paragraph block*' },
    taskList: block('taskItem+'),
    taskItem: { content: 'paragraph block*', attrs: { checked: { default: false } } },
    table: block('tableSection+'),
    tableSection: { content: 'tableRow*' },
    tableRow: { content: 'tableCell*' },
    tableCell: { content: 'block+' },
    horizontalRule: block(''),
    blockquote: block('block+'),
  },
})

const text = (text: string) => ({ type: 'text', text })
const p = (...texts: string[]) => ({
  type: 'paragraph',
  content: texts.map((one) => (one === '\n' ? { type: 'hardBreak' } : text(one))),
})
const node = (type: string, content: object[], attrs = {}) => ({ type, content, attrs })
const row = (...cells: object[][]) =>
  node(
    'tableRow',
    cells.map((content) => node('tableCell', content)),
  )

const DOC = schema.nodeFromJSON(
  node('doc', [
    p('Купить', '\n', 'сегодня'),
    node('taskList', [
      node('taskItem', [p('хлеб')], { checked: false }),
      node('taskItem', [p('чай')], { checked: true }),
    ]),
    node(
      'orderedList',
      [
        node('listItem', [p('раз'), node('bulletList', [node('listItem', [p('внутри')])])]),
        node('listItem', [p('два')]),
      ],
      { start: 3 },
    ),
    node('table', [node('tableSection', [row([p('а')], [p('б'), p('в')]), row([p('1')], [p('2')])])]),
    node('horizontalRule', []),
    node('blockquote', [p('раз'), p('два')]),
  ]),
)

/** The text of what is selected from one place of the document to another. */
const copied = (from: number, to: number): string => copiedText(DOC.slice(from, to, true))

it('has lines with their signs, and cells as spreadsheets have them', () => {
  expect(copied(0, DOC.content.size)).toBe(
    'Купить\nсегодня\n\n☐ хлеб\n☑ чай\n\n3. раз\n    - внутри\n4. два\n\nа\tб в\n1\t2\n\n---\n\nраз\n\nдва',
  )
})

it('is a piece of one paragraph alone, and pieces of two tasks are tasks', () => {
  let bread = 0
  DOC.descendants((one, at) => {
    if (one.text === 'хлеб') bread = at
  })
  expect(copied(bread, bread + 3)).toBe('хле')
  expect(copied(bread + 1, bread + 10)).toBe('☐ леб\n☑ ча')
})
