import {
  ALLOWED_ATTRIBUTES,
  IMAGE_ATTRIBUTES,
  LINK_ATTRIBUTES,
  LINK_SCHEMES,
} from '@kopilka/contract/allowed-html.ts'
import { closeHistory } from '@tiptap/pm/history'
import { DOMParser, DOMSerializer, type Node as ProseMirrorNode } from '@tiptap/pm/model'
import { Plugin } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import {
  type Attributes,
  type Editor,
  type ExtensionConfig,
  getSchema,
  Mark,
  Node,
  type NodeConfig,
  textblockTypeInputRule,
  wrappingInputRule,
} from '@tiptap/react'
import { StarterKit } from '@tiptap/starter-kit'
import { parseHtml } from '../lib/trusted-types.ts'
import { isAllowedImage, isAllowedLink } from './allowed-addresses.ts'
import { checklists } from './rich-text-checklists.ts'
import { codeKeys } from './rich-text-code.ts'
import { codeBlock } from './rich-text-code-block.ts'
import { emphasisRules } from './rich-text-emphasis.ts'
import { markdownLinks } from './rich-text-links.ts'
import { listKeys } from './rich-text-lists.ts'
import { pictureView } from './rich-text-pictures.ts'
import { quoteCommands } from './rich-text-quotes.ts'
import { section, withSections } from './rich-text-sections.ts'
import { tableArrows } from './rich-text-table-arrows.ts'
import { tableSelection } from './rich-text-table-selection.ts'
import { tableKeys } from './rich-text-tables.ts'
import { toolbarKeys } from './rich-text-toolbar-keys.ts'
import { emptyPicture } from './stored-image.ts'

/*
 * What the editor can hold: StarterKit and the rest of the contract's allow-list. The additions have no buttons; they are
 * here so that nothing a note holds, or someone pastes, is lost by opening it.
 */

const allowed: Readonly<Record<string, readonly string[] | undefined>> = ALLOWED_ATTRIBUTES

/** Attributes of the allow-list, kept as strings: TipTap would make '007' the number 7. */
const attributesNamed = (names: readonly string[]) =>
  Object.fromEntries(
    names.map((name) => [
      name,
      {
        default: null,
        parseHTML: (element: HTMLElement) =>
          allowed[element.localName]?.includes(name) ? element.getAttribute(name) : null,
      },
    ]),
  )

/** `style`: what means the same in the style of a pasted text. */
const inlineMark = (
  tag: string,
  { attributes = [], style }: { attributes?: readonly string[]; style?: string } = {},
) =>
  Mark.create({
    name: tag,
    addAttributes: () => attributesNamed(attributes),
    parseHTML: () => [{ tag }, ...(style === undefined ? [] : [{ style }])],
    renderHTML: ({ HTMLAttributes }) => [tag, HTMLAttributes, 0],
  })

const marks = [
  ...['small', 'mark', 'ins', 'cite', 'q', 'kbd', 'samp', 'var'].map((tag) => inlineMark(tag)),
  inlineMark('sub', { style: 'vertical-align=sub' }),
  inlineMark('sup', { style: 'vertical-align=super' }),
  inlineMark('abbr', { attributes: ALLOWED_ATTRIBUTES.abbr }),
]

const block = (name: string, tags: string[], content: string, attributes: string[] = [], group = '') =>
  Node.create({
    name,
    group,
    content,
    ...(!content.startsWith('inline') && { marks: section.name }),
    isolating: true,
    addAttributes: () => ({
      tag: {
        default: tags[0],
        parseHTML: (element) => element.nodeName.toLowerCase(),
        rendered: false,
      },
      ...attributesNamed(attributes),
    }),
    parseHTML: () => tags.map((tag) => ({ tag })),
    renderHTML: ({ node, HTMLAttributes }) => [String(node.attrs.tag), HTMLAttributes, 0],
  })

const blocks = [
  block('table', ['table'], 'caption? tableSection+', [], 'block'),
  block('caption', ['caption'], 'inline*'),
  block('tableSection', ['tbody', 'thead', 'tfoot'], 'tableRow*'),
  block('tableRow', ['tr'], 'tableCell*'),
  block('tableCell', ['td', 'th'], 'block+', ['colspan', 'rowspan', 'scope']),
  block('figure', ['figure'], '(block | figcaption)+', [], 'block'),
  block('figcaption', ['figcaption'], 'inline*'),
  block('definitions', ['dl'], '(term | definition)+', [], 'block'),
  block('term', ['dt'], 'inline*'),
  block('definition', ['dd'], 'block+'),
]

const image = Node.create({
  name: 'image',
  group: 'inline',
  inline: true,
  draggable: true,
  addAttributes: () => attributesNamed(ALLOWED_ATTRIBUTES.img),
  parseHTML: () => [
    { tag: 'img[src]', getAttrs: (element) => isAllowedImage(element.getAttribute('src')) && null },
  ],
  // Until the editor has its node views: nothing may load. What is saved has the picture itself (`serializer`).
  renderHTML: ({ HTMLAttributes: { width, height } }) => ['img', { src: emptyPicture(width, height) }],
  addNodeView: () => pictureView,
})

/** In place of StarterKit's own, which keep classes, the target of a pasted link and the numbering style of a list. */
const attributesOf: Readonly<Record<string, Attributes>> = {
  link: attributesNamed(ALLOWED_ATTRIBUTES.a),
  orderedList: {
    ...attributesNamed(ALLOWED_ATTRIBUTES.ol),
    // As the browser reads it: 1 where it is no number.
    start: { default: 1, parseHTML: (element) => (element as HTMLOListElement).start },
  },
}

