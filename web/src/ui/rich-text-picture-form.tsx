import { TextInput } from '@mantine/core'
import { type Editor, useEditorState } from '@tiptap/react'
import { t } from '../messages/pictures-messages.ts'
import classes from './rich-text-field.module.css'

/** A field for the description of the selected picture. */
export function RichTextPictureForm({ editor }: { editor: Editor }) {
  const { alt, pos } = useEditorState({
    editor,
    selector: ({ editor }) => ({
      alt: String(editor.getAttributes('image').alt ?? ''),
      pos: editor.state.selection.from,
    }),
  })
  // Not TipTap's own command: it would replace the picture, which would be selected no more.
  const write = (typed: string) => editor.view.dispatch(editor.state.tr.setNodeAttribute(pos, 'alt', typed))
  return (
    <TextInput
      className={classes.pictureForm}
      size="xs"
      label={t('pictures.alt')}
      description={t('pictures.alt.about')}
      maxLength={1000}
      value={alt}
      onChange={(event) => write(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== 'Escape') return
        event.preventDefault()
        editor.commands.focus()
      }}
    />
  )
}
