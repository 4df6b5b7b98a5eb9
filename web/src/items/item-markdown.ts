import { htmlToMarkdown, MAX_TURNED } from '@kopilka/text/html-to-markdown.ts'
import { parseHtml } from '../lib/trusted-types.ts'
import { addressOf, bodyOf, type Item } from './item-kind.ts'

/** An item as a document in Markdown: its title, which leads to a link's address, and its text. */
export function itemMarkdown(item: Item): string {
  const body = bodyOf(item)
  const page = parseHtml(body.length > MAX_TURNED ? '' : body)
  const heading = page.createElement('h1')
  const address = addressOf(item)
  const title = address === undefined ? heading : heading.appendChild(page.createElement('a'))
  title.textContent = item.title
  if (address !== undefined) title.setAttribute('href', address)
  page.body.prepend(heading)
  const markdown = htmlToMarkdown(page.body)
  return body.length > MAX_TURNED ? `${markdown}\n\n${body}` : markdown
}
