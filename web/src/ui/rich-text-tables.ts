import { closeHistory } from '@tiptap/pm/history'
import { type Node as ProseMirrorNode, type ResolvedPos, Slice } from '@tiptap/pm/model'
import { type EditorState, Selection, TextSelection, type Transaction } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import { type Command, Extension } from '@tiptap/react'

/** A cell joined out of more than these columns or rows is taken for one of so many. */
const MAX_JOINED = 100

interface Row {
  /** `thead`, `tbody` or `tfoot`. */
  section: string
  cells: ProseMirrorNode[]
}

/** A cell's row and column, from 0. */
interface Place {
  readonly row: number
  readonly column: number
}

/** Changes the rows of a table; returns where the cursor goes, or undefined where nothing of the table is left. */
type TableChange = (rows: Row[], place: Place) => Place | undefined

/** The table around a position, the table's own position and the cell's place in it as HTML counts: section, row, cell. */
function tableAround($pos: ResolvedPos) {
  for (let depth = $pos.depth; depth > 3; depth -= 1)
    if ($pos.node(depth).type.name === 'tableCell') {
      const table = depth - 3
      const [section, row, cell] = [$pos.index(table), $pos.index(table + 1), $pos.index(table + 2)]
      return {
        table: $pos.node(table),
        pos: $pos.before(table),
        cell: $pos.start(depth),
        key: `${section} ${row} ${cell}`,
      }
    }
  return undefined
}

/** Whether the cursor is in a cell, where the table's buttons act: in the caption they have no place. */
export const isInTable = ({ selection }: EditorState): boolean => tableAround(selection.$from) !== undefined

const emptyLike = (cell: ProseMirrorNode, tag = cell.attrs.tag): ProseMirrorNode =>
  cell.type.createChecked({ tag }, cell.type.schema.nodes.paragraph?.create())

/** A cell of the place of one with the text of another. */
const filled = (place: ProseMirrorNode, text: ProseMirrorNode): ProseMirrorNode =>
  place.type.create(place.attrs, text.content)

const spanOf = (value: unknown): number =>
  Math.min(Math.max(Number.parseInt(String(value), 10) || 1, 1), MAX_JOINED)

/** A table's rows, all of the same length: cells that were joined stand alone. */
function rowsOf(table: ProseMirrorNode) {
  const rows: { section: string; cells: (ProseMirrorNode | undefined)[] }[] = []
  const places = new Map<string, Place>()
  let model: ProseMirrorNode | undefined
  table.forEach((section, _offset, sectionAt) => {
    if (section.type.name !== 'tableSection') return
    const first = rows.length
    const end = first + section.childCount
    for (const _ of section.children) rows.push({ section: section.attrs.tag, cells: [] })
    section.forEach((row, _offset, rowAt) => {
      let column = 0
      row.forEach((cell, _offset, cellAt) => {
        model ??= cell
        while (rows[first + rowAt]?.cells[column]) column += 1
        places.set(`${sectionAt} ${rowAt} ${cellAt}`, { row: first + rowAt, column })
        const alone = cell.type.create({ ...cell.attrs, colspan: null, rowspan: null }, cell.content)
        const below = Math.min(end, first + rowAt + spanOf(cell.attrs.rowspan))
        for (let y = first + rowAt; y < below; y += 1)
          for (let x = column; x < column + spanOf(cell.attrs.colspan); x += 1) {
            const isItself = y === first + rowAt && x === column
            const target = rows[y]
            if (target) target.cells[x] ??= isItself ? alone : emptyLike(cell)
          }
        column += spanOf(cell.attrs.colspan)
      })
    })
  })
  // No wider than where a cell begins: what is beyond only fills the cells that were joined.
  let width = 0
  for (const { column } of places.values()) width = Math.max(width, column + 1)
  const whole = rows.map(
    ({ section, cells }): Row => ({
      section,
      cells: Array.from(
        { length: width },
        (_, column) => cells[column] ?? emptyLike(model as ProseMirrorNode, 'td'),
      ),
    }),
  )
  return { rows: whole, places }
}

