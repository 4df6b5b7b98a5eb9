import { htmlToMarkdown } from '@kopilka/text/html-to-markdown.ts'
import { parseHtml } from '../lib/trusted-types.ts'
import { addressOf, bodyOf, type Item } from './item-kind.ts'

/** Characters of a text that are turned at once: the page stands still meanwhile. */
const PIECE = 10_000
/** Blocks that a piece may begin with. Lists may not: one is kept apart from the list before it by another sign. */
const BLOCK = /^(?:P|DL|H\d|PRE|BLOCKQUOTE|TABLE|FIGURE|DIV)$/

/** An item as a document in Markdown: its title, which leads to a link's address, and its text. */
export async function itemMarkdown(item: Item): Promise<string> {
  const page = parseHtml(bodyOf(item))
  const heading = page.createElement('h1')
  const address = addressOf(item)
  const title = address === undefined ? heading : heading.appendChild(page.createElement('a'))
  title.textContent = item.title
  if (address !== undefined) title.setAttribute('href', address)
  const written: string[] = []
  let [piece, length] = [page.createElement('div'), 0]
  for (const node of [heading, ...page.body.childNodes]) {
    // What is blank between two lists is left out.
    if (length > PIECE && BLOCK.test(node.nodeName) && node.textContent?.trim()) {
      written.push(htmlToMarkdown(piece))
      ;[piece, length] = [page.createElement('div'), 0]
      await new Promise((resolve) => setTimeout(resolve))
    }
    piece.append(node)
    length += node.textContent?.length ?? 0
  }
  written.push(htmlToMarkdown(piece))
  return written.filter((text) => text !== '').join('\n\n')
}
