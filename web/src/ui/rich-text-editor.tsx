import { isBlankHtml } from '@kopilka/text/blank-html.ts'
import { linesToHtml } from '@kopilka/text/paragraphs.ts'
import { Typography } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { Selection } from '@tiptap/pm/state'
import { type Editor, EditorContent, useEditor, useEditorState } from '@tiptap/react'
import { Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Uploads } from '../pictures/editor-uploads.ts'
import { copiedText } from './copied-text.ts'
import html from './html.module.css'
import { lazy } from './lazy.tsx'
import { takePictures } from './offered-pictures.ts'
import { withChecklists } from './pasted-checklists.ts'
import { withCodeBlocks } from './pasted-code.ts'
import { withEmoji } from './pasted-emoji.ts'
import { formattedText } from './pasted-text.ts'
import classes from './rich-text-field.module.css'
import { createPictures, isPictureSelected, withStoredPictures } from './rich-text-pictures.ts'
import { extensions, serializer, toDoc, toHtml } from './rich-text-schema.ts'
import { RichTextTableToolbar } from './rich-text-table-toolbar.tsx'
import { isInTable } from './rich-text-tables.ts'
import { RichTextToolbar } from './rich-text-toolbar.tsx'
import { withWordLists } from './word-lists.ts'

const RichTextPictureForm = lazy(() => import('./rich-text-picture-form.tsx'), 'RichTextPictureForm')

/** ProseMirror's count of a document that takes long to write out as HTML: some 50,000 characters. */
const LARGE = 50_000
/** A large document is handed to the form in a pause of typing, and at most so late without one. */
const LATER = { delay: 300, maxWait: 2_000, flushOnUnmount: true }

/** Signs of Markdown in pasted text: pasted-text.ts, which leaves plain text plain. */
const PASTE_RULES = ['link']

/** What an editor begins with. A string TipTap would parse without a policy of the page (lib/trusted-types.ts). */
const EMPTY = { type: 'doc', content: [{ type: 'paragraph' }] }

/** Puts another text into an editor, in which addresses stay as they were saved; to open the first one is no step to undo. */
function setText(editor: Editor, html: string, isFirst: boolean): void {
  const { doc, tr } = editor.state
  tr.replaceWith(0, doc.content.size, toDoc(html, editor).content)
  tr.setMeta('preventUpdate', true).setMeta('preventAutolink', true)
  if (isFirst) tr.setSelection(Selection.atStart(tr.doc)).setMeta('addToHistory', false)
  editor.view.dispatch(tr)
}

export interface RichTextEditorProps {
  id: string
  /** Ids of what names and describes the text area. */
  labelledBy: string
  describedBy: string | undefined
  invalid: boolean
  required: boolean
  value: string
  /** Called with HTML, or with '' when there is nothing to see. */
  onChange: (html: string) => void
  onBlur: () => void
  /** Called when the number of pictures on their way into the text changes. */
  onUploads: (uploads: Uploads) => void
}

/** TipTap with our toolbar. Only {@link RichTextField} renders it, and loads it when it does. */
export function RichTextEditor(props: RichTextEditorProps) {
  const { id, labelledBy, describedBy, invalid, required, value, onChange, onBlur, onUploads } = props
  const shown = useRef(value)
  /** The editor that shows a text. */
  const current = useRef<Editor>(null)
  const reportUploads = useRef(onUploads)
  const [pictures] = useState(() =>
    createPictures(
      () => current.current,
      (uploads) => reportUploads.current(uploads),
    ),
  )
  const editorProps = useMemo(() => {
    const text = formattedText({ editorOf: () => current.current, onWait: pictures.count })
    return {
      attributes: {
        id,
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-labelledby': labelledBy,
        'aria-required': String(required),
        'aria-invalid': String(invalid),
        ...(describedBy === undefined ? {} : { 'aria-describedby': describedBy }),
      },
      transformPastedHTML: (pasted: string) =>
        withStoredPictures(withCodeBlocks(withChecklists(withWordLists(withEmoji(pasted))))),
      ...text,
      ...pictures.handlers(text),
      clipboardSerializer: serializer,
      clipboardTextSerializer: copiedText,
    }
  }, [id, labelledBy, describedBy, invalid, required, pictures])
  const emit = (editor: Editor) => {
    const written = toHtml(editor.state.doc)
    shown.current = isBlankHtml(written) ? '' : written
    onChange(shown.current)
  }
  const emitLater = useDebouncedCallback(emit, LATER)
  // Each option is the same in every rendering: TipTap would set all of them again. The text comes into the editor once it is
  // on the page: until then TipTap draws all of it anew several times, and where React waits, in two editors.
  const editor = useEditor({
    extensions,
    content: EMPTY,
    editorProps,
    enablePasteRules: PASTE_RULES,
    onUpdate: ({ editor }) => {
      if (editor.state.doc.content.size > LARGE) emitLater(editor)
      else emit(editor)
    },
    onBlur: () => {
      // A press of a button blurs the text first: the form has all of it before the button acts.
      emitLater.flush()
      onBlur()
    },
  })

  const { inTable, onPicture } = useEditorState({
    editor,
    selector: ({ editor }) => ({ inTable: isInTable(editor.state), onPicture: isPictureSelected(editor) }),
  })

  useEffect(() => {
    reportUploads.current = onUploads
    pictures.countFetched(editor)
  }, [editor, onUploads, pictures])
  useEffect(() => {
    // Where React waits with showing the editor, TipTap puts another in its place right after.
    if (editor.isDestroyed) return
    const isFirst = current.current !== editor
    if (!isFirst && value === shown.current) return
    current.current = editor
    shown.current = value
    setText(editor, linesToHtml(value), isFirst)
  }, [editor, value])
  useEffect(
    () => (editor.isDestroyed ? undefined : takePictures((files) => void pictures.add(files))),
    [editor, pictures],
  )

  useEffect(() => {
    // Hands the last text to the form before it is sent or keeps its draft: in the capture phase, to run first.
    const flush = () => flushSync(emitLater.flush)
    window.addEventListener('pagehide', flush, { capture: true })
    window.addEventListener('submit', flush, { capture: true })
    return () => {
      window.removeEventListener('pagehide', flush, { capture: true })
      window.removeEventListener('submit', flush, { capture: true })
    }
  }, [emitLater])

  return (
    <>
      <Typography dir="auto" className={`${html.html} ${classes.content}`}>
        <EditorContent editor={editor} />
      </Typography>
      {/* Above the text by its style: with Tab the text comes first. */}
      <RichTextToolbar editor={editor} controls={id} pictures={pictures} />
      {onPicture && (
        <Suspense>
          <RichTextPictureForm editor={editor} />
        </Suspense>
      )}
      {inTable && <RichTextTableToolbar editor={editor} controls={id} />}
    </>
  )
}