/** The table with other rows; consecutive rows of one kind are one section. */
function withRows(table: ProseMirrorNode, rows: readonly Row[]): ProseMirrorNode {
  const { tableSection, tableRow } = table.type.schema.nodes
  const sections: Row[][] = []
  for (const row of rows) {
    const last = sections.at(-1)
    if (last?.[0]?.section === row.section) last.push(row)
    else sections.push([row])
  }
  const caption = table.firstChild?.type.name === 'caption' ? [table.firstChild] : []
  const parts = sections.flatMap((section) => {
    const part = tableSection?.create(
      { tag: section[0]?.section },
      section.flatMap(({ cells }) => tableRow?.create(null, cells) ?? []),
    )
    return part ?? []
  })
  return table.type.create(table.attrs, [...caption, ...parts])
}

/** Where the content of each cell of a table begins, in the order of Tab. */
function cellStarts(table: ProseMirrorNode, pos: number): number[] {
  const starts: number[] = []
  table.forEach((section, sectionOffset) => {
    if (section.type.name !== 'tableSection') return
    section.forEach((row, rowOffset) => {
      // Into the table, the section, the row and the cell.
      row.forEach((_, cellOffset) => {
        starts.push(pos + sectionOffset + rowOffset + cellOffset + 4)
      })
    })
  })
  return starts
}

const putCursor = (tr: Transaction, start: number | undefined): void => {
  if (start !== undefined) tr.setSelection(TextSelection.near(tr.doc.resolve(start))).scrollIntoView()
}

/** Changes the table around the cursor; returns whether there is one. */
function changeTableIn(tr: Transaction, change: TableChange): boolean {
  const around = tableAround(tr.selection.$from)
  if (!around) return false
  const { table, pos, cell, key } = around
  const offset = tr.selection.from - cell
  const text = tr.doc.resolve(cell).parent.content
  const { rows, places } = rowsOf(table)
  const place = places.get(key)
  if (!place) return false
  const next = change(rows, place)
  const changed = next ? withRows(table, rows) : table.type.schema.nodes.paragraph?.create()
  if (!changed) return false
  tr.replaceWith(pos, pos + table.nodeSize, changed)
  const width = rows[0]?.cells.length ?? 0
  const start = next ? cellStarts(changed, pos)[next.row * width + next.column] : pos + 1
  // A cell that was moved keeps the place in its text.
  const isSame = next && start && tr.doc.resolve(start).parent.content.eq(text)
  putCursor(tr, isSame ? start + offset : start)
  return true
}

export const changeTable =
  (change: TableChange): Command =>
  ({ tr }) =>
    // Each change is a step to undo, however soon it follows another.
    changeTableIn(closeHistory(tr), change)

const isHeader = ({ cells }: Row): boolean => cells.every(({ attrs }) => attrs.tag === 'th')

const moveRow =
  (step: 1 | -1): TableChange =>
  (rows, place) => {
    const [from, to] = [rows[place.row], rows[place.row + step]]
    if (!from || !to) return place
    const texts = from.cells
    from.cells = from.cells.map((cell, column) => filled(cell, to.cells[column] ?? cell))
    to.cells = to.cells.map((cell, column) => filled(cell, texts[column] ?? cell))
    return { ...place, row: place.row + step }
  }

const moveColumn =
  (step: 1 | -1): TableChange =>
  (rows, place) => {
    const { column } = place
    for (const { cells } of rows) {
      const [from, to] = [cells[column], cells[column + step]]
      if (!from || !to) return place
      cells[column] = filled(from, to)
      cells[column + step] = filled(to, from)
    }
    return { ...place, column: column + step }
  }

