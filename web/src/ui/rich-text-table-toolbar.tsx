import { Toolbar } from '@mantine/core'
import type { Editor } from '@tiptap/react'
import { t } from '../messages/editor-messages.ts'
import classes from './rich-text-field.module.css'
import { tableGlyphs } from './rich-text-icons.tsx'
import { changeTable, TABLE_CHANGES } from './rich-text-tables.ts'
import { backWithEscape } from './rich-text-toolbar-keys.ts'

type TableChange = keyof typeof TABLE_CHANGES

const GROUPS: TableChange[][] = [
  ['rowAfter', 'columnAfter'],
  ['rowUp', 'rowDown', 'columnLeft', 'columnRight'],
  ['headerRow'],
  ['deleteRow', 'deleteColumn', 'deleteTable'],
]

/** Buttons for the table around the cursor. */
export const RichTextTableToolbar = ({ editor, controls }: { editor: Editor; controls: string }) => (
  <Toolbar
    aria-label={t('editor.table')}
    aria-controls={controls}
    aria-keyshortcuts="Alt+F10"
    onKeyDown={backWithEscape(editor)}
    withBorder={false}
    className={`${classes.toolbar} ${classes.tableToolbar}`}
  >
    {GROUPS.map((group) => (
      <Toolbar.Group key={group[0]} className={classes.group}>
        {group.map((change) => {
          const Icon = tableGlyphs[change]
          return (
            <Toolbar.Toggle
              key={change}
              className={classes.toggle}
              aria-label={t(`editor.table.${change}`)}
              title={t(`editor.table.${change}`)}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => editor.chain().focus().command(changeTable(TABLE_CHANGES[change])).run()}
            >
              <Icon size={18} strokeWidth={2} />
            </Toolbar.Toggle>
          )
        })}
      </Toolbar.Group>
    ))}
  </Toolbar>
)
