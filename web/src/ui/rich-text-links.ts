import { Extension, InputRule } from '@tiptap/react'
import { isAllowedLink } from './allowed-addresses.ts'

/** A link of Markdown of which the last sign is typed. A picture is none. */
const LINK = /(?<![!\]])\[([^\][\n]{1,200})\]\(([^\s()<>]{1,2000})\)$/

/** Makes a link of `[text](address)` while it is typed. */
export const markdownLinks = Extension.create({
  name: 'markdownLinks',
  addInputRules: () => [
    new InputRule({
      find: LINK,
      handler: ({ state: { tr, schema }, range: { from, to }, match: [, text = '', href = ''] }) => {
        const { link } = schema.marks
        const $from = tr.doc.resolve(from)
        // After a single backtick it is going to be code.
        const isCode = $from.parent.textBetween(0, $from.parentOffset).split('`').length % 2 === 0
        if (!link || isCode || !isAllowedLink(href)) return null
        const marks = link.create({ href }).addToSet($from.marks())
        // What is typed next is no part of it.
        tr.replaceWith(from, to, schema.text(text, marks)).removeStoredMark(link)
        return undefined
      },
    }),
  ],
})
