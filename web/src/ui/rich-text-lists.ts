import { Extension } from '@tiptap/react'

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
