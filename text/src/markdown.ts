import MarkdownIt, { type StateCore, type Token } from 'markdown-it'

/** The Cyrillic х looks the same. */
const BOX = /^\[([ xXхХ])\](?:\s+|$)/

interface Item {
  readonly open: Token
  /** The text that it begins with; undefined where it begins with something else. */
  readonly text: Token | undefined
  readonly isTask: boolean
}

type TokenClass = new (type: string, tag: string, nesting: 1) => Token

interface List {
  readonly open: Token
  readonly items: Item[]
}

function markTask({ open, text }: Item): void {
  const [first] = text?.children ?? []
  const [, box] = BOX.exec(text?.content ?? '') ?? []
  open.attrSet('data-checked', String(box !== ' '))
  if (text) text.content = text.content.replace(BOX, '')
  if (first) first.content = first.content.replace(BOX, '')
}

/**
 * Makes checklists (contract/src/allowed-html.ts) of the items of a list that begin with a box: in a numbered list only if all
 * do. Returns items before which the list ends and the given one begins.
 */
function markTasks({ open, items }: List, close: Token, Token: TokenClass): (readonly [Item, Token])[] {
  const areAll = items.every(({ isTask }) => isTask)
  if (!areAll && open.type === 'ordered_list_open') return []
  const started: (readonly [Item, Token])[] = []
  let list = open
  for (const [at, item] of items.entries()) {
    if (at > 0 && items[at - 1]?.isTask !== item.isTask) {
      list = new Token(open.type, 'ul', 1)
      list.block = true
      started.push([item, list])
    }
    if (!item.isTask) continue
    list.tag = 'ul'
    list.attrs = [['data-type', 'taskList']]
    markTask(item)
  }
  if (areAll) close.tag = 'ul'
  return started
}

function markChecklists(state: StateCore): void {
  const { tokens } = state
  const open: List[] = []
  /** Tokens by the one that they come before. */
  const added = new Map<Token, Token[]>()
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'bullet_list_open' || token.type === 'ordered_list_open')
      open.push({ open: token, items: [] })
    else if (token.type === 'list_item_open') {
      const text = tokens[at + 1]?.type === 'paragraph_open' ? tokens[at + 2] : undefined
      open.at(-1)?.items.push({ open: token, text, isTask: BOX.test(text?.content ?? '') })
    } else if (token.type === 'bullet_list_close' || token.type === 'ordered_list_close') {
      const ended = open.pop()
      if (!ended) continue
      for (const [item, list] of markTasks(ended, token, state.Token)) added.set(item.open, [token, list])
    }
  }
  if (added.size > 0) state.tokens = tokens.flatMap((token) => [...(added.get(token) ?? []), token])
}

/** Definitions of links that something uses. */
const used = new WeakSet<Token>()

/**
 * Notes which definitions are used: markdown-it reads `href` only where it resolves a reference. Footnotes are no links, though
 * `[^1]: word` is read as the address of one.
 */
function watchDefinitions({ tokens, env: { references = {} } }: StateCore): void {
  const watched = new Set<string>()
  for (const token of tokens) {
    const label = String(token.meta?.label)
    if (token.type !== 'reference_definition' || watched.has(label)) continue
    watched.add(label)
    const { title = '', href = '' } = references[label] ?? {}
    if (label.startsWith('^')) delete references[label]
    else
      references[label] = {
        title,
        get href() {
          used.add(token)
          return href
        },
      }
  }
}

/** Definitions of links that are nowhere, and footnotes, are lines of text; comments stay as hidden tokens. */
function showDefinitions(state: StateCore): void {
  const lines = state.src.split('\n')
  state.tokens = state.tokens.flatMap((token) => {
    const { type, meta, map } = token
    if (type !== 'reference_definition') return [token]
    if (used.has(token)) return []
    const written = lines.slice(...(map ?? [])).join('\n')
    const text = written.slice(written.indexOf('[')).replace(/\n[\s>]*/g, '\n')
    if (COMMENT.test(text)) return [token]
    const parts = [
      new state.Token('paragraph_open', 'p', 1),
      new state.Token('inline', '', 0),
      new state.Token('paragraph_close', 'p', -1),
    ] as const
    for (const part of parts) Object.assign(part, { meta, block: true })
    parts[1].children = []
    state.md.inline.parse(`\\${text}`, state.md, state.env, parts[1].children)
    return parts
  })
}

/** `[//]: # (words)`, a definition that leads nowhere. */
const COMMENT = /^\[[^\]]*\]:\s*(?:#|<>)(?!\S)/

function createParser(options: { html?: boolean; breaks?: boolean }) {
  const parser = new MarkdownIt({ linkify: true, ...options })
  // The text of a bare address is what was written.
  parser.normalizeLinkText = (address) => address
  parser.core.ruler.at('strip_references', watchDefinitions)
  parser.core.ruler.after('inline', 'checklists', markChecklists)
  parser.core.ruler.after('inline', 'definitions', showDefinitions)
  return parser
}

/**
 * CommonMark with tables, strikethrough, checklists and links of bare addresses. Line breaks stay, as Obsidian, Joplin and
 * Memos show them, where CommonMark has spaces. Its HTML is not clean: HTML in it stays.
 */
export const markdownParser = createParser({ html: true, breaks: true })

/** Markdown as HTML that is not cleaned yet. */
export const markdownToHtml = (text: string): string => markdownParser.render(text).trim()

/** Neither `List<String>` is an element nor README.md an address. */
const pastedParser = createParser({ breaks: true })
pastedParser.linkify.set({ fuzzyLink: false })

/*
 * Of HTML the elements that htmlToMarkdown leaves because Markdown has no signs for them; they have no attributes. Any other
 * is text.
 */
const INLINE = /^<(\/?)(sub|sup|u|mark|ins|kbd|br)>/
const BLOCK = /^<(table|details|figure)>/
/** Characters and lines in which such an element ends. */
const MAX_CHARACTERS = 500
const MAX_LINES = 50

pastedParser.inline.ruler.before('html_inline', 'kept_html_inline', (state, silent) => {
  const [tag = '', slash, name] = INLINE.exec(state.src.slice(state.pos, state.pos + 8)) ?? []
  if (tag === '') return false
  const next = state.src.slice(state.pos, state.pos + MAX_CHARACTERS)
  if (name !== 'br' && slash === '' && !next.includes(`</${name}>`)) return false
  if (!silent) state.push('html_inline', '', 0).content = tag
  state.pos += tag.length
  return true
})

pastedParser.block.ruler.before(
  'html_block',
  'kept_html_block',
  (state, startLine, endLine, silent) => {
    const textOf = (line: number) =>
      state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line])
    const [, name] = BLOCK.exec(textOf(startLine)) ?? []
    if (name === undefined) return false
    for (let line = startLine; line < Math.min(endLine, startLine + MAX_LINES); line += 1) {
      if (!textOf(line).trimEnd().endsWith(`</${name}>`)) continue
      if (silent) return true
      const token = state.push('html_block', '', 0)
      token.content = state.getLines(startLine, line + 1, state.blkIndent, true)
      token.map = [startLine, line + 1]
      state.line = line + 1
      return true
    }
    return false
  },
  { alt: ['paragraph', 'blockquote'] },
)

/** The same as one pastes it: most HTML is text, and code ends with its last line. */
export const pastedMarkdownToHtml = (text: string): string =>
  pastedParser.render(text).replaceAll('\n</code></pre>', '</code></pre>')
