import type { Task } from '@kopilka/text/task-lists.ts'
import { parseHtml } from '../lib/trusted-types.ts'

/** A box drawn in text, as Keep, Notion and others write it. */
const BOX = /^\s*(?:\[([ xXхХ]?)\](?=\s|$)|([☐☑☒✅✓✔])\uFE0F?)\s*/u
/** Signs that mark the items of other lists as well: they are boxes only beside another box. */
const BULLET = /^\s*[✅✓✔]/u
const HINT = /checkbox|\[[ xXхХ]?\]|[☐☑☒✅✓✔]/iu

/** The sign of an item in plain text. */
const ITEM = /^\s*[-*+]\s+/

const isDone = ([, letter = '', sign = '☐']: string[]): boolean => letter.trim() !== '' || sign !== '☐'

/** The first text in an element that is not blank. */
function firstText(element: Element): Text | undefined {
  const texts = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const node = texts.currentNode
    if (node instanceof Text && node.data.trim() !== '') return node
  }
  return undefined
}

/** How a program marks an item as a task. */
interface Mark {
  readonly done: boolean
  /** Whether the item may be one of another list, with a sign for its bullet. */
  readonly isBullet: boolean
  /** Takes the mark away. */
  readonly remove: () => void
}

/** Undefined for an item that is not marked as a task. */
function markOf(item: Element): Mark | undefined {
  if (item.getAttribute('role') === 'checkbox') {
    // Google Docs draws the box as a picture.
    const box = item.querySelector(':scope > img')
    const done = item.getAttribute('aria-checked') === 'true'
    return { done, isBullet: false, remove: () => box?.remove() }
  }
  const input = item.querySelector('input[type="checkbox"]')
  if (input && input.closest('li') === item)
    return { done: input.hasAttribute('checked'), isBullet: false, remove: () => input.remove() }
  const text = firstText(item)
  const match = text?.parentElement?.closest('li') === item ? BOX.exec(text?.data ?? '') : undefined
  if (!text || !match) return undefined
  return {
    done: isDone(match),
    isBullet: BULLET.test(match[0]),
    remove: () => {
      text.data = text.data.slice(match[0].length)
    },
  }
}

/** Pasted lists in which every item is a task become checklists (contract/src/allowed-html.ts). Other HTML stays as it is. */
export function withChecklists(html: string): string {
  if (!HINT.test(html)) return html
  const page = parseHtml(html)
  for (const list of page.querySelectorAll('ul:not([data-type="taskList"])')) {
    const items = [...list.children].filter(({ localName }) => localName === 'li')
    const marks = items.map((item) => ({ item, mark: markOf(item) }))
    if (marks.some(({ mark }) => !mark) || marks.every(({ mark }) => mark?.isBullet)) continue
    list.setAttribute('data-type', 'taskList')
    for (const { item, mark } of marks) {
      item.setAttribute('data-checked', String(mark?.done))
      mark?.remove()
    }
  }
  return page.body.innerHTML
}

/** The tasks of a plain text whose every line begins with a box; undefined for any other text. */
export function tasksIn(text: string): Task[] | undefined {
  const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() !== '')
  const tasks = lines.flatMap((line) => {
    const item = line.replace(ITEM, '')
    const match = BOX.exec(item)
    return match ? [{ text: item.slice(match[0].length).trimEnd(), done: isDone(match) }] : []
  })
  const areBullets = lines.every((line) => BULLET.test(line.replace(ITEM, '')))
  return tasks.length === lines.length && !areBullets ? tasks : undefined
}
