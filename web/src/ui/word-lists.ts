import { parseHtml } from '../lib/trusted-types.ts'

const PLACE = /mso-list:\s*(\w+) level(\d+)/
const NUMBER = /^\s*(?:(\d+)|[\p{L}]{1,4})[.)]/u

interface OpenList {
  list: Element
  /** Word's name for it. */
  name: string
  level: number
}

/** The list an item begins: Word writes its number or bullet as text, in a span of its own. */
function startList(page: Document, marker: string): Element {
  const [numbered, number] = NUMBER.exec(marker) ?? []
  const list = page.createElement(numbered === undefined ? 'ul' : 'ol')
  if (number !== undefined && number !== '1') list.setAttribute('start', number)
  return list
}

/** Word's HTML has paragraphs that look like lists: they become lists. Other HTML stays as it is. */
export function withWordLists(html: string): string {
  if (!PLACE.test(html)) return html
  const page = parseHtml(html)
  let open: OpenList[] = []
  for (const paragraph of page.querySelectorAll('p[style*="mso-list"]')) {
    const [, name, digits] = PLACE.exec(paragraph.getAttribute('style') ?? '') ?? []
    if (name === undefined) continue
    const level = Number(digits)
    const marker = paragraph.querySelector('span[style*="mso-list:Ignore" i]')
    // Another element is between this paragraph and the list before it.
    if (paragraph.previousElementSibling !== open[0]?.list) open = []
    const around = open.filter((one) => one.level < level).at(-1)
    let list = open.find((one) => one.level === level && one.name === name)?.list
    if (!list) {
      list = startList(page, marker?.textContent ?? '')
      if (around) around.list.lastElementChild?.append(list)
      else paragraph.before(list)
    }
    open = [...open.filter((one) => one.level < level), { list, name, level }]
    marker?.remove()
    const item = page.createElement('li')
    item.append(paragraph)
    list.append(item)
  }
  return page.body.innerHTML
}
