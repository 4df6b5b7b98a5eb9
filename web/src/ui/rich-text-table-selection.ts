import { deleteSelection } from '@tiptap/pm/commands'
import type { Node as ProseMirrorNode, ResolvedPos, Slice } from '@tiptap/pm/model'
import { Plugin, TextSelection, type Transaction } from '@tiptap/pm/state'
import { Extension } from '@tiptap/react'

/** Parts of a table that hold text. */
const CELLS: ReadonlySet<string> = new Set(['tableCell', 'caption'])

/** Parts of a table that hold cells. */
const PARTS: ReadonlySet<string> = new Set(['tableSection', 'tableRow'])

const byPlace = (one: number, other: number) => one - other

/** The last one first: the texts selected in cells of tables that are selected in part, and what lies between such tables. */
function selectedParts({ $from, from, to }: TextSelection): (readonly [from: number, to: number])[] {
  const starts = [from]
  const ends = [to]
  $from.doc.nodesBetween(from, to, ({ type, nodeSize }, pos) => {
    const end = pos + nodeSize
    const isWhole = from <= pos && end <= to
    if (CELLS.has(type.name)) {
      if (from <= pos) starts.push(pos + 1)
      if (end <= to) ends.push(end - 1)
    } else if (type.name === 'table' && !isWhole) {
      if (from <= pos) ends.push(pos)
      if (end <= to) starts.push(end)
    } else return !isWhole || PARTS.has(type.name)
    return !isWhole
  })
  ends.sort(byPlace)
  return starts
    .sort(byPlace)
    .map((start, at) => [start, ends[at] ?? start] as const)
    .reverse()
}

/** Selected text that begins or ends in a cell of which it leaves the other end out. What replaces it joins no cells. */
class TextOfCells extends TextSelection {
  /** Takes the text out, and puts the cursor where it began. */
  #clear(tr: Transaction): TextSelection {
    for (const [from, to] of selectedParts(this)) tr.delete(from, to)
    const cursor = TextSelection.create(tr.doc, this.from)
    tr.setSelection(cursor)
    return cursor
  }
  override replace(tr: Transaction, content?: Slice): void {
    const cursor = this.#clear(tr)
    if (content?.size) cursor.replace(tr, content)
  }
  override replaceWith(tr: Transaction, node: ProseMirrorNode): void {
    this.#clear(tr).replaceWith(tr, node)
  }
}

/** Whether a position is in a cell, or a caption, that does not hold another position. */
const isInCellWithout = ($pos: ResolvedPos, other: number): boolean => {
  for (let { depth } = $pos; depth > $pos.sharedDepth(other); depth -= 1)
    if (CELLS.has($pos.node(depth).type.name)) return true
  return false
}

const cellsStayApart = (): Plugin =>
  new Plugin({
    appendTransaction: (_, _before, { selection, tr }) => {
      if (!(selection instanceof TextSelection) || selection instanceof TextOfCells) return undefined
      const { $anchor, $head } = selection
      return isInCellWithout($anchor, $head.pos) || isInCellWithout($head, $anchor.pos)
        ? tr.setSelection(new TextOfCells($anchor, $head))
        : undefined
    },
    props: {
      handleDOMEvents: {
        // The browser would replace the selection itself, and join what it selects.
        compositionstart: ({ state: { selection, tr }, dispatch }) => {
          if (selection instanceof TextOfCells) dispatch(tr.deleteSelection())
        },
        // A phone's keyboard names no key.
        beforeinput: ({ state: { selection, tr }, dispatch }, event) => {
          if (!(selection instanceof TextOfCells) || !event.inputType.startsWith('delete')) return false
          event.preventDefault()
          dispatch(tr.deleteSelection().scrollIntoView())
          return true
        },
      },
    },
  })

/** Keeps tables whole whose cells are selected in part, whatever replaces the selection. */
export const tableSelection = Extension.create({
  name: 'tableSelection',
  priority: 50,
  // TipTap's own asks no selection what it deletes.
  addCommands: () => ({
    deleteSelection:
      () =>
      ({ state, dispatch }) =>
        deleteSelection(state, dispatch),
  }),
  addProseMirrorPlugins: () => [cellsStayApart()],
})
