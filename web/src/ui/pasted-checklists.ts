import type { Task } from '@kopilka/text/task-lists.ts'
import { parseHtml } from '../lib/trusted-types.ts'

/** A box drawn in text, as Keep, Notion and others write it. */
const BOX = /^\s*(?:\[([ xXхХ]?)\](?=\s|$)|([☐☑☒✅✓✔]))\s*/u
const HINT = /checkbox|\[[ xXхХ]?\]|[☐☑☒✅✓✔]/iu

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

/** How a program marks an item as a task: its state, and what takes the mark away. Undefined for any other item. */
function markOf(item: Element): { done: boolean; remove: () => void } | undefined {
  if (item.getAttribute('role') === 'checkbox') {
    // Google Docs draws the box as a picture.
    const box = item.querySelector(':scope > img')
    return { done: item.getAttribute('aria-checked') === 'true', remove: () => box?.remove() }
  }
  const input = item.querySelector('input[type="checkbox"]')
  if (input && input.closest('li') === item)
    return { done: input.hasAttribute('checked'), remove: () => input.remove() }
  const text = firstText(item)
  const match = text?.parentElement?.closest('li') === item ? BOX.exec(text?.data ?? '') : undefined
  if (!text || !match) return undefined
  return {
    done: isDone(match),
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
    if (items.length === 0 || marks.some(({ mark }) => !mark)) continue
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
    const item = line.replace(/^\s*[-*+]\s+/, '')
    const match = BOX.exec(item)
    return match ? [{ text: item.slice(match[0].length).trimEnd(), done: isDone(match) }] : []
  })
  return tasks.length > 0 && tasks.length === lines.length ? tasks : undefined
}
