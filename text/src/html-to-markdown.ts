import Turndown from 'turndown'

/** What the browser's elements and those of the server's parser have. */
interface Element {
  readonly nodeName: string
  readonly nextSibling: unknown
  readonly previousSibling: unknown
  readonly firstChild: unknown
  /** Set by Turndown. */
  readonly isBlock?: boolean
  readonly isBlank?: boolean
  readonly outerHTML: string
  hasAttribute(name: string): boolean
  getAttribute(name: string): string | null
}

const isTask = (node: Element): boolean => node.nodeName === 'LI' && node.hasAttribute('data-checked')

/** Blocks that begin with a sign of their own, which behind a box would be text. */
const SIGNED_BLOCK = /^(?:UL|OL|PRE|BLOCKQUOTE|H\d|HR|TABLE)$/

/** Elements whose content is written as if they were not there. */
const UNSIGNED = /^(?:DIV|DL|DT|DD)$/

/** What an element begins with in Markdown; undefined where nothing is written of it. */
function firstWritten({ firstChild }: Element): Element | undefined {
  for (let child = firstChild as Element | null; child; child = child.nextSibling as Element | null) {
    const first = UNSIGNED.test(child.nodeName) ? firstWritten(child) : child
    if (first && (!first.isBlank || first.nodeName === 'UL')) return first
  }
  return undefined
}

/** Whether what a task begins with in Markdown is such a block. */
const beginsWithSign = (node: Element): boolean => SIGNED_BLOCK.test(firstWritten(node)?.nodeName ?? '')

const task = (content: string, node: Element): string => {
  const box = node.getAttribute('data-checked') === 'true' ? 'x' : ' '
  const text = content.replace(/^\n+|\n+$/g, '').replaceAll('\n', '\n    ')
  const between = text && beginsWithSign(node) ? '\n\n    ' : ' '
  return `-   [${box}]${between}${text}${node.nextSibling ? '\n' : ''}`
}

/** What stands before an element in Markdown: blank elements are left out, except checklists. */
function writtenBefore(node: Element): Element | null {
  let before = node.previousSibling as Element | null
  while (before?.isBlank && before.getAttribute('data-type') !== 'taskList')
    before = before.previousSibling as Element | null
  return before
}

/** Lists with the other sign, which keeps each apart from the one before. */
const others = new WeakSet<object>()

function list(content: string, node: Turndown.Node & Element): string {
  let items = content
  const before = writtenBefore(node)
  if (before && before.nodeName === node.nodeName && !others.has(before)) {
    others.add(node)
    // What is not the sign of an item is indented.
    items = content.replace(/^-/gm, '+').replace(/^(\d+)\./gm, '$1)')
  }
  const { parentNode } = node
  return parentNode?.nodeName === 'LI' && parentNode.lastChild === node ? `\n${items}` : `\n\n${items}\n\n`
}

const turndown = new Turndown({
  headingStyle: 'atx',
  codeBlockStyle: 'fenced',
  bulletListMarker: '-',
  // Elements without text are left out, except tasks.
  blankReplacement: (content, node: Turndown.Node & Element) => {
    if (isTask(node)) return task(content.trim(), node)
    if (node.nodeName === 'UL') return list(content, node)
    return node.isBlock ? `\n\n${content}\n\n` : ''
  },
}).addRule('list', { filter: ['ul', 'ol'], replacement: list })

interface TargetRule {
  replacement(content: string, node: Pick<Element, 'getAttribute'>): string
}

/** Turndown's own rules, which its types lack. */
const { inlineLink, image } = (
  turndown.options as Turndown.Options & { rules: Record<'inlineLink' | 'image', TargetRule> }
).rules

