import { Fragment, type Mark as ProseMirrorMark, type Node as ProseMirrorNode, Slice } from '@tiptap/pm/model'
import { Plugin, Selection, TextSelection, type Transaction } from '@tiptap/pm/state'
import { Decoration, DecorationSet } from '@tiptap/pm/view'
import { type KeyboardShortcutCommand, Mark } from '@tiptap/react'
import classes from './rich-text-field.module.css'

/*
 * The top-level blocks of a long text, and the items of a long list among them, stand in sections: a `<div>` around some 40 of
 * them, which the browser does not lay out while it is out of sight (docs/decisions/009-tiptap.md). Sections are marks, so that
 * ProseMirror renders blocks with equal ones in one element. They are set when a text is opened or many blocks are pasted, and
 * never saved; a block that is typed is in none.
 */

const SIZE = 40
const MANY = 2 * SIZE

const LISTS: ReadonlySet<string> = new Set(['bulletList', 'orderedList', 'taskList'])
/** Lists that count down are left as they are: a section would count up. */
const isList = ({ type, attrs }: ProseMirrorNode): boolean => LISTS.has(type.name) && attrs.reversed == null

/** Blocks that a section may begin with: their margins collapse with none above. */
const BEGINNINGS: ReadonlySet<string> = new Set(['paragraph', 'listItem', 'taskItem'])

/** Moves the cursor to an end of a long text: Chromium stops where the section begins that it has not laid out. */
const moveTo =
  (find: (doc: ProseMirrorNode) => Selection, extend = false): KeyboardShortcutCommand =>
  ({ editor: { state, view } }) => {
    const { doc } = state
    if (![doc, ...doc.children.filter(isList)].some(({ childCount }) => childCount >= MANY)) return false
    const end = find(doc)
    const selection = extend ? TextSelection.between(state.selection.$anchor, end.$head) : end
    view.dispatch(state.tr.setSelection(selection).scrollIntoView())
    return true
  }

/**
 * Numbers the items of numbered lists at which a section begins or ends: the browser counts anew there, because
 * `content-visibility` keeps counters within a section.
 */
function numberingOf(doc: ProseMirrorNode): readonly Decoration[] {
  const numbered: Decoration[] = []
  doc.forEach((list, listPos) => {
    if (list.type.name !== 'orderedList') return
    let before: number | undefined
    list.forEach(({ marks: [mark], nodeSize }, offset, at) => {
      const number: number | undefined = mark?.attrs.number
      const pos = listPos + 1 + offset
      const value = String(list.attrs.start + at)
      if (number !== before) numbered.push(Decoration.node(pos, pos + nodeSize, { value }, { value }))
      before = number
    })
  })
  return numbered
}

/** Maps the decorations while each item keeps its number, as with most keys: to create a set looks through all blocks. */
function numbering(before: DecorationSet, { doc, mapping }: Transaction): DecorationSet {
  const mapped = before.map(mapping, doc)
  const found = mapped.find()
  const wanted = numberingOf(doc)
  const isSame = ({ from, to, spec }: Decoration, at: number) =>
    found[at]?.from === from && found[at].to === to && found[at].spec.value === spec.value
  return found.length === wanted.length && wanted.every(isSame)
    ? mapped
    : DecorationSet.create(doc, [...wanted])
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
      new Plugin<DecorationSet>({
        state: {
          init: (_, { doc }) => DecorationSet.create(doc, [...numberingOf(doc)]),
          apply: (transaction, before) => (transaction.docChanged ? numbering(before, transaction) : before),
        },
        props: {
          decorations(state) {
            return this.getState(state)
          },
          transformPasted: ({ content, openStart, openEnd }) =>
            new Slice(inSections(content), openStart, openEnd),
        },
        appendTransaction: (_, { doc: before }, { doc, tr }) => {
          const from = before.content.findDiffStart(doc.content)
          const end = before.content.findDiffEnd(doc.content)?.b
          if (from === null || end === undefined) return undefined
          const to = Math.max(from, end)
          let list: ProseMirrorNode | undefined
          doc.nodesBetween(from, to, (node, pos, parent) => {
            if (parent === doc) list = isList(node) ? node : undefined
            else if (node.isBlock && parent !== list)
              for (const mark of node.marks) tr.removeNodeMark(pos, mark)
          })
          tr.removeMark(from, to, this.type)
          return tr.docChanged ? tr : undefined
        },
      }),
    ]
  },
})

/** No two sections of a text have the same number, so that those of two pasted texts stay apart. */
let lastNumber = 0

/** Blocks in sections if they are many, and the items of long lists among them. */
function inSections(content: Fragment): Fragment {
  const blocks = content.content.map((block) =>
    isList(block) ? block.copy(inSections(block.content)) : block,
  )
  if (blocks.length < MANY) return Fragment.from(blocks)
  let size = SIZE
  // One mark for all blocks of a section: ProseMirror compares the marks of each block with each key.
  let marks: ProseMirrorMark[] = []
  return Fragment.from(
    blocks.map((block) => {
      const type = block.type.schema.marks.section
      if (type && size >= SIZE && (marks.length === 0 || BEGINNINGS.has(block.type.name))) {
        lastNumber += 1
        marks = [type.create({ number: lastNumber })]
        size = 0
      }
      size += 1
      return block.mark(marks)
    }),
  )
}

/** The document with its blocks in sections if it is long. */
export const withSections = (doc: ProseMirrorNode): ProseMirrorNode => doc.copy(inSections(doc.content))
