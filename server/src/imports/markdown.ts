import { markdownParser as parser } from '@kopilka/text/markdown.ts'

/** Obsidian's tags: after white space, with at least one character that is no digit. */
const TAG = /(?<=^|\s)#([\p{L}\p{M}\p{N}_/-]+)/gu
const SOME_LETTER = /[^\d]/

export interface MarkdownDocument {
  /** The text of the heading that the document begins with. */
  readonly heading: string | undefined
  /** HTML of all of it. */
  readonly html: string
  /** HTML without that heading. */
  readonly htmlWithoutHeading: string
  /** The #tags in its text: not those in code, links and addresses. */
  readonly tags: readonly string[]
  /** Pictures and files beside the document that it shows. */
  readonly attachments: number
}

export function readMarkdown(text: string): MarkdownDocument {
  const environment = {}
  const tokens = parser.parse(text, environment)
  const [opening, inline] = tokens
  const heading = opening?.type === 'heading_open' ? inline?.content.trim() : undefined
  const tags: string[] = []
  let attachments = text.match(/!\[\[[^\]\n]+\]\]/g)?.length ?? 0
  for (const token of tokens) {
    let [links, isStart] = [0, true]
    for (const child of token.children ?? []) {
      if (child.type === 'link_open') links += 1
      else if (child.type === 'link_close') links -= 1
      else if (child.type === 'image' && !/^(?:https?:|data:)/i.test(String(child.attrGet('src') ?? '')))
        attachments += 1
      else if (child.type === 'text' && links === 0)
        for (const [match, tag = ''] of child.content.matchAll(TAG))
          if (SOME_LETTER.test(tag) && (isStart || !child.content.startsWith(match))) tags.push(tag)
      isStart = child.type === 'softbreak' || child.type === 'hardbreak'
    }
  }
  const end = tokens.findIndex(({ type }) => type === 'heading_close')
  const render = (from: number): string =>
    parser.renderer.render(tokens.slice(from), parser.options, environment).trim()
  return {
    heading: heading || undefined,
    html: render(0),
    htmlWithoutHeading: heading ? render(end + 1) : render(0),
    tags,
    attachments,
  }
}