/** Such a rule forgets that backslashes and character references mean something in addresses and titles. */
const withTarget = (rule: TargetRule, content: string, node: Element): string =>
  rule.replacement(content, {
    getAttribute: (name) => {
      const value = node.getAttribute(name) ?? ''
      return name === 'alt' ? value : value.replace(/\\|&(?=#?\w{1,31};)/g, '\\$&')
    },
  })

/** Stands before each link until an exclamation mark before it, which would make it a picture, is escaped. */
const LINK_MARK = '\0\0'
const CODE: ReadonlySet<string> = new Set(['CODE'])

/** Whether an element is within another of these names and in the same block; a block has as many elements as it likes. */
function isWithin(names: ReadonlySet<string>, { parentElement }: Turndown.Node): boolean {
  let parent = parentElement as (Element & Turndown.Node) | null
  while (parent && !parent.isBlock && !names.has(parent.nodeName))
    parent = parent.parentElement as (Element & Turndown.Node) | null
  return parent !== null && names.has(parent.nodeName)
}

/** Elements written between signs, which within themselves would mean something else, and beside white space nothing. */
const inSigns = (sign: string, filter: ('s' | 'del' | 'strong' | 'b' | 'em' | 'i')[]): Turndown.Rule => {
  const names = new Set(filter.map((name) => name.toUpperCase()))
  return {
    filter,
    replacement: (content, node) => {
      const text = content.trim()
      if (text === '' || isWithin(names, node as Turndown.Node)) return content
      const at = content.indexOf(text)
      // Three tildes would be no signs, four might begin a block of code.
      const inner = sign === '~~' ? text.replace(/^~/, '\\~') : text
      return `${content.slice(0, at)}${sign}${inner}${sign}${content.slice(at + text.length)}`
    },
  }
}

turndown
  // Markdown shows HTML as it is: what it has no signs for stays.
  .keep(['table', 'details', 'figure'])
  // In a line it reads the text of an element like all others. One with blocks or empty lines, which would end there, stays as it is.
  .addRule('inline', {
    filter: ['sub', 'sup', 'u', 'mark', 'ins', 'kbd'],
    replacement: (content, node: Turndown.Node & Element) => {
      const name = node.nodeName.toLowerCase()
      return /\n[ \t]*\n|^[ \t]*\n/.test(content) ? node.outerHTML : `<${name}>${content}</${name}>`
    },
  })
  .addRule('strikethrough', inSigns('~~', ['s', 'del']))
  .addRule('strong', inSigns('**', ['strong', 'b']))
  .addRule('emphasis', inSigns('*', ['em', 'i']))
  .addRule('task', { filter: isTask, replacement: task })
  .addRule('link', {
    filter: (node) => node.nodeName === 'A' && node.hasAttribute('href'),
    // No link can be in another.
    replacement: (content, node: Turndown.Node & Element) => {
      const text = content.replace(MARKED, (_, address: string, end?: string) =>
        // Readers that look for addresses first would take the backslash of a bracket behind it.
        end === undefined ? escapeText(address).replace('://', '\\$&') : escapeText(address),
      )
      return (isWithin(CODE, node) ? '' : LINK_MARK) + withTarget(inlineLink, text, node)
    },
  })
  .addRule('image', {
    filter: 'img',
    replacement: (content, node: Turndown.Node & Element) => withTarget(image, content, node),
  })
  .addRule('table', { filter: isPlainTable, replacement: (rows) => `\n\n${rows.trim()}\n\n` })
  .addRule('row', {
    filter: 'tr',
    replacement: (cells, row) => {
      // To look for the first row in the table would read all of it, for every row.
      const isOfFirst = row.parentNode?.nodeName === 'TABLE' || !row.parentElement?.previousElementSibling
      const isFirst = !row.previousElementSibling && isOfFirst
      return `${cells}|\n${isFirst ? `${'| --- '.repeat(row.children.length)}|\n` : ''}`
    },
  })
  .addRule('cell', {
    filter: ['td', 'th'],
    replacement: (text) =>
      `| ${text
        .trim()
        .replaceAll('|', '\\|')
        .replace(/\s*\n\s*/g, '<br>')} `,
  })
  .addRule('section', { filter: ['thead', 'tbody', 'tfoot'], replacement: (rows) => rows })

/**
 * A link or an embedded file of Obsidian, `[[Note|name]]`, and the kind of a callout, `[!note]`, escaped. Markdown has no
 * meaning for them where nothing follows that makes them a link, and their words have no signs.
 */
const OBSIDIAN_LINK = /\\\[\\\[((?:[^[\]\\\n]|(?<=[\p{L}\d])\\_(?=[\p{L}\d]))+)\\\]\\\](?![([:])/gu
const CALLOUT = /^\\\[(![a-z]+)\\\](?![([:])/i

/** Addresses in text, which readers make links of, without the punctuation behind them. */
const ADDRESS =
  /((?<![a-z\d+])(?:https?|ftp):\/\/(?:[^\s<>"«»()[\]]|\([^\s<>()]*\)|\[[^\s<>[\]]*\])+(?<![.,:;!?'*`\\…])|(?<![\w.+-])[\w.+-]+@[a-z\d-]+(?:\.[a-z\d-]+)+(?<!-)(?!\w))/i
/** Signs in an address that may mean something; an underscore within a word does not. */
const SIGNS = /[\\*`[\]|{}']|~~|&#?\w{1,31};|(?<![\p{L}\d])_|_(?![\p{L}\d])/u

/** Stands on both sides of an address until what follows it is known. No text has it: HTML cannot hold it. */
const MARK = '\0'
/** An address in marks. The second group is there if the address ends for every reader where it does. */
const MARKED = /\0([^\0]*)\0(?=((?:\)?[.,;!?]?|\*+)(?:\s|$))|)/g

const escapeSigns = turndown.escape
/**
 * Turndown escapes the signs of CommonMark alone: what reads as an element, a character reference or a strike is text as well, and so
 * is a tilde that ends a text, behind which a strike may begin or end.
 */
const escapeText = (text: string): string =>
  escapeSigns(text).replace(/<(?=[a-z/!?])|&(?=#?\w{1,31};)|(?<=~)~|~$/gi, '\\$&')

/** Signs of lists that Turndown forgets: '1)', and '1.' and '+' with nothing behind them. */
const SIGN_OF_LIST = /^\s*(?:\d{1,9}(?=\)(?:\s|$)|\.$)|(?=\+$))/

/** Signs of headings that Turndown forgets: those with nothing behind them begin an empty heading, or end one unseen. */
const SIGN_OF_HEADING = /(?<!\S)#+$/

/** The line below the headings of a table, if it does not begin with a hyphen, which Turndown escapes. */
const LINE_OF_TABLE = /^[|:](?=[\s|:-]+$)/

/** An address is not escaped: readers would take the backslashes for a part of it, and signs behind it as well. */
const writtenAddress = (_: string, address: string, end?: string): string =>
  end === undefined || SIGNS.test(address) ? `<${address}>` : address

turndown.escape = (text) =>
  text
    .split(ADDRESS)
    .map((part, at) => (at % 2 === 0 ? escapeText(part) : MARK + part + MARK))
    .join('')
    .replace(SIGN_OF_LIST, '$&\\')
    .replace(SIGN_OF_HEADING, '\\$&')
    .replace(LINE_OF_TABLE, '\\$&')
    .replace(OBSIDIAN_LINK, (_, inner: string) => `[[${inner.replaceAll('\\_', '_')}]]`)
    .replace(CALLOUT, '[$1]')

/** Elements that a cell of Markdown cannot hold. */
const BLOCKS =
  'caption, [colspan], [rowspan], table, ul, ol, dl, pre, blockquote, figure, hr, h1, h2, h3, h4, h5, h6'

/** Whether Markdown has signs for a table: it begins with a row of headings, and no cell holds a block. */
function isPlainTable(node: Turndown.Node): boolean {
  if (node.nodeName !== 'TABLE' || node.querySelector(BLOCKS)) return false
  if (
    Array.from<{ childElementCount: number }>(node.children).some(
      ({ childElementCount }) => childElementCount === 0,
    )
  )
    return false
  // Not to be spread: on the server it is no iterable.
  const cells = Array.from<{ nodeName: string }>(node.querySelector('tr')?.children ?? [])
  return cells.length > 0 && cells.every(({ nodeName }) => nodeName === 'TH')
}

/** Longer HTML may stay HTML, which is Markdown too: turning it would take seconds. */
export const MAX_TURNED = 200_000

/**
 * Clean HTML as Markdown; what that has no signs for stays HTML. Takes seconds for some 500,000 characters. In the browser
 * the HTML is given as nodes: the page lets no string become HTML (web/src/lib/trusted-types.ts).
 */
export const htmlToMarkdown = (html: string | Turndown.Node): string =>
  turndown
    .turndown(html)
    .replaceAll(`!${LINK_MARK}`, '\\!')
    .replaceAll(LINK_MARK, '')
    .replace(MARKED, writtenAddress)
