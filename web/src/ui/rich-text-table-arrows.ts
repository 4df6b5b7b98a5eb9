import { GapCursor } from '@tiptap/pm/gapcursor'
import { Selection, TextSelection } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import { Extension, type KeyboardShortcutCommand } from '@tiptap/react'

type Direction = 1 | -1

/** The cell below or above another, at a place from the left, as the browser has laid the table out. */
function cellBeyond(cell: Node | null, left: number, direction: Direction): Element | undefined {
  const table = cell instanceof HTMLTableCellElement ? cell.closest('table') : null
  if (!table || !(cell instanceof Element)) return undefined
  const cells: Element[] = [...table.rows].flatMap((row) => [...row.cells])
  const at = cells.indexOf(cell)
  const { top, bottom } = cell.getBoundingClientRect()
  return (direction > 0 ? cells.slice(at + 1) : cells.slice(0, at).reverse()).find((other) => {
    const box = other.getBoundingClientRect()
    const isBeyond = direction > 0 ? box.top > bottom - 2 : box.bottom < top + 2
    return isBeyond && box.left - 1 <= left && left <= box.right + 1
  })
}

/** Goes to a selection, and in its block to what is nearest to a place from the left. */
function goNear(view: EditorView, selection: Selection, left: number): true {
  // First there, so that it is in sight: else there is nothing to find at its coordinates.
  view.dispatch(view.state.tr.setSelection(selection).scrollIntoView())
  if (selection instanceof TextSelection) {
    const { $head, head } = selection
    const { top, bottom } = view.coordsAtPos(head)
    const pos = view.posAtCoords({ left, top: (top + bottom) / 2 })?.pos ?? head
    if (pos !== head && $head.start() <= pos && pos <= $head.end())
      view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, pos)))
  }
  return true
}

/** Goes to the row below or above, and from the last or first one out of the table: Chromium goes to the next cell of the row. */
const toNextRow =
  (direction: Direction): KeyboardShortcutCommand =>
  ({ editor: { state, view } }) => {
    const { doc, selection } = state
    const $cursor = selection instanceof TextSelection ? selection.$cursor : null
    if (!$cursor) return false
    /** Beyond the text of the cursor, later beyond its table. */
    const beyond = (depth: number) =>
      doc.resolve(direction > 0 ? $cursor.after(depth) : $cursor.before(depth))
    let left: number | undefined
    let $beyond = beyond($cursor.depth)
    for (let { depth } = $cursor; depth > 0; depth -= 1) {
      if ($cursor.node(depth).type.name !== 'tableCell') continue
      const next = Selection.findFrom($beyond, direction)
      const isInCell = next && $cursor.start(depth) <= next.from && next.to <= $cursor.end(depth)
      if (left === undefined) {
        if (isInCell || !view.endOfTextblock(direction > 0 ? 'down' : 'up')) return false
        left = view.coordsAtPos($cursor.pos).left
      } else if (isInCell) return goNear(view, next, left)
      const cell = cellBeyond(view.nodeDOM($cursor.before(depth)), left, direction)
      if (cell) {
        const $start = doc.resolve(view.posAtDOM(cell, 0))
        const $edge = direction > 0 ? $start : doc.resolve($start.end())
        return goNear(view, Selection.near($edge, direction), left)
      }
      const table = depth - 3
      const caption = direction < 0 && $cursor.node(table).firstChild
      if (caption && caption.type.name === 'caption')
        return goNear(view, Selection.near(doc.resolve($cursor.start(table) + caption.nodeSize - 1)), left)
      $beyond = beyond(table)
    }
    if (left === undefined) return false
    return goNear(view, Selection.findFrom($beyond, direction) ?? new GapCursor($beyond), left)
  }

/** Leads from row to row with the arrows. */
export const tableArrows = Extension.create({
  name: 'tableArrows',
  priority: 50,
  addKeyboardShortcuts: () => ({ ArrowUp: toNextRow(-1), ArrowDown: toNextRow(1) }),
})
