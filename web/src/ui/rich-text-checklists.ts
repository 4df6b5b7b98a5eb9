import { TaskItem, TaskList } from '@tiptap/extension-list'
import type { Node as ProseMirrorNode } from '@tiptap/pm/model'
import { type ChainedCommands, InputRule } from '@tiptap/react'
import { t } from '../messages/editor-messages.ts'

/** `[ ]`, `[]` or `[x]` typed at the beginning of a line, with the Cyrillic х as well. */
const BOX = /^\s*\[([ xXхХ]?)\]\s$/

/** Sets the state of the innermost task around the cursor. */
const setChecked = (chain: ChainedCommands, checked: boolean): ChainedCommands =>
  chain.command(({ tr }) => {
    const { $from } = tr.selection
    for (let depth = $from.depth; depth > 0; depth -= 1)
      if ($from.node(depth).type.name === 'taskItem') {
        tr.setNodeAttribute($from.before(depth), 'checked', checked)
        return true
      }
    return false
  })

/** The name of a task's box. */
const nameOf = ({ firstChild }: ProseMirrorNode): string => firstChild?.textContent || t('editor.task.empty')

const taskItem = TaskItem.extend({
  marks: 'section',
  // Any item of a checklist, also of one that TipTap wrote: there its text is in a `<div>` beside the input's label.
  parseHTML: () => [
    {
      tag: 'li',
      context: 'taskList/',
      priority: 60,
      contentElement: (element) => element.querySelector<HTMLElement>(':scope > label + div') ?? element,
    },
  ],
  renderHTML: ({ HTMLAttributes }) => ['li', HTMLAttributes, 0],
  // TipTap's own view sets every attribute of an item anew with each key in it, and repeats the text beside the box.
  addNodeView() {
    const create = this.parent?.()
    if (!create) return null
    return (props) => {
      const view = create(props)
      const box = view.dom.querySelector('input')
      box?.nextElementSibling?.remove()
      let { attrs } = props.node
      return {
        ...view,
        update: (node, ...others) => {
          if (node.attrs !== attrs || !box) {
            ;({ attrs } = node)
            return view.update?.(node, ...others) ?? false
          }
          box.ariaLabel = nameOf(node)
          return true
        },
      }
    }
  },
  // TipTap's own rule would put a checklist into the item of another list.
  addInputRules: () => [
    new InputRule({
      find: BOX,
      handler: ({ state: { selection }, range, match: [, box = ''], chain }) => {
        const inTask = selection.$from.node(-1).type.name === 'taskItem'
        const cleared = chain().deleteRange(range)
        const converted = inTask ? cleared : cleared.toggleTaskList()
        return setChecked(converted, box.trim() !== '').run() ? undefined : null
      },
    }),
  ],
}).configure({
  nested: true,
  a11y: { checkboxLabel: nameOf },
})

/** Checklists, stored as contract/src/allowed-html.ts says. */
export const checklists = [TaskList.extend({ marks: 'section' }), taskItem]
