import { escapeHtml } from '@kopilka/text/escape-html.ts'
import { codeBlock } from './text-body.ts'
import { type Fields, fieldsOf, listOf, textOf } from './values.ts'

/** A document of the editor Lexical as HTML, which is not cleaned yet. */
export interface LexicalDocument {
  readonly html: string
  /** Files and pictures that it shows. */
  readonly attachments: number
}

/** Deeper than any editor nests, nothing is read. */
const MAX_DEPTH = 100

/** Elements by the bits of a text's format. */
const FORMATS = [
  [1, 'strong'],
  [2, 'em'],
  [4, 's'],
  [8, 'u'],
  [16, 'code'],
  [32, 'sub'],
  [64, 'sup'],
  [128, 'mark'],
] as const

const ELEMENTS: Readonly<Record<string, string>> = {
  paragraph: 'p',
  quote: 'blockquote',
  table: 'table',
  tablerow: 'tr',
  'collapsible-title': 'p',
}

const ATTACHMENTS = new Set(['snfile', 'unencrypted-image', 'inline-file', 'image'])

/** Reads the JSON that the editor saves; undefined where a text is none. */
export function readLexical(text: string): LexicalDocument | undefined {
  const root = rootOf(text)
  if (root === undefined) return undefined
  let attachments = 0

  function htmlOf(node: Fields, depth: number): string {
    const { type, children, url, tag, format } = node
    const kind = textOf(type)
    if (kind === 'text' || kind === 'code-highlight') return textHtml(textOf(node.text), Number(format ?? 0))
    if (kind === 'linebreak') return '<br />'
    if (kind === 'tab') return '\t'
    if (kind === 'horizontalrule') return '<hr />'
    if (ATTACHMENTS.has(kind)) attachments += 1
    if (depth > MAX_DEPTH) return ''
    const nodes = listOf(children).map(fieldsOf)
    if (kind === 'code') return codeBlock(codeText(nodes), textOf(node.language))
    if (kind === 'list') return listHtml(node, nodes, depth)
    const inner = nodes.map((child) => htmlOf(child, depth + 1)).join('')
    if (kind === 'link' || kind === 'autolink') return `<a href="${escapeHtml(textOf(url))}">${inner}</a>`
    if (kind === 'heading') return element(/^h[1-6]$/.test(textOf(tag)) ? textOf(tag) : 'h2', inner)
    if (kind === 'tablecell') return element(Number(node.headerState ?? 0) > 0 ? 'th' : 'td', inner)
    const name = ELEMENTS[kind]
    if (name !== undefined) return element(name, inner)
    // What has no children and is unknown shows something else, such as a film.
    if (!Array.isArray(children) && !ATTACHMENTS.has(kind)) attachments += 1
    return inner
  }

  /** A list within a list is an item of its own in Lexical, behind the one that it belongs to. */
  function listHtml({ listType }: Fields, nodes: readonly Fields[], depth: number): string {
    const isChecklist = listType === 'check' || nodes.some(({ checked }) => typeof checked === 'boolean')
    const items: { attribute: string; inner: string }[] = []
    for (const { children, checked } of nodes) {
      const parts = listOf(children).map(fieldsOf)
      const inner = parts.map((part) => htmlOf(part, depth + 1)).join('')
      const last = items.at(-1)
      if (last && parts.length > 0 && parts.every(({ type }) => type === 'list')) last.inner += inner
      else items.push({ attribute: isChecklist ? ` data-checked="${checked === true}"` : '', inner })
    }
    const html = items.map(({ attribute, inner }) => `<li${attribute}>${inner}</li>`).join('')
    if (isChecklist) return `<ul data-type="taskList">${html}</ul>`
    return element(listType === 'number' ? 'ol' : 'ul', html)
  }

  const html = htmlOf(root, 0)
  return { html, attachments }
}

function rootOf(text: string): Fields | undefined {
  try {
    const root = fieldsOf(fieldsOf(JSON.parse(text)).root)
    return Array.isArray(root.children) ? root : undefined
  } catch {
    return undefined
  }
}

const element = (name: string, inner: string): string => `<${name}>${inner}</${name}>`

function textHtml(text: string, format: number): string {
  let html = escapeHtml(text).replaceAll('\n', '<br />')
  for (const [bit, name] of FORMATS) if ((format & bit) !== 0) html = element(name, html)
  return html
}

/** Lines are nodes of their own. */
const codeText = (nodes: readonly Fields[]): string =>
  nodes
    .map((node) => (node.type === 'linebreak' ? '\n' : node.type === 'tab' ? '\t' : textOf(node.text)))
    .join('')
