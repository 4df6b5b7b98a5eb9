import { isBlankHtml } from '@kopilka/text/blank-html.ts'
import { linesToHtml } from '@kopilka/text/paragraphs.ts'
import { useEffect, useState } from 'react'
import { t } from '../messages/editor-messages.ts'
import { takePictures } from './offered-pictures.ts'
import type { RichTextEditorProps } from './rich-text-editor.tsx'
import classes from './rich-text-field.module.css'
import { showMessage } from './snackbar.ts'

/** The editor's HTML is one line; here each block gets its own. */
const readable = (html: string): string =>
  html.replace(/(<\/(?:p|h[1-6]|ul|ol|li|dl|dt|dd|blockquote|pre|tr|table|figure)>|<hr>)(?=<)/g, '$1\n')

const refusePictures = (): void => showMessage(t('editor.source.pictures'), 'error')

/** A text's HTML as it is stored, five rows high. */
export function HtmlSource(props: RichTextEditorProps) {
  const { id, labelledBy, describedBy, invalid, required, value, onChange, onBlur } = props
  const [text, setText] = useState(() => readable(value))
  const [shown, setShown] = useState(value)
  useEffect(() => takePictures(refusePictures), [])
  if (value !== shown) {
    setShown(value)
    setText(readable(value))
  }
  return (
    <textarea
      id={id}
      className={classes.source}
      rows={5}
      spellCheck={false}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      aria-invalid={invalid}
      aria-required={required}
      value={text}
      onBlur={onBlur}
      onChange={(event) => {
        const typed = event.currentTarget.value
        const html = isBlankHtml(typed) ? '' : linesToHtml(typed)
        setText(typed)
        setShown(html)
        onChange(html)
      }}
    />
  )
}
