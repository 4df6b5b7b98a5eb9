import { Fragment, type Node as ProseMirrorNode, Slice } from '@tiptap/pm/model'
import { liftListItem, sinkListItem } from '@tiptap/pm/schema-list'
import { type Command, Selection } from '@tiptap/pm/state'
import { ReplaceStep } from '@tiptap/pm/transform'
import type { EditorView } from '@tiptap/pm/view'
import { Extension } from '@tiptap/react'

/** A command for the items of the innermost list around the selection. */
const inInnermostList =
  (commandOf: typeof sinkListItem): Command =>
  (state, dispatch) => {
    const { $from } = state.selection
    for (let depth = $from.depth; depth > 0; depth -= 1) {
      const { type } = $from.node(depth)
      if (type.name === 'listItem' || type.name === 'taskItem') return commandOf(type)(state, dispatch)
    }
    return false
  }

/** Moves list items a level deeper. */
export const indentItems = inInnermostList(sinkListItem)
/** Moves list items a level back, or out of their list. */
export const outdentItems = inInnermostList(liftListItem)

const isList = ({ firstChild }: ProseMirrorNode): boolean => /Item$/.test(firstChild?.type.name ?? '')

/** Whether a node and all in it could stand as they are; a part of a list may begin with an item without its own text. */
const isWhole = (node: ProseMirrorNode): boolean =>
  node.type.validContent(node.content) && node.children.every(isWhole)

/** Whether a slice is but text within one item, as that of a copied word has its list around it. */
export const isTextOfItem = ({ content: { childCount, firstChild: list }, openStart }: Slice): boolean =>
  openStart > 0 && childCount === 1 && list?.childCount === 1 && list.firstChild?.childCount === 1

/**
 * Pastes lists into an empty item in its place: items of its own kind of list beside the others, other lists at the level of its
 * list. ProseMirror would put their first text into the item, without its state, and the rest within it.
 */
export function pasteLists({ state, dispatch }: EditorView, { content }: Slice): boolean {
  const { $from, empty } = state.selection
  const item = $from.node(-1)
  const pasted = content.content
  const [first] = pasted
  const last = pasted.at(-1)
  if (!empty || $from.parent.content.size > 0 || !/Item$/.test(item?.type.name ?? '') || item.childCount > 1)
    return false
  if (!first || !last || !pasted.every((node) => isList(node) && isWhole(node))) return false
  const list = $from.node(-2)
  const rest = list.type.create(list.attrs)
  const isFirst = $from.index(-2) === 0
  const isLast = $from.indexAfter(-2) === list.childCount
  const joinsFirst = first.type === list.type
  const joinsLast = last.type === list.type
  const opens = joinsFirst || !isFirst
  const closes = joinsLast || !isLast
  const lists = [...(opens && !joinsFirst ? [rest] : []), ...pasted, ...(closes && !joinsLast ? [rest] : [])]
  const closing = lists.at(-1)
  // The rest of a numbered list goes on counting; one that counts down to its end does so by itself.
  if (closing && lists.length > 1 && !isLast && typeof list.attrs.reversed !== 'string') {
    const start = list.attrs.start + $from.index(-2) + (joinsFirst ? first.childCount : 0)
    lists.splice(-1, 1, closing.type.create({ ...closing.attrs, start }, closing.content, closing.marks))
  }
  const from = opens ? $from.before(-1) : $from.before(-2)
  const to = closes ? $from.after(-1) : $from.after(-2)
  const slice = new Slice(Fragment.from(lists), Number(opens), Number(closes))
  const tr = state.tr.step(new ReplaceStep(from, to, slice))
  tr.setSelection(Selection.near(tr.doc.resolve(tr.mapping.map(to)), -1))
  dispatch(tr.scrollIntoView().setMeta('paste', true).setMeta('uiEvent', 'paste'))
  return true
}

/**
 * Tab stays in a list also where an item can go no deeper, as the first one: the focus would be on a button, which the next
 * key would press. Comes after lists, code and tables.
 */
export const listKeys = Extension.create({
  name: 'listKeys',
  priority: 40,
  addKeyboardShortcuts() {
    return { Tab: () => this.editor.isActive('listItem') || this.editor.isActive('taskItem') }
  },
})
