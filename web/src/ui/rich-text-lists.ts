import { liftListItem, sinkListItem } from '@tiptap/pm/schema-list'
import type { Command } from '@tiptap/pm/state'
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
