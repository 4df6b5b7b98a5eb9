import { fileUrl } from '@kopilka/contract/files.ts'
import { markdownParser as parser } from '@kopilka/text/markdown.ts'
import { replaceImageAddresses } from '../files/references.ts'

/** Obsidian's tags: after white space, with at least one character that is no digit. */
const TAG = /(?<=^|\s)#([\p{L}\p{M}\p{N}_/-]+)/gu
const SOME_LETTER = /[^\d]/

/** A picture beside the Markdown that Копилка exports (exports/formats/markdown.ts). Its id is of version 8. */
const OWN_PICTURE =
  /^(?![a-z][\w+.-]*:|\/\/)(?:.*\/)?files\/([\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[\da-f]{4}-[\da-f]{12})\.[a-z]{3,4}$/

/** The id of a picture by its place beside Markdown; undefined for any other file. */
export const ownPicture = (path: string): string | undefined => OWN_PICTURE.exec(path)?.[1]

const isAttachment = (src: string): boolean =>
  !/^(?:https?:|data:)/i.test(src) && ownPicture(src) === undefined

type Token = ReturnType<typeof parser.parse>[number]

/** An empty one only keeps two lists apart. */
const COMMENT = /<!--(?!\s*-->)/g

const commentsIn = ({ type, content }: Token): number =>
  type === 'reference_definition' ? 1 : type.startsWith('html_') ? (content.match(COMMENT)?.length ?? 0) : 0

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
  /** Comments, which are not in the HTML or will be cleaned away. */
  readonly comments: number
}

export function readMarkdown(text: string): MarkdownDocument {
  const environment = {}
  const tokens = parser.parse(text, environment)
  // What defines links may stand before the heading.
  const begin = tokens.findIndex(({ meta }) => meta?.label === undefined)
  const [opening, inline] = tokens.slice(begin)
  const heading = opening?.type === 'heading_open' ? inline?.content.trim() : undefined
  const tags: string[] = []
  let comments = 0
  let attachments = text.match(/!\[\[[^[\]\n]+\]\]/g)?.length ?? 0
  for (const token of tokens) {
    comments += commentsIn(token)
    if (token.meta?.label !== undefined) continue
    let [links, isStart] = [0, true]
    for (const child of token.children ?? []) {
      comments += commentsIn(child)
      if (child.type === 'link_open') links += 1
      else if (child.type === 'link_close') links -= 1
      else if (child.type === 'image' && isAttachment(String(child.attrGet('src') ?? ''))) attachments += 1
      else if (child.type === 'text' && links === 0)
        for (const [match, tag = ''] of child.content.matchAll(TAG))
          if (SOME_LETTER.test(tag) && (isStart || !child.content.startsWith(match))) tags.push(tag)
      isStart = child.type === 'softbreak' || child.type === 'hardbreak'
    }
  }
  const end = tokens.findIndex(({ type }) => type === 'heading_close')
  const render = (shown: Token[]): string =>
    replaceImageAddresses(parser.renderer.render(shown, parser.options, environment).trim(), (address) => {
      const id = ownPicture(address)
      return id === undefined ? address : fileUrl(id)
    })
  return {
    heading: heading || undefined,
    html: render(tokens),
    htmlWithoutHeading: render(heading ? [...tokens.slice(0, begin), ...tokens.slice(end + 1)] : tokens),
    tags,
    attachments,
    comments,
  }
}
