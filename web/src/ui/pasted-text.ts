import { looksLikeMarkdown } from '@kopilka/text/looks-like-markdown.ts'
import { taskListHtml } from '@kopilka/text/task-lists.ts'
import type { EditorProps, EditorView } from '@tiptap/pm/view'
import { checklistsIn, tasksIn } from './pasted-checklists.ts'
import { pasteCells } from './rich-text-tables.ts'

/** What VS Code calls a text that is no code: Markdown has its formatting, and what has no language stays text. */
const NO_CODE = /"mode":"(markdown|plaintext)"/
/** A task of Markdown, which may have others within it, and formatting. */
const MARKDOWN_TASK = /^ {0,3}[-*+] \[[ xX]\] /m

/**
 * Properties of an editor that pastes a plain text with its formatting where it has some. With Ctrl+Shift+V and in code it
 * stays text.
 */
export function formattedText(): Pick<EditorProps, 'transformPastedText' | 'handlePaste' | 'handleDrop'> {
  /** The text that is being pasted; undefined where it is to stay as it is. */
  let text: string | undefined
  let isPlain = false
  const forget = (): void => {
    text = undefined
    isPlain = false
  }
  return {
    // Called where there is no HTML, and where what is pasted is to be plain.
    transformPastedText: (pasted, plain) => {
      text = plain ? undefined : pasted
      isPlain = plain
      return pasted
    },
    // A dropped text comes through the transformation as well.
    handleDrop: () => {
      forget()
      return false
    },
    handlePaste: (view, { clipboardData }, slice) => {
      const editorData = isPlain ? '' : (clipboardData?.getData('vscode-editor-data') ?? '')
      const [, mode] = NO_CODE.exec(editorData) ?? []
      const pasted = mode === undefined ? text : clipboardData?.getData('text/plain')
      forget()
      // What has HTML as well is pasted by that, unless it is the colours of an editor of code.
      if (!pasted || (mode === undefined && clipboardData?.types.includes('text/html')))
        return pasteCells(view, slice)
      const tasks = MARKDOWN_TASK.test(pasted) ? undefined : tasksIn(pasted)
      if (tasks) return view.pasteHTML(taskListHtml(tasks))
      if (mode === 'markdown' || looksLikeMarkdown(pasted)) void pasteMarkdown(view, pasted)
      else {
        const lists = checklistsIn(pasted)
        if (lists !== undefined) view.pasteHTML(lists)
        else if (mode === undefined) return false
        else view.pasteText(pasted)
      }
      return true
    },
  }
}

/** Pastes Markdown with its formatting once what reads it has loaded; where that does not load, as tasks or text. */
async function pasteMarkdown(view: EditorView, text: string): Promise<void> {
  const html = await import('@kopilka/text/markdown.ts').then(
    ({ pastedMarkdownToHtml }) => pastedMarkdownToHtml(text),
    () => {
      const tasks = tasksIn(text)
      return tasks && taskListHtml(tasks)
    },
  )
  if (view.isDestroyed) return
  if (html === undefined) view.pasteText(text)
  else view.pasteHTML(html)
}
