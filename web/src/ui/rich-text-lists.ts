import { type ChainedCommands, Extension } from '@tiptap/react'

/** Moves the items of the innermost list around the selection a level deeper or back. */
export const moveItems = (chain: ChainedCommands, move: 'sinkListItem' | 'liftListItem'): ChainedCommands =>
  chain.command(({ state: { selection }, commands }) => {
    const { $from } = selection
    for (let depth = $from.depth; depth > 0; depth -= 1) {
      const { name } = $from.node(depth).type
      if (name === 'listItem' || name === 'taskItem') return commands[move](name)
    }
    return false
  })

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
