import { Fragment, type Mark as ProseMirrorMark, type Node as ProseMirrorNode } from '@tiptap/pm/model'
import { Plugin, Selection, TextSelection } from '@tiptap/pm/state'
import { type KeyboardShortcutCommand, Mark } from '@tiptap/react'
import classes from './rich-text-field.module.css'

/*
 * The top-level blocks of a long text stand in sections: a `<div>` around some 40 of them, which the browser does not lay out
 * while it is out of sight (docs/decisions/009-tiptap.md). Sections are marks, so that ProseMirror renders blocks with equal
 * ones in one element. They are set when a text is opened or many blocks are pasted, and never saved; a block that is typed is
 * in none.
 */

const SIZE = 40
const MANY = 2 * SIZE

const isLong = (doc: ProseMirrorNode): boolean => doc.childCount >= MANY

/** Moves the cursor to an end of a long text: Chromium stops where the section begins that it has not laid out. */
const moveTo =
  (find: (doc: ProseMirrorNode) => Selection, extend = false): KeyboardShortcutCommand =>
  ({ editor: { state, view } }) => {
    if (!isLong(state.doc)) return false
    const end = find(state.doc)
    const selection = extend ? TextSelection.between(state.selection.$anchor, end.$head) : end
    view.dispatch(state.tr.setSelection(selection).scrollIntoView())
    return true
  }

const ENDS = [
  [Selection.atStart, 'Mod-Home', 'Meta-ArrowUp'],
  [Selection.atEnd, 'Mod-End', 'Meta-ArrowDown'],
] as const

export const section = Mark.create({
  name: 'section',
  addAttributes: () => ({ number: { default: 0, rendered: false } }),
  renderHTML: () => ['div', { class: classes.section }, 0],
  addKeyboardShortcuts: () =>
    Object.fromEntries(
      ENDS.flatMap(([find, ...keys]) =>
        keys.flatMap((key) => [
          [key, moveTo(find)],
          [`Shift-${key}`, moveTo(find, true)],
        ]),
      ),
    ),
  // A block that moves into a list or a quote leaves its section. Text typed between two tables would inherit theirs.
  addProseMirrorPlugins() {
    return [
      new Plugin({
        appendTransaction: (_, { doc: before }, { doc, tr }) => {
          const from = before.content.findDiffStart(doc.content)
          const end = before.content.findDiffEnd(doc.content)?.b
          if (from === null || end === undefined) return undefined
          const to = Math.max(from, end)
          doc.nodesBetween(from, to, ({ isBlock, marks }, pos, parent) => {
            if (isBlock && parent !== doc) for (const mark of marks) tr.removeNodeMark(pos, mark)
          })
          tr.removeMark(from, to, this.type)
          for (const { pos, number } of sectionsOfNew(doc, from, to))
            tr.addNodeMark(pos, this.type.create({ number }))
          return tr.docChanged ? tr : undefined
        },
      }),
    ]
  },
})

/** Counts the sections of blocks, from a number on. Each begins with a paragraph, whose margin collapses with none above. */
function* sectionNumbers(blocks: Iterable<ProseMirrorNode>, first: number): Generator<number> {
  let number = first
  let size = 0
  for (const { type } of blocks) {
    if (size >= SIZE && type.name === 'paragraph') {
      number += 1
      size = 0
    }
    size += 1
    yield number
  }
}

const isSection = ({ type }: ProseMirrorMark): boolean => type.name === 'section'

/** The sections of many new blocks between two positions, such as pasted ones; none where they are few. */
function sectionsOfNew(doc: ProseMirrorNode, from: number, to: number): { pos: number; number: number }[] {
  // A block has two positions at least.
  if (to - from < 2 * MANY) return []
  const found: { block: ProseMirrorNode; pos: number }[] = []
  let last = -1
  doc.forEach((block, pos) => {
    const own = block.marks.find(isSection)
    if (own) last = Math.max(last, Number(own.attrs.number))
    else if (pos >= from && pos < to) found.push({ block, pos })
  })
  if (found.length < MANY) return []
  const numbers = sectionNumbers(
    found.map(({ block }) => block),
    last + 1,
  )
  return [...numbers].map((number, at) => ({ pos: found[at]?.pos ?? 0, number }))
}

/** The document with its blocks in sections if it is long. */
export function withSections(doc: ProseMirrorNode): ProseMirrorNode {
  const type = doc.type.schema.marks.section
  if (!isLong(doc) || !type) return doc
  // One mark for all blocks of a section: ProseMirror compares the marks of each block with each key.
  let last: ProseMirrorMark | undefined
  const markOf = (number: number): ProseMirrorMark => {
    if (last?.attrs.number !== number) last = type.create({ number })
    return last
  }
  const numbers = [...sectionNumbers(doc.children, 0)]
  return doc.copy(Fragment.from(doc.children.map((block, at) => block.mark([markOf(numbers[at] ?? 0)]))))
}
