import { type Editor, Extension } from '@tiptap/react'
import type { KeyboardEvent } from 'react'
import classes from './rich-text-field.module.css'

/** The tools nearest to the cursor: the language of its code, the buttons of its table, else those of the text. */
function nearestTools({ view }: Editor): HTMLElement | null | undefined {
  const { node } = view.domAtPos(view.state.selection.from)
  const element = node instanceof Element ? node : node.parentElement
  const language = element?.closest(`.${classes.codeBlock}`)?.querySelector('select')
  if (language) return language
  const toolbars = document.querySelectorAll(`[role="toolbar"][aria-controls="${view.dom.id}"]`)
  return [...toolbars].at(-1)?.querySelector<HTMLElement>('[tabindex="0"]')
}

/** Alt+F10 leads to the tools at the cursor, as in other editors: Tab stays in a table and in code. */
export const toolbarKeys = Extension.create({
  name: 'toolbarKeys',
  addKeyboardShortcuts() {
    return {
      'Alt-F10': () => {
        const tools = nearestTools(this.editor)
        // After a press of the mouse too.
        tools?.focus({ focusVisible: true })
        return tools !== undefined && tools !== null
      },
    }
  },
})

/** The handler of a toolbar's keys: Escape leads back to the text. In a popover of the toolbar it closes that alone. */
export const backWithEscape = (editor: Editor) => (event: KeyboardEvent<HTMLElement>) => {
  if (event.key !== 'Escape' || !event.currentTarget.contains(event.target as Node)) return
  event.preventDefault()
  editor.commands.focus()
}
