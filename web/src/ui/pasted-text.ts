import { looksLikeMarkdown } from '@kopilka/text/looks-like-markdown.ts'
import { taskListHtml } from '@kopilka/text/task-lists.ts'
import type { EditorProps, EditorView } from '@tiptap/pm/view'
import { tasksIn } from './pasted-checklists.ts'

/**
 * Properties of an editor that pastes a plain text with its formatting where it has some. With Ctrl+Shift+V and in code it
 * stays text.
 */
export function formattedText(): Pick<EditorProps, 'transformPastedText' | 'handlePaste' | 'handleDrop'> {
  /** The text that is being pasted; undefined where it is to stay as it is. */
  let text: string | undefined
  return {
    transformPastedText: (pasted, plain) => {
      text = plain ? undefined : pasted
      return pasted
    },
    // A dropped text comes through the transformation as well.
    handleDrop: () => {
      text = undefined
      return false
    },
    handlePaste: (view, event) => {
      const pasted = text
      text = undefined
      // What has HTML as well is pasted by that.
      if (pasted === undefined || event.clipboardData?.types.includes('text/html')) return false
      const tasks = tasksIn(pasted)
      if (tasks) return view.pasteHTML(taskListHtml(tasks))
      if (!looksLikeMarkdown(pasted)) return false
      void pasteMarkdown(view, pasted)
      return true
    },
  }
}

/** Pastes Markdown with its formatting once what reads it has loaded; where that does not load, as text. */
async function pasteMarkdown(view: EditorView, text: string): Promise<void> {
  const html = await import('@kopilka/text/markdown.ts').then(
    ({ pastedMarkdownToHtml }) => pastedMarkdownToHtml(text),
    () => undefined,
  )
  if (view.isDestroyed) return
  if (html === undefined) view.pasteText(text)
  else view.pasteHTML(html)
}
