import type { MarkType } from '@tiptap/pm/model'
import { InputRule, type MarkConfig, markInputRule } from '@tiptap/react'

/** Signs of Markdown around text, by the mark that they make. */
const SIGNS: Readonly<Record<string, readonly string[]>> = {
  bold: ['**', '__'],
  italic: ['*', '_'],
  strike: ['~~'],
}

/** Behind what may stand before it, a sign, text without a blank at its ends, and the sign again. */
function typedBetween(sign: string): RegExp {
  const escaped = sign.replace(/./g, '\\$&')
  const other = `[^\\s${escaped}]`
  const before = `[\\s("'«„“—–${'*_~'.replace(sign, '')}]`
  return new RegExp(`(?<=^|${before})${escaped}(${other}(?:[^${escaped}]*${other})?)${escaped}$`)
}

function emphasisRule(sign: string, type: MarkType): InputRule {
  const { find, handler } = markInputRule({ find: typedBetween(sign), type })
  return new InputRule({
    find,
    handler: (props) => {
      const { storedMarks, selection, tr } = props.state
      const marks = storedMarks ?? selection.$from.marks()
      handler(props)
      // What is typed next is none of it, also where the text has another mark.
      tr.setStoredMarks(type.removeFromSet(marks))
    },
  })
}

/** Marks text that is typed between signs. TipTap's own rules take the signs of `2 * 3 * 4`, and know no brackets and quotes. */
export const emphasisRules = (name: string): Partial<MarkConfig> | undefined => {
  const signs = SIGNS[name]
  return (
    signs && {
      addInputRules() {
        return signs.map((sign) => emphasisRule(sign, this.type))
      },
    }
  )
}
