import { deleteSelection } from '@tiptap/pm/commands'
import type { Node as ProseMirrorNode, ResolvedPos, Slice } from '@tiptap/pm/model'
import { Plugin, TextSelection, type Transaction } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
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

/** What a browser does to a selection; some of it comes without a key, as from a phone's keyboard. */
const REPLACES = /^(?:delete|insert(?:Text|ReplacementText|Paragraph|LineBreak)$)/

/** Whether a position is in a cell, or a caption, that does not hold another position. */
const isInCellWithout = ($pos: ResolvedPos, other: number): boolean => {
  for (let { depth } = $pos; depth > $pos.sharedDepth(other); depth -= 1)
    if (CELLS.has($pos.node(depth).type.name)) return true
  return false
}

const isAcrossCells = ($from: ResolvedPos, $to: ResolvedPos): boolean =>
  isInCellWithout($from, $to.pos) || isInCellWithout($to, $from.pos)

const cellAround = (node?: Node | null): Element | null | undefined =>
  (node instanceof Element ? node : node?.parentElement)?.closest('td, th, caption')

/** Whether the browser has selected other text, of one cell, since the editor last knew: as where it corrects a word. */
function isElsewhere(view: EditorView, event: InputEvent): boolean {
  const [range] = event.getTargetRanges()
  if (range) return cellAround(range.startContainer) === cellAround(range.endContainer)
  return cellAround(getSelection()?.focusNode) !== cellAround(view.domAtPos(view.state.selection.from).node)
}

/** What a script inserts by a command of the browser comes without `beforeinput`: it is in the page when the editor hears of it. */
function replaceSelected(view: EditorView, event: InputEvent): boolean {
  const { inputType, data, dataTransfer } = event
  const { selection, tr } = view.state
  if (!(selection instanceof TextOfCells) || !REPLACES.test(inputType) || isElsewhere(view, event))
    return false
  event.preventDefault()
  const text = inputType.startsWith('delete') ? '' : (data ?? dataTransfer?.getData('text/plain') ?? '')
  view.dispatch(tr.insertText(text).scrollIntoView())
  return true
}

const cellsStayApart = (): Plugin =>
  new Plugin({
    appendTransaction: (_, _before, { selection, tr }) => {
      if (!(selection instanceof TextSelection) || selection instanceof TextOfCells) return undefined
      const { $anchor, $head } = selection
      return isAcrossCells($anchor, $head) ? tr.setSelection(new TextOfCells($anchor, $head)) : undefined
    },
    props: {
      // Ahead of the rules for what is typed, which would take the selection for text of one block.
      handleTextInput: ({ state: { doc, tr }, dispatch }, from, to, text) => {
        const [$from, $to] = [doc.resolve(from), doc.resolve(to)]
        if (!isAcrossCells($from, $to)) return false
        dispatch(tr.setSelection(new TextOfCells($from, $to)).insertText(text).scrollIntoView())
        return true
      },
      handleDOMEvents: {
        // The browser would replace the selection itself, and join what it selects.
        compositionstart: ({ state: { selection, tr }, dispatch }) => {
          if (selection instanceof TextOfCells) dispatch(tr.deleteSelection())
        },
        beforeinput: replaceSelected,
        input: replaceSelected,
      },
    },
  })

/** Keeps tables whole whose cells are selected in part, whatever replaces the selection. */
export const tableSelection = Extension.create({
  name: 'tableSelection',
  // TipTap's own ask no selection what it deletes or replaces.
  addCommands: () => ({
    deleteSelection:
      () =>
      ({ state, dispatch }) =>
        deleteSelection(state, dispatch),
    insertContent:
      (value, options) =>
      ({ tr, commands, dispatch }) => {
        if (dispatch && tr.selection instanceof TextOfCells) tr.deleteSelection()
        const { from, to } = tr.selection
        return commands.insertContentAt({ from, to }, value, options)
      },
  }),
  addProseMirrorPlugins: () => [cellsStayApart()],
})
