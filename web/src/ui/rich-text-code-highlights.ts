import type { Node as ProseMirrorNode } from '@tiptap/pm/model'
import { Plugin, PluginKey } from '@tiptap/pm/state'
import { Decoration, DecorationSet, type EditorView } from '@tiptap/pm/view'
import type { Token } from './code-highlighting.ts'

/** Code is highlighted in a pause of typing: until then new characters have the colour of those around them. */
const HIGHLIGHT_AFTER_MS = 300

/** Characters of a block that is highlighted here: with more coloured pieces each key in it would take longer to be drawn. */
const LONGEST = 10_000

/** Fires at a section that comes into sight or goes out of it. */
const SIGHT = 'contentvisibilityautostatechange'

const key = new PluginKey<DecorationSet>('codeHighlights')

interface CodeBlock {
  readonly node: ProseMirrorNode
  /** Where its code begins. */
  readonly start: number
  readonly code: string
  readonly language: string
}

/** Whether a block is laid out: in a section that is out of sight it is not (rich-text-sections.ts). */
const isLaidOut = (dom: Node | null): boolean =>
  dom instanceof Element && dom.checkVisibility({ contentVisibilityAuto: true })

/** The code blocks of a view that name a language and are laid out. */
function codeBlocksIn(view: EditorView): CodeBlock[] {
  const blocks: CodeBlock[] = []
  view.state.doc.descendants((node, pos) => {
    const { language } = node.attrs
    if (node.type.spec.code && typeof language === 'string' && isLaidOut(view.nodeDOM(pos)))
      blocks.push({ node, start: pos + 1, code: node.textContent, language })
    return !node.isTextblock
  })
  return blocks
}

/**
 * Highlights the code blocks of a view whenever its text rests, and those that come into sight: with each key ProseMirror looks
 * through all that are highlighted. Where the highlighting does not load, code stays plain.
 */
function highlightIn(view: EditorView) {
  const tokens = new WeakMap<ProseMirrorNode, readonly Token[]>()
  let shown: readonly ProseMirrorNode[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  const highlight = async (): Promise<void> => {
    const { doc } = view.state
    const all = codeBlocksIn(view)
    // A block that has become something else keeps its colours until they are redrawn.
    if (all.length === 0 && shown.length === 0) return
    const { highlighted, tokensOf } = await import('./code-highlighting.ts')
    const blocks = highlighted(all, LONGEST)
    if (blocks.length === shown.length && blocks.every(({ node }, at) => node === shown[at])) return
    for (const { node, code, language } of blocks)
      if (!tokens.has(node)) tokens.set(node, await tokensOf(code, language))
    // Changed meanwhile: the next pause highlights it.
    if (view.isDestroyed || view.state.doc !== doc) return
    if (view.composing) return plan()
    shown = blocks.map(({ node }) => node)
    const decorations = blocks.flatMap(({ node, start }) =>
      (tokens.get(node) ?? []).map(({ from, to, className }) =>
        Decoration.inline(start + from, start + to, { class: className }),
      ),
    )
    view.dispatch(view.state.tr.setMeta(key, DecorationSet.create(doc, decorations)))
  }
  const plan = (after = HIGHLIGHT_AFTER_MS) => {
    clearTimeout(timer)
    timer = setTimeout(() => void highlight().catch(() => undefined), after)
  }
  const onSight = () => plan(0)
  view.dom.addEventListener(SIGHT, onSight, { capture: true })
  plan()
  return {
    update: (_: EditorView, { doc }: { doc: ProseMirrorNode }) => {
      if (doc !== view.state.doc) plan()
    },
    destroy: () => {
      clearTimeout(timer)
      view.dom.removeEventListener(SIGHT, onSight, { capture: true })
    },
  }
}

/** A plugin that highlights code blocks. */
export const codeHighlights = () =>
  new Plugin<DecorationSet>({
    key,
    state: {
      init: () => DecorationSet.empty,
      apply: (tr, decorations) => tr.getMeta(key) ?? decorations.map(tr.mapping, tr.doc),
    },
    props: { decorations: (state) => key.getState(state) },
    view: highlightIn,
  })