/** What the table's buttons do. */
export const TABLE_CHANGES = {
  rowAfter: (rows, { row, column }) => {
    const above = rows[row]
    if (!above) return undefined
    const isLastHeader = above.section === 'thead' && rows[row + 1]?.section !== 'thead'
    const cells = above.cells.map((cell) => (isHeader(above) ? emptyLike(cell, 'td') : emptyLike(cell)))
    rows.splice(row + 1, 0, { section: isLastHeader ? 'tbody' : above.section, cells })
    return { row: row + 1, column }
  },
  columnAfter: (rows, { row, column }) => {
    for (const { cells } of rows) {
      const before = cells[column]
      if (before) cells.splice(column + 1, 0, emptyLike(before))
    }
    return { row, column: column + 1 }
  },
  rowUp: moveRow(-1),
  rowDown: moveRow(1),
  columnLeft: moveColumn(-1),
  columnRight: moveColumn(1),
  headerRow: (rows, place) => {
    // All rows of headings at once: a row above a <thead> would be shown below it.
    const end = rows.findIndex((row) => row.section !== 'thead' && !isHeader(row))
    const headers = end < 0 ? rows : rows.slice(0, end)
    const toHeader = headers.length === 0
    for (const row of toHeader ? rows.slice(0, 1) : headers) {
      row.section = toHeader ? 'thead' : 'tbody'
      row.cells = row.cells.map((cell) =>
        cell.type.create({ ...cell.attrs, scope: null, tag: toHeader ? 'th' : 'td' }, cell.content),
      )
    }
    return place
  },
  deleteRow: (rows, { row, column }) => {
    rows.splice(row, 1)
    return rows.length === 0 ? undefined : { row: Math.min(row, rows.length - 1), column }
  },
  deleteColumn: (rows, { row, column }) => {
    for (const { cells } of rows) cells.splice(column, 1)
    const width = rows[0]?.cells.length ?? 0
    return width === 0 ? undefined : { row, column: Math.min(column, width - 1) }
  },
  deleteTable: () => undefined,
} satisfies Record<string, TableChange>

/** Puts the texts of pasted cells into those of a table, from a place on; the table grows where they are more. */
const fillCells =
  (pasted: readonly Row[]): TableChange =>
  (rows, { row, column }) => {
    const width = pasted[0]?.cells.length ?? 0
    while (rows.length < row + pasted.length)
      TABLE_CHANGES.rowAfter(rows, { row: rows.length - 1, column: 0 })
    while ((rows[0]?.cells.length ?? 0) < column + width)
      TABLE_CHANGES.columnAfter(rows, { row, column: (rows[0]?.cells.length ?? 0) - 1 })
    for (const [y, { cells }] of pasted.entries()) {
      const target = rows[row + y]?.cells
      for (const [x, text] of cells.entries()) {
        const place = target?.[column + x]
        if (target && place) target[column + x] = filled(place, text)
      }
    }
    return { row: row + pasted.length - 1, column: column + width - 1 }
  }

/**
 * Replaces what is selected in several cells of one table, in each of them: a line fills all, longer content the first.
 * Otherwise the cells would become one. Returns whether several cells are selected.
 */
function pasteIntoEach(tr: Transaction, slice: Slice): boolean {
  const { from, to, $from, $to } = tr.selection
  const [around, end] = [tableAround($from), tableAround($to)]
  if (!around || around.pos !== end?.pos || around.cell === end.cell) return false
  const isLine = slice.content.childCount === 1 && slice.content.firstChild?.isTextblock
  const starts = cellStarts(around.table, around.pos).filter((at) => at >= around.cell && at <= end.cell)
  const ranges = starts.flatMap((start) => {
    const $start = tr.doc.resolve(start)
    const first = start === around.cell ? from : Selection.near($start).from
    const last = start === end.cell ? to : Selection.near(tr.doc.resolve($start.end()), -1).to
    // A cell of which only an edge is touched is not selected, unless it is empty.
    return first < last || $start.parent.content.size <= 2 ? [[first, last] as const] : []
  })
  if (ranges.length === 0) ranges.push([from, from])
  // From the last one on: the places of those before stay.
  for (const [at, [first, last]] of [...ranges.entries()].reverse())
    tr.replaceRange(first, last, isLine || at === 0 ? slice : Slice.empty)
  tr.setSelection(Selection.near(tr.doc.resolve(tr.mapping.map(to)), -1))
  return true
}

