import { IMAGE_ATTRIBUTES, LINK_SCHEMES } from '@kopilka/contract/allowed-html.ts'
import { Mark, mergeAttributes, Node } from '@tiptap/react'
import { StarterKit } from '@tiptap/starter-kit'

/*
 * What the editor can hold: StarterKit and the rest of the contract's allow-list. The additions have no buttons; they are
 * here so that nothing a note holds, or someone pastes, is lost by opening it.
 */

const inlineMark = (tag: string, attributes: string[] = []) =>
  Mark.create({
    name: tag,
    addAttributes: () => Object.fromEntries(attributes.map((name) => [name, { default: null }])),
    parseHTML: () => [{ tag }],
    renderHTML: ({ HTMLAttributes }) => [tag, HTMLAttributes, 0],
  })

const marks = [
  ...['sub', 'sup', 'small', 'mark', 'ins', 'cite', 'q', 'kbd', 'samp', 'var'].map((tag) => inlineMark(tag)),
  inlineMark('abbr', ['title']),
]

const block = (name: string, tags: string[], content: string, attributes: string[] = [], group = '') =>
  Node.create({
    name,
    group,
    content,
    isolating: true,
    addAttributes: () => ({
      tag: {
        default: tags[0],
        parseHTML: (element) => element.nodeName.toLowerCase(),
        rendered: false,
      },
      ...Object.fromEntries(attributes.map((attribute) => [attribute, { default: null }])),
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
  addAttributes: () =>
    Object.fromEntries(['src', 'alt', 'title', 'width', 'height'].map((name) => [name, { default: null }])),
  parseHTML: () => [{ tag: 'img[src]' }],
  renderHTML: ({ HTMLAttributes }) => ['img', mergeAttributes(HTMLAttributes, IMAGE_ATTRIBUTES)],
})

const linkScheme = new RegExp(`^(?:${LINK_SCHEMES.join('|')}):`, 'i')
export const isAllowedLink = (href: string): boolean => linkScheme.test(href)

const starterKit = StarterKit.configure({
  // It would add an empty paragraph to the end of what is stored.
  trailingNode: false,
  link: {
    openOnClick: false,
    defaultProtocol: 'https',
    protocols: [...LINK_SCHEMES],
    isAllowedUri: (href) => isAllowedLink(href),
  },
})

export const extensions = [starterKit, image, ...marks, ...blocks]
