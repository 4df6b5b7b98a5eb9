import { Toolbar } from '@mantine/core'
import { type ChainedCommands, type Editor, useEditorState } from '@tiptap/react'
import { t } from '../messages/messages.ts'
import classes from './rich-text-field.module.css'
import { glyphs } from './rich-text-icons.tsx'
import { RichTextLink } from './rich-text-link.tsx'

type Format = keyof typeof glyphs

const groups: Format[][] = [
  ['bold', 'italic', 'strike'],
  ['heading', 'subheading'],
  ['bulletList', 'orderedList', 'blockquote'],
  ['code', 'codeBlock'],
]

const formats: Record<
  Format,
  { isActive(editor: Editor): boolean; toggle(chain: ChainedCommands): ChainedCommands }
> = {
  bold: { isActive: (editor) => editor.isActive('bold'), toggle: (chain) => chain.toggleBold() },
  italic: { isActive: (editor) => editor.isActive('italic'), toggle: (chain) => chain.toggleItalic() },
  strike: { isActive: (editor) => editor.isActive('strike'), toggle: (chain) => chain.toggleStrike() },
  heading: {
    isActive: (editor) => editor.isActive('heading', { level: 2 }),
    toggle: (chain) => chain.toggleHeading({ level: 2 }),
  },
  subheading: {
    isActive: (editor) => editor.isActive('heading', { level: 3 }),
    toggle: (chain) => chain.toggleHeading({ level: 3 }),
  },
  bulletList: {
    isActive: (editor) => editor.isActive('bulletList'),
    toggle: (chain) => chain.toggleBulletList(),
  },
  orderedList: {
    isActive: (editor) => editor.isActive('orderedList'),
    toggle: (chain) => chain.toggleOrderedList(),
  },
  blockquote: {
    isActive: (editor) => editor.isActive('blockquote'),
    toggle: (chain) => chain.toggleBlockquote(),
  },
  code: { isActive: (editor) => editor.isActive('code'), toggle: (chain) => chain.toggleCode() },
  codeBlock: {
    isActive: (editor) => editor.isActive('codeBlock'),
    toggle: (chain) => chain.toggleCodeBlock(),
  },
}

const allFormats = groups.flat()

/** The editor's buttons: one stop for Tab, arrows between them. */
export function RichTextToolbar({ editor, controls }: { editor: Editor; controls: string }) {
  const active = useEditorState({
    editor,
    selector: ({ editor }) => allFormats.filter((format) => formats[format].isActive(editor)),
  })
  return (
    <Toolbar
      aria-label={t('editor.toolbar')}
      aria-controls={controls}
      withBorder={false}
      className={classes.toolbar}
    >
      {groups.map((group) => (
        <Toolbar.Group key={group[0]} className={classes.group}>
          {group.map((format) => {
            const Icon = glyphs[format]
            return (
              <Toolbar.Toggle
                key={format}
                className={classes.toggle}
                active={active.includes(format)}
                aria-label={t(`editor.${format}`)}
                title={t(`editor.${format}`)}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => formats[format].toggle(editor.chain().focus()).run()}
              >
                <Icon size={18} strokeWidth={2} />
              </Toolbar.Toggle>
            )
          })}
        </Toolbar.Group>
      ))}
      <RichTextLink editor={editor} />
    </Toolbar>
  )
}
