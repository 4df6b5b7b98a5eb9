import { Extension, InputRule } from '@tiptap/react'
import { isAllowedLink } from './allowed-addresses.ts'
import { DELIMITERS } from './rich-text-emphasis.ts'

/** A link of Markdown of which the last sign is typed. A picture is none. */
const LINK = /(?<![!\]])\[([^\][\n]{1,200})\]\(([^\s()<>]{1,2000})\)$/

/** Bold, italic or struck text within a link, as Markdown writes it. */
const EMPHASIS = /(?<![\p{L}\d*_~])(\*\*|__|~~|\*|_)(?=\S)(.+?)(?<=\S)\1(?![\p{L}\d*_~])/gu

/** An address, closing punctuation and a space, of which TipTap makes no link. */
const ADDRESS = /(?:^|[\s"'(«„“])(https?:\/\/[^\s<>"«»]+?)([.,:;!?…)\]»”"']+) $/

/** Makes links of `[text](address)` and of addresses while they are typed. */
export const markdownLinks = Extension.create({
  name: 'markdownLinks',
  addInputRules: () => [
    new InputRule({
      find: LINK,
      handler: ({ state: { tr, schema }, range: { from, to }, match: [, text = '', href = ''] }) => {
        const { link, code } = schema.marks
        const start = from + 1
        const end = start + text.length
        // With a picture in the text its places are others.
        if (from < 0 || tr.doc.textBetween(from, end) !== `[${text}`) return null
        const $from = tr.doc.resolve(from)
        // After a single backtick it is going to be code.
        const isCode = $from.parent.textBetween(0, $from.parentOffset).split('`').length % 2 === 0
        if (!link || isCode || !isAllowedLink(href)) return null
        const marks = tr.storedMarks ?? tr.doc.resolve(to).marks()
        tr.delete(end, to)
        for (const { index, 1: sign = '', 2: inner = '' } of [...text.matchAll(EMPHASIS)].reverse()) {
          const mark = schema.marks[DELIMITERS[sign] ?? '']
          const [first, last] = [start + index + sign.length, start + index + sign.length + inner.length]
          tr.delete(last, last + sign.length)
          if (mark) tr.addMark(first, last, mark.create())
          tr.delete(first - sign.length, first)
        }
        tr.delete(from, start)
        const after = tr.mapping.map(end)
        // Code can be no link.
        tr.removeMark(from, after, code).addMark(from, after, link.create({ href }))
        // What is typed next is no part of it.
        tr.setStoredMarks(link.removeFromSet(marks))
        return undefined
      },
    }),
    new InputRule({
      find: ADDRESS,
      undoable: false,
      handler: ({ state: { tr, schema }, range: { from }, match: [all, address = '', behind = ''] }) => {
        const { link } = schema.marks
        // A bracket that closes one of the address is part of it: https://ru.wikipedia.org/wiki/Ключ_(значения).
        const href = address + (/\([^)]*$/.test(address) && behind.startsWith(')') ? ')' : '')
        const start = from + all.indexOf(address)
        const end = start + href.length
        if (link && !tr.doc.rangeHasMark(start, end, link)) tr.addMark(start, end, link.create({ href }))
      },
    }),
  ],
})