const HEADINGS = [2, 3, 4] as const

/** Keys make the headings that the toolbar has, and one sign the highest of them; other levels stay where a text has them. */
const headingKeys: Partial<NodeConfig> = {
  addInputRules() {
    return HEADINGS.map((level) =>
      textblockTypeInputRule({
        find: new RegExp(`^#{${level === 2 ? 1 : level},${level}}\\s$`),
        type: this.type,
        getAttributes: { level },
      }),
    )
  },
  addKeyboardShortcuts() {
    return Object.fromEntries(
      HEADINGS.map((level) => [`Mod-Alt-${level}`, () => this.editor.commands.toggleHeading({ level })]),
    )
  },
}

const numberedLists: Partial<NodeConfig> = {
  addInputRules() {
    // TipTap's own rule accepts only a period after the number.
    const find = /^(\d+)[.)]\s$/
    return [
      wrappingInputRule({
        find,
        type: this.type,
        getAttributes: ([, number]) => ({ start: Number(number) }),
        joinPredicate: ([, number], { attrs, childCount }) => attrs.start + childCount === Number(number),
      }),
    ]
  },
  // Its only plugin makes a list of any pasted line with a number: pasted-text.ts decides what is one.
  addProseMirrorPlugins: () => [],
}

/**
 * Ends the group of changes that one undo takes back, before something is cut, pasted or dropped: the history joins changes that follow
 * one another within half a second.
 */
const closeUndoGroup = (view: EditorView): void => view.dispatch(closeHistory(view.state.tr))

const undoGroups: Partial<ExtensionConfig> = {
  addProseMirrorPlugins() {
    const closing = new Plugin({
      props: { handleDOMEvents: { cut: closeUndoGroup, paste: closeUndoGroup, drop: closeUndoGroup } },
    })
    return [...(this.parent?.() ?? []), closing]
  },
}

/** Nodes of the starter kit that take the mark of sections on the blocks in them, which may come from a section. */
const HOLD_BLOCKS: ReadonlySet<string> = new Set([
  'doc',
  'blockquote',
  'bulletList',
  'orderedList',
  'listItem',
])

const starterKit = StarterKit.extend({
  addExtensions() {
    return (this.parent?.() ?? []).map((part) => {
      if (part.name === 'heading') return part.extend(headingKeys)
      if (part.name === 'undoRedo') return part.extend(undoGroups)
      const emphasis = emphasisRules(part.name)
      if (emphasis) return part.extend(emphasis)
      const attributes = attributesOf[part.name]
      let own = attributes ? part.extend({ addAttributes: () => attributes }) : part
      if (part.name === 'blockquote') own = own.extend(quoteCommands)
      if (part.name === 'orderedList') own = own.extend(numberedLists)
      return HOLD_BLOCKS.has(part.name) ? own.extend({ marks: section.name }) : own
    })
  },
}).configure({
  // It would append an empty paragraph to the stored text.
  trailingNode: false,
  codeBlock: false,
  link: {
    openOnClick: false,
    defaultProtocol: 'https',
    protocols: [...LINK_SCHEMES],
    HTMLAttributes: LINK_ATTRIBUTES,
    isAllowedUri: (href) => isAllowedLink(href),
  },
})

export const extensions = [
  starterKit,
  section,
  codeBlock,
  ...checklists,
  markdownLinks,
  image,
  ...marks,
  ...blocks,
  tableKeys,
  // TipTap asks what stands later first: after all that has rules for what is typed.
  tableSelection,
  tableArrows,
  listKeys,
  codeKeys,
  toolbarKeys,
]

const schema = getSchema(extensions)

/** HTML as a document of an editor: TipTap would parse it without a policy of the page (lib/trusted-types.ts). */
export const toDoc = (html: string, { schema }: Editor): ProseMirrorNode =>
  withSections(DOMParser.fromSchema(schema).parse(parseHtml(html).body))

const { section: _section, ...savedMarks } = DOMSerializer.marksFromSchema(schema)

/** Writes HTML to save or to copy, without sections. In the page the pictures that it makes would load. */
export const serializer = new DOMSerializer(
  {
    ...DOMSerializer.nodesFromSchema(schema),
    image: ({ attrs }) => ['img', { ...attrs, ...IMAGE_ATTRIBUTES }],
  },
  savedMarks,
)

const page = document.implementation.createHTMLDocument()
/** The HTML of blocks by now: a key changes one block of a long text. */
const written = new WeakMap<ProseMirrorNode, string>()
/** A long table is one block: of it a key changes one row. */
const WRITTEN_IN_PARTS: ReadonlySet<string> = new Set(['table', 'tableSection'])

function blockToHtml(block: ProseMirrorNode): string {
  const known = written.get(block)
  if (known !== undefined) return known
  const inParts = WRITTEN_IN_PARTS.has(block.type.name)
  const node = inParts ? block.type.create(block.attrs) : block
  page.body.replaceChildren(serializer.serializeNode(node, { document: page }))
  let html = page.body.innerHTML
  if (inParts) {
    const end = html.lastIndexOf('</')
    html = html.slice(0, end) + block.children.map(blockToHtml).join('') + html.slice(end)
  }
  written.set(block, html)
  return html
}

/** A document of the editor as HTML. */
export const toHtml = (doc: ProseMirrorNode): string => doc.children.map(blockToHtml).join('')
