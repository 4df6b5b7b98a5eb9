import { LANGUAGE_CLASS } from '@kopilka/contract/allowed-html.ts'
import { CodeBlock } from '@tiptap/extension-code-block'
import type { Node as ProseMirrorNode } from '@tiptap/pm/model'
import type { Transaction } from '@tiptap/pm/state'
import { type NodeViewRenderer, textblockTypeInputRule } from '@tiptap/react'
import { t } from '../messages/editor-messages.ts'
import { LANGUAGES, languageId } from './code-languages.ts'
import { codeHighlights } from './rich-text-code-highlights.ts'
import classes from './rich-text-field.module.css'

/** Three backticks or tildes typed at the beginning of a line, with the name of a language perhaps. */
const FENCE = /^(?:```|~~~)([\w+#.-]{1,40})?[\s\n]$/

type Choice = readonly [value: string, label: string, aliases?: string]

/** The items of a block's menu; a language that is not among ours is one of its own. */
function choicesFor(language: string): Choice[] {
  const others: Choice[] = language === '' || languageId(language) ? [] : [[language, language]]
  return [['', t('editor.codeBlock.plain')], ...others, ...LANGUAGES]
}

/** A code block with the menu of its language. */
const codeBlockView: NodeViewRenderer = ({ node, view, getPos }) => {
  const dom = document.createElement('div')
  const pre = dom.appendChild(document.createElement('pre'))
  const contentDOM = pre.appendChild(document.createElement('code'))
  const menu = dom.appendChild(document.createElement('select'))
  dom.className = classes.codeBlock ?? ''
  menu.className = classes.codeLanguage ?? ''
  menu.contentEditable = 'false'
  menu.ariaLabel = t('editor.codeBlock.language')

  const offer = (choices: readonly Choice[]) =>
    menu.replaceChildren(...choices.map(([value, label]) => new Option(label, value)))
  let shown: string | undefined
  const show = (name: unknown) => {
    const language = typeof name === 'string' ? name : ''
    if (language === shown) return
    shown = language
    const chosen = languageId(language) ?? language
    // The others come when the menu is opened: a long note may have thousands of blocks.
    offer(choicesFor(language).filter(([value]) => value === chosen))
  }
  const fill = () => {
    if (menu.length > 1) return
    const { value } = menu
    offer(choicesFor(shown ?? ''))
    menu.value = value
  }
  show(node.attrs.language)
  menu.addEventListener('pointerdown', fill)
  menu.addEventListener('focus', fill)
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    view.focus()
  })
  menu.addEventListener('change', () => {
    const at = getPos()
    if (at === undefined) return
    view.dispatch(view.state.tr.setNodeAttribute(at, 'language', menu.value || null))
    view.focus()
  })
  return {
    dom,
    contentDOM,
    update: (next) => {
      if (next.type !== node.type) return false
      show(next.attrs.language)
      return true
    },
    stopEvent: ({ target }) => target === menu,
    ignoreMutation: ({ type, target }) => type !== 'selection' && !contentDOM.contains(target),
  }
}

/** Makes one block of the selected blocks of code that follow each other. */
function joinSelectedCode(tr: Transaction): void {
  const { from, to } = tr.selection
  const runs: { pos: number; end: number; blocks: ProseMirrorNode[] }[] = []
  tr.doc.nodesBetween(from, to, (node, pos) => {
    if (!node.type.spec.code) return !node.isTextblock
    const [run] = runs
    const end = pos + node.nodeSize
    if (run?.end === pos) {
      run.blocks.push(node)
      run.end = end
    } else runs.unshift({ pos, end, blocks: [node] })
    return false
  })
  for (const { pos, end, blocks } of runs) {
    const last = blocks.pop()
    const [first, ...others] = blocks
    if (!first || !last) continue
    // In one step, from within the first to within the last, where the selection may end: each step copies all blocks.
    const lines = ['', ...others.map(({ textContent }) => textContent), '']
    tr.replaceWith(
      pos + first.nodeSize - 1,
      end - last.nodeSize + 1,
      tr.doc.type.schema.text(lines.join('\n')),
    )
  }
}

/** Whether several lines are selected and some of them are items of a list, which cannot begin with code. */
const areLinesOfLists = ({ doc, selection: { from, to } }: Transaction): boolean => {
  let lines = 0
  let hasItems = false
  doc.nodesBetween(from, to, ({ type }) => {
    lines += Number(type.isTextblock)
    hasItems ||= /Item$/.test(type.name)
  })
  return hasItems && lines > 1
}

/** Code blocks, stored as contract/src/allowed-html.ts says: with the name of a language, which is highlighted. */
export const codeBlock = CodeBlock.extend({
  addAttributes: () => ({
    language: {
      default: null,
      parseHTML: (element) =>
        LANGUAGE_CLASS.exec(element.querySelector(':scope > code')?.className ?? '')?.[1] ?? null,
      rendered: false,
    },
  }),
  addInputRules() {
    return [
      textblockTypeInputRule({
        find: FENCE,
        type: this.type,
        getAttributes: ([, language]) => ({ language: language ?? null }),
      }),
    ]
  },
  addCommands() {
    return {
      ...this.parent?.(),
      // TipTap's own makes a block of each line, and leaves those of lists where others are selected as well.
      toggleCodeBlock:
        (attributes) =>
        ({ chain, tr, editor }) => {
          const cleared = !editor.isActive(this.name) && areLinesOfLists(tr) ? chain().clearNodes() : chain()
          return cleared
            .toggleNode(this.name, 'paragraph', attributes)
            .command(({ tr }) => {
              joinSelectedCode(tr)
              return true
            })
            .run()
        },
    }
  },
  addNodeView: () => codeBlockView,
  addProseMirrorPlugins() {
    return [...(this.parent?.() ?? []), codeHighlights()]
  },
})
