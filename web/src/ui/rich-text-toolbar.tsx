import { Toolbar } from '@mantine/core'
import { redo, undo } from '@tiptap/pm/history'
import type { Command } from '@tiptap/pm/state'
import { type ChainedCommands, type Editor, useEditorState } from '@tiptap/react'
import { t } from '../messages/editor-messages.ts'
import classes from './rich-text-field.module.css'
import { glyphs, stepGlyphs } from './rich-text-icons.tsx'
import { RichTextLink } from './rich-text-link.tsx'
import { indentItems, outdentItems } from './rich-text-lists.ts'
import { RichTextPicture } from './rich-text-picture.tsx'
import type { Pictures } from './rich-text-pictures.ts'
import { insertTable } from './rich-text-tables.ts'
import { backWithEscape } from './rich-text-toolbar-keys.ts'

type Format = keyof typeof glyphs

const GROUPS: Format[][] = [
  ['bold', 'italic', 'strike'],
  ['heading', 'subheading', 'minorHeading'],
  ['bulletList', 'orderedList', 'taskList', 'blockquote'],
  ['code', 'codeBlock', 'table'],
]
const FORMATS = GROUPS.flat()

type Step = keyof typeof stepGlyphs

const INDENTS: Step[] = ['outdent', 'indent']
const HISTORY: Step[] = ['undo', 'redo']

const LEVELS: Partial<Record<Format, 2 | 3 | 4>> = { heading: 2, subheading: 3, minorHeading: 4 }

const isActive = (editor: Editor, format: Format): boolean =>
  LEVELS[format] ? editor.isActive('heading', { level: LEVELS[format] }) : editor.isActive(format)

const TOGGLES: Record<Format, (chain: ChainedCommands) => ChainedCommands> = {
  bold: (chain) => chain.toggleBold(),
  italic: (chain) => chain.toggleItalic(),
  strike: (chain) => chain.toggleStrike(),
  heading: (chain) => chain.toggleHeading({ level: 2 }),
  subheading: (chain) => chain.toggleHeading({ level: 3 }),
  minorHeading: (chain) => chain.toggleHeading({ level: 4 }),
  bulletList: (chain) => chain.toggleBulletList(),
  orderedList: (chain) => chain.toggleOrderedList(),
  taskList: (chain) => chain.toggleTaskList(),
  blockquote: (chain) => chain.toggleBlockquote(),
  code: (chain) => chain.toggleCode(),
  codeBlock: (chain) => chain.toggleCodeBlock(),
  table: (chain) => chain.command(insertTable),
}

/**
 * Buttons that are disabled where they would change nothing. Commands of ProseMirror, asked with each key: to ask TipTap's whether
 * they can run takes ten times as long.
 */
const STEPS: Record<Step, Command> = { outdent: outdentItems, indent: indentItems, undo, redo }

/** The editor's buttons: one stop for Tab, arrows between them. */
export function RichTextToolbar({
  editor,
  controls,
  pictures,
}: {
  editor: Editor
  controls: string
  pictures: Pictures
}) {
  const { active, steps } = useEditorState({
    editor,
    selector: ({ editor }) => ({
      active: FORMATS.filter((format) => isActive(editor, format)),
      steps: [...INDENTS, ...HISTORY].filter((step) => STEPS[step](editor.state)),
    }),
  })
  const stepGroup = (group: Step[]) => (
    <Toolbar.Group className={classes.group}>
      {group.map((step) => {
        const Icon = stepGlyphs[step]
        return (
          <Toolbar.Toggle
            key={step}
            className={classes.toggle}
            disabled={!steps.includes(step)}
            aria-label={t(`editor.${step}`)}
            title={t(`editor.${step}`)}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() =>
              editor
                .chain()
                .focus()
                .command(({ state, dispatch }) => STEPS[step](state, dispatch))
                .run()
            }
          >
            <Icon size={18} strokeWidth={2} />
          </Toolbar.Toggle>
        )
      })}
    </Toolbar.Group>
  )
  return (
    <Toolbar
      aria-label={t('editor.toolbar')}
      aria-controls={controls}
      aria-keyshortcuts="Alt+F10"
      onKeyDown={backWithEscape(editor)}
      withBorder={false}
      className={classes.toolbar}
    >
      {GROUPS.map((group) => (
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
                onClick={() => TOGGLES[format](editor.chain().focus()).run()}
              >
                <Icon size={18} strokeWidth={2} />
              </Toolbar.Toggle>
            )
          })}
        </Toolbar.Group>
      ))}
      {stepGroup(INDENTS)}
      <RichTextLink editor={editor} />
      <RichTextPicture pictures={pictures} />
      {stepGroup(HISTORY)}
    </Toolbar>
  )
}
