import MarkdownIt, { type Token } from 'markdown-it'

const BOX = /^\[([ xX])\](?:\s+|$)/

interface Item {
  readonly open: Token
  /** The text that it begins with; undefined where it begins with something else. */
  readonly text: Token | undefined
}

/** Makes a list whose every item begins with a box a checklist (contract/src/allowed-html.ts). */
function markTasks(list: Token, items: readonly Item[]): void {
  if (!items.every(({ text }) => BOX.test(text?.content ?? ''))) return
  list.attrSet('data-type', 'taskList')
  for (const { open, text } of items) {
    const [first] = text?.children ?? []
    const [, box] = BOX.exec(text?.content ?? '') ?? []
    open.attrSet('data-checked', String(box !== ' '))
    if (text) text.content = text.content.replace(BOX, '')
    if (first) first.content = first.content.replace(BOX, '')
  }
}

function markChecklists({ tokens }: { tokens: readonly Token[] }): void {
  const open: { list: Token; items: Item[] }[] = []
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'bullet_list_open' || token.type === 'ordered_list_open')
      open.push({ list: token, items: [] })
    else if (token.type === 'list_item_open')
      open.at(-1)?.items.push({
        open: token,
        text: tokens[at + 1]?.type === 'paragraph_open' ? tokens[at + 2] : undefined,
      })
    else if (token.type === 'bullet_list_close' || token.type === 'ordered_list_close') {
      const ended = open.pop()
      if (ended?.list.type === 'bullet_list_open') markTasks(ended.list, ended.items)
    }
  }
}

function createParser(options: { html?: boolean; breaks?: boolean }) {
  const parser = new MarkdownIt({ linkify: true, ...options })
  parser.core.ruler.after('inline', 'checklists', markChecklists)
  return parser
}

/** CommonMark with tables, strikethrough, checklists and links of bare addresses. Its HTML is not clean: HTML in it stays. */
export const markdownParser = createParser({ html: true })

/** Markdown as HTML that is not cleaned yet. */
export const markdownToHtml = (text: string): string => markdownParser.render(text).trim()

/** Neither `List<String>` is an element nor README.md an address. */
const pastedParser = createParser({ breaks: true })
pastedParser.linkify.set({ fuzzyLink: false })

/** The same as one pastes it: line breaks stay, which CommonMark takes for spaces, and code ends with its last line. */
export const pastedMarkdownToHtml = (text: string): string =>
  pastedParser.render(text).replaceAll('\n</code></pre>', '</code></pre>')
