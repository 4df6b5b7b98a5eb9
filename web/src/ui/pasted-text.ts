import { looksLikeMarkdown } from '@kopilka/text/looks-like-markdown.ts'
import { taskListHtml } from '@kopilka/text/task-lists.ts'
import { Fragment, Slice } from '@tiptap/pm/model'
import { Selection, TextSelection } from '@tiptap/pm/state'
import type { EditorProps } from '@tiptap/pm/view'
import type { Editor, EditorEvents } from '@tiptap/react'
import { checklistsIn, tasksIn } from './pasted-checklists.ts'
import { isTextOfItem, pasteLists } from './rich-text-lists.ts'
import { pasteCells } from './rich-text-tables.ts'

/** What VS Code calls a text that is no code: Markdown has its formatting, and what has no language stays text. */
const NO_CODE = /"mode":"(markdown|plaintext)"/
/** A task of Markdown, which may have others within it, and formatting. */
const MARKDOWN_TASK = /^ {0,3}[-*+] +\[[ xXхХ]\] /m

/**
 * Parses a plain text: in an item of a list its lines are items. Elsewhere, with empty lines, paragraphs are between them, and
 * its other lines stay lines; without them ProseMirror parses, whose paragraphs are the lines.
 */
const clipboardTextParser: NonNullable<EditorProps['clipboardTextParser']> = (
  text,
  $context,
  _plain,
  { state },
) => {
  const { paragraph, hardBreak } = state.schema.nodes
  const item = $context.node(-1)?.type
  const isItem = /Item$/.test(item?.name)
  const plain = text.replace(/\r\n?/g, '\n')
  const lines = plain.split('\n').filter((line) => line.trim())
  const inList = lines.length > 1 ? lines.map((line) => line.trim()) : lines
  const parts = isItem ? inList : plain.replace(/^\n+|(?<!\n)\n+$/g, '').split('\n\n')
  // With null, which the type lacks, ProseMirror parses.
  if (!paragraph || !hardBreak || (parts.length === 1 && !isItem)) return null as unknown as Slice
  const marks = $context.marks()
  const paragraphs = parts.map((part) =>
    paragraph.create(
      null,
      part
        .split('\n')
        .flatMap((line, at) => [
          ...(at > 0 ? [hardBreak.create()] : []),
          ...(line === '' ? [] : [state.schema.text(line, marks)]),
        ]),
    ),
  )
  return Slice.maxOpen(Fragment.from(isItem ? paragraphs.map((line) => item.create(null, line)) : paragraphs))
}

interface Options {
  editorOf: () => Editor | null
  /** Called with 1 when a pasted text begins to wait for what reads it, and with -1 when it is in the editor. */
  onWait: (step: 1 | -1) => void
}

/**
 * Properties of an editor that pastes a plain text with its formatting where it has some. With Ctrl+Shift+V and in code it
 * stays text.
 */
export function formattedText({
  editorOf,
  onWait,
}: Options): Pick<EditorProps, 'transformPastedText' | 'clipboardTextParser' | 'handlePaste' | 'handleDrop'> {
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
    clipboardTextParser,
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
        // What we paste as HTML comes without data.
        return (!(clipboardData && isTextOfItem(slice)) && pasteLists(view, slice)) || pasteCells(view, slice)
      const tasks = MARKDOWN_TASK.test(pasted) ? undefined : tasksIn(pasted)
      if (tasks) return view.pasteHTML(taskListHtml(tasks))
      const editor = editorOf()
      if (editor && (mode === 'markdown' || looksLikeMarkdown(pasted))) {
        onWait(1)
        void pasteMarkdown(editor, pasted).finally(() => onWait(-1))
      } else {
        const lists = checklistsIn(pasted)
        if (lists !== undefined) view.pasteHTML(lists)
        else if (mode === undefined) return pasteCells(view, slice)
        else view.pasteText(pasted)
      }
      return true
    },
  }
}

/** The latest paste: each waits for the one before. */
let latest: Promise<void> = Promise.resolve()

/** Pastes Markdown with its formatting once what reads it has loaded; where that does not load, as tasks or text. */
function pasteMarkdown(editor: Editor, text: string): Promise<void> {
  latest = pasteBehind(latest, editor, text)
  return latest
}

async function pasteBehind(previous: Promise<void>, editor: Editor, text: string): Promise<void> {
  const pasteThere = keepPlace(editor)
  const html = await import('@kopilka/text/markdown.ts')
    .then(({ pastedMarkdownToHtml }) => pastedMarkdownToHtml(text))
    .catch(() => {
      const tasks = tasksIn(text)
      return tasks && taskListHtml(tasks)
    })
  await previous.catch(() => {})
  pasteThere(() => (html === undefined ? editor.view.pasteText(text) : editor.view.pasteHTML(html)))
}

type Change = EditorEvents['transaction']

/** Calls with each change of the selection and of the text, until the function that it returns is called. */
function onChanges(editor: Editor, call: (change: Change['transaction']) => void): () => void {
  const listen = ({ transaction, appendedTransactions }: Change): void =>
    [transaction, ...appendedTransactions].forEach(call)
  editor.on('transaction', listen)
  return () => {
    editor.off('transaction', listen)
  }
}

/** Whether what has waited is being pasted: of two texts that wait for one place, the second comes behind the first. */
let isPastingLate = false

function pasteLate(paste: () => void): void {
  isPastingLate = true
  try {
    paste()
  } finally {
    isPastingLate = false
  }
}

/**
 * Keeps what is selected as the place of a later paste; what is typed until then comes behind it. Returns what runs the paste
 * there, after which the cursor is where it has gone meanwhile.
 */
function keepPlace(editor: Editor): (paste: () => void) => void {
  const { doc, selection, tr } = editor.state
  let { from, to } = selection
  const replaced = doc.slice(from, to)
  if (!selection.empty) editor.view.dispatch(tr.setSelection(Selection.near(doc.resolve(to), -1)))
  const first = editor.state.selection
  const stop = onChanges(editor, ({ mapping }) => {
    from = mapping.map(from, 1)
    to = mapping.map(to, isPastingLate ? 1 : -1)
  })
  return (paste) => {
    stop()
    if (editor.isDestroyed) return
    const { state, view } = editor
    const isSame = state.doc === doc
    // What has changed meanwhile is not replaced.
    const start = from < to && state.doc.slice(from, to).eq(replaced) ? from : to
    const place = isSame ? selection : TextSelection.between(state.doc.resolve(start), state.doc.resolve(to))
    view.dispatch(state.tr.setSelection(place))
    if (isSame && state.selection.eq(first)) return pasteLate(paste)
    let cursor = state.selection.getBookmark()
    const stopCursor = onChanges(editor, ({ mapping }) => {
      cursor = cursor.map(mapping)
    })
    pasteLate(paste)
    stopCursor()
    view.dispatch(editor.state.tr.setSelection(cursor.resolve(editor.state.doc)).scrollIntoView())
  }
}
