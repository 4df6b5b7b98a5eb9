import { taskListHtml } from '@kopilka/text/task-lists.ts'
import type { EditorProps } from '@tiptap/pm/view'
import { tasksIn } from './pasted-checklists.ts'

/**
 * Properties of an editor that pastes a plain text with its formatting where it has some. With Ctrl+Shift+V and in code it
 * stays text.
 */
export function formattedText(): Pick<EditorProps, 'transformPastedText' | 'handlePaste'> {
  /** The text that is being pasted; undefined where it is to stay as it is. */
  let text: string | undefined
  return {
    transformPastedText: (pasted, plain) => {
      text = plain ? undefined : pasted
      return pasted
    },
    handlePaste: (view, event) => {
      const pasted = text
      text = undefined
      // What has HTML as well is pasted by that.
      if (pasted === undefined || event.clipboardData?.types.includes('text/html')) return false
      const tasks = tasksIn(pasted)
      return tasks !== undefined && view.pasteHTML(taskListHtml(tasks))
    },
  }
}