/**
 * Pastes what is cells alone, as those of a spreadsheet are: into the cells of the table around the cursor, and a single one as its
 * text. Over several selected cells pastes other content, too. Returns whether it did.
 */
export function pasteCells({ state: { tr }, dispatch }: EditorView, slice: Slice): boolean {
  const { content } = slice
  const { firstChild: table } = content
  const isTable =
    content.childCount === 1 && table?.type.name === 'table' && table.firstChild?.type.name !== 'caption'
  const rows = isTable ? rowsOf(table).rows : []
  const [first] = rows[0]?.cells ?? []
  const isOne = rows.length === 1 && rows[0]?.cells.length === 1
  if (first && !isOne) {
    const { $from, $to } = tr.selection
    if (tableAround($from)?.pos !== tableAround($to)?.pos || !changeTableIn(tr, fillCells(rows))) return false
  } else {
    const text = first ? Slice.maxOpen(first.content) : slice
    if (!pasteIntoEach(tr, text)) {
      if (!first) return false
      tr.replaceSelection(text)
    }
  }
  dispatch(tr.scrollIntoView().setMeta('paste', true).setMeta('uiEvent', 'paste'))
  return true
}

/** Rows and columns of a new table. */
const NEW = 3

/** Puts a new table at the cursor or after the block in which the selection ends, and a line where the text would end with it. */
export const insertTable: Command = ({ tr, state: { schema } }) => {
  const { table, tableSection, tableRow, tableCell, paragraph } = schema.nodes
  if (!table || !tableSection || !tableRow || !tableCell || !paragraph) return false
  const { $to, empty } = tr.selection
  // A caption would be cut in two, and its table with it.
  if (tableAround($to) || $to.parent.type.name === 'caption') return false
  const rowOf = (tag: string) =>
    tableRow.create(
      null,
      Array.from({ length: NEW }, () => tableCell.create({ tag }, paragraph.create())),
    )
  const body = Array.from({ length: NEW - 1 }, () => rowOf('td'))
  const added = table.create(null, [
    tableSection.create({ tag: 'thead' }, rowOf('th')),
    tableSection.create({ tag: 'tbody' }, body),
  ])
  const before = empty || !$to.parent.isTextblock ? $to.pos : $to.end()
  tr.replaceRangeWith(before, before, added)
  let pos: number | undefined
  tr.doc.nodesBetween(
    Math.max(0, before - 1),
    Math.min(tr.doc.content.size, before + added.nodeSize),
    (node, at) => {
      if (pos === undefined && node.eq(added)) pos = at
      return pos === undefined
    },
  )
  if (pos === undefined) return false
  const end = pos + added.nodeSize
  if (!tr.doc.resolve(end).nodeAfter) tr.insert(end, paragraph.create())
  putCursor(tr, cellStarts(added, pos)[0])
  return true
}

/** Goes to the next or the last cell; after the last one to a new row. */
const goToCell =
  (step: 1 | -1): Command =>
  (props) => {
    const around = tableAround(props.tr.selection.$from)
    if (!around) return false
    const starts = cellStarts(around.table, around.pos)
    const next = starts[starts.indexOf(around.cell) + step]
    if (next !== undefined) {
      putCursor(props.tr, next)
      return true
    }
    if (step === -1) return false
    return changeTable((rows) => {
      const place = TABLE_CHANGES.rowAfter(rows, { row: rows.length - 1, column: 0 })
      return place
    })(props)
  }

/** Tab moves between cells. Lists and code, which use Tab too, come first. */
export const tableKeys = Extension.create({
  name: 'tableKeys',
  priority: 50,
  addKeyboardShortcuts() {
    return {
      Tab: () => this.editor.commands.command(goToCell(1)),
      'Shift-Tab': () => this.editor.commands.command(goToCell(-1)),
    }
  },
})
