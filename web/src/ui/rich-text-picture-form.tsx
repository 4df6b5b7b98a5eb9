import { TextInput } from '@mantine/core'
import { type Editor, useEditorState } from '@tiptap/react'
import { useState } from 'react'
import { t } from '../messages/pictures-messages.ts'
import classes from './rich-text-field.module.css'

/** Numbers below -1, which stands for none; the editor numbers its own compositions from 1 on. */
let lastStep = -1
/** The history undoes in one step what has the same number as a composition, whatever pauses were made in it. */
const newStep = (): number => {
  lastStep -= 1
  return lastStep
}

/** A field for the description of the selected picture. */
export function RichTextPictureForm({ editor }: { editor: Editor }) {
  const { alt, pos } = useEditorState({
    editor,
    selector: ({ editor }) => ({
      alt: String(editor.getAttributes('image').alt ?? ''),
      pos: editor.state.selection.from,
    }),
  })
  const [step, setStep] = useState(newStep)
  // Not TipTap's own command: it would replace the picture, which would be selected no more.
  const write = (typed: string) =>
    editor.view.dispatch(editor.state.tr.setNodeAttribute(pos, 'alt', typed).setMeta('composition', step))
  return (
    <TextInput
      className={classes.pictureForm}
      size="xs"
      label={t('pictures.alt')}
      description={t('pictures.alt.about')}
      maxLength={1000}
      value={alt}
      onFocus={() => setStep(newStep)}
      onChange={(event) => write(event.currentTarget.value)}
      onKeyDown={(event) => {
        if ((event.key !== 'Enter' && event.key !== 'Escape') || event.nativeEvent.isComposing) return
        event.preventDefault()
        editor.commands.focus()
      }}
    />
  )
}
