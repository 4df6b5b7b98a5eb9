import type { MarkType } from '@tiptap/pm/model'
import { InputRule, type MarkConfig, markInputRule } from '@tiptap/react'

/** The marks of Markdown's delimiters. */
export const DELIMITERS: Readonly<Record<string, string>> = {
  '**': 'bold',
  __: 'bold',
  '*': 'italic',
  _: 'italic',
  '~~': 'strike',
}

/**
 * Matches text between two equal delimiters at the end of what was typed. The text neither begins nor ends with white space, and the
 * first delimiter stands behind white space, a bracket, a quote or another delimiter (as CommonMark, 6.2).
 */
function typedBetween(delimiter: string): RegExp {
  const escaped = delimiter.replace(/./g, '\\$&')
  const other = `[^\\s${escaped}]`
  const before = `[\\s("'«„“—–${'*_~'.replace(delimiter, '')}]`
  return new RegExp(`(?<=^|${before})${escaped}(${other}(?:[^${escaped}]*${other})?)${escaped}$`)
}

function emphasisRule(delimiter: string, type: MarkType): InputRule {
  const { find, handler } = markInputRule({ find: typedBetween(delimiter), type })
  return new InputRule({
    find,
    handler: (props) => {
      const { storedMarks, selection, tr } = props.state
      const marks = storedMarks ?? selection.$from.marks()
      handler(props)
      // The next character is typed without the mark, and with the others that the text has.
      tr.setStoredMarks(type.removeFromSet(marks))
    },
  })
}

/** Marks text that is typed between delimiters. TipTap's own rules also match in `2 * 3 * 4`, but not behind brackets and quotes. */
export const emphasisRules = (name: string): Partial<MarkConfig> | undefined => {
  const delimiters = Object.keys(DELIMITERS).filter((delimiter) => DELIMITERS[delimiter] === name)
  return delimiters.length === 0
    ? undefined
    : {
        addInputRules() {
          return delimiters.map((delimiter) => emphasisRule(delimiter, this.type))
        },
      }
}
