import { AllSelection, TextSelection } from '@tiptap/pm/state'
import { type Command, Extension } from '@tiptap/react'

const INDENT = '  '

/** The positions at which the selected lines of a code block begin, the last one first; undefined outside of code. */
function selectedLines({ selection }: Parameters<Command>[0]['tr']): number[] | undefined {
  // All of a note is selected from outside of its blocks.
  const { $from, $to } =
    selection instanceof AllSelection ? TextSelection.between(selection.$from, selection.$to) : selection
  if (!$from.parent.type.spec.code || !$from.sameParent($to)) return undefined
  const text = $from.parent.textContent
  const starts = [text.slice(0, $from.parentOffset).lastIndexOf('\n') + 1]
  for (
    let at = text.indexOf('\n', $from.parentOffset);
    at >= 0 && at < $to.parentOffset;
    at = text.indexOf('\n', at + 1)
  )
    starts.unshift(at + 1)
  return starts.map((start) => $from.start() + start)
}

const indent: Command = ({ tr }) => {
  const lines = selectedLines(tr)
  if (!lines) return false
  if (tr.selection.empty) tr.insertText(INDENT)
  else for (const line of lines) tr.insertText(INDENT, line)
  return true
}

const outdent: Command = ({ tr }) => {
  const lines = selectedLines(tr)
  if (!lines) return false
  for (const line of lines) {
    const spaces = /^ {0,2}/.exec(tr.doc.textBetween(line, tr.doc.resolve(line).end()))?.[0].length ?? 0
    if (spaces > 0) tr.delete(line, line + spaces)
  }
  return true
}

/** Tab indents code by two spaces, Shift+Tab takes them away; the arrows lead out of it. TipTap's own Tab inserts nothing. */
export const codeKeys = Extension.create({
  name: 'codeKeys',
  priority: 200,
  addKeyboardShortcuts() {
    return {
      Tab: () => this.editor.commands.command(indent),
      'Shift-Tab': () => this.editor.commands.command(outdent),
    }
  },
})
