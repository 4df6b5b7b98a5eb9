import { escapeHtml } from '@kopilka/text/escape-html.ts'
import { type Task, taskListHtml } from '@kopilka/text/task-lists.ts'
import { parseHtml } from '../lib/trusted-types.ts'

/** A box drawn in text, as Keep, Notion and others write it. */
const BOX = /^\s*(?:\[([ xXхХ]?)\](?=\s|$)|([☐☑☒✅✓✔])\uFE0F?)\s*/u
/** Signs that mark the items of other lists as well: they are boxes only beside another box. */
const BULLET = /^\s*[✅✓✔]/u
const HINT = /checkbox|en-todo|en-checked|font-weight|data-checked|\[[ xXхХ]?\]|[☐☑☒✅✓✔]/iu

/** Boxes that are no text, also Evernote's own. What has another role, as the button of a menu, shows no box. */
const DRAWN = 'input[type="checkbox"]:not([role]), en-todo'
const BLOCKS = 'div, p, ul, ol, pre, table'
/** Items that are tasks in Google Docs, in Evernote and on the pages that Notion exports, and those of them that are done. */
const TASK = '[role="checkbox"], [style*="--en-checked"], :has(> .checkbox-on, > .checkbox-off)'
const DONE =
  '[aria-checked="true"], [style*="--en-checked:true"], [style*="--en-checked: true"], :has(> .checkbox-on)'

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
  /** The box is a character of the text, as in `[x]`: it is not lost where the item becomes no task. */
  readonly isWritten: boolean
  /** Whether the item may be one of another list, with a sign for its bullet. */
  readonly isBullet: boolean
  /** Takes the mark away. */
  readonly remove: () => void
}

/** Undefined for an item that is not marked as a task. */
function markOf(item: Element): Mark | undefined {
  if (item.matches(TASK)) {
    // Google Docs draws the box as a picture.
    const box = item.querySelector(':scope[role] > img')
    const done = item.matches(DONE)
    return { done, isWritten: false, isBullet: false, remove: () => box?.remove() }
  }
  const input = item.querySelector(DRAWN)
  if (input && input.closest('li') === item) {
    // Obsidian names the state of a task in an attribute of its own as well.
    const done = input.matches('input[checked], [checked="true"]') || item.matches('[data-task="x" i]')
    // A parser takes the text behind Evernote's own element for a part of it.
    const remove = () => input.replaceWith(...input.childNodes)
    return { done, isWritten: false, isBullet: false, remove }
  }
  const text = firstText(item)
  const match = text?.parentElement?.closest('li') === item ? BOX.exec(text?.data ?? '') : undefined
  if (!text || !match) return undefined
  return {
    done: isDone(match),
    isWritten: true,
    isBullet: BULLET.test(match[0]),
    remove: () => {
      text.data = text.data.slice(match[0].length)
    },
  }
}

/** Makes lists of lines that begin with their only box, as Evernote has them. */
function listTaskLines(page: Document): void {
  let list: Element | undefined
  for (const line of page.querySelectorAll('div, p')) {
    if (line.querySelector(BLOCKS) || line.closest('li')) continue
    const [box, another] = line.querySelectorAll(DRAWN)
    const text = firstText(line)
    if (!box || another || !text || box.compareDocumentPosition(text) < Node.DOCUMENT_POSITION_FOLLOWING)
      continue
    const item = page.createElement('li')
    item.append(...line.childNodes)
    if (item.lastChild?.nodeName === 'BR') item.lastChild.remove()
    const gap = line.previousSibling
    if (gap instanceof Text && gap.data.trim() === '') gap.remove()
    if (!list || line.previousSibling !== list) {
      list = page.createElement('ul')
      line.before(list)
    }
    list.append(item)
    line.remove()
  }
}

/**
 * Makes checklists (contract/src/allowed-html.ts) of pasted lists in which every item is a task, and of lines that begin with a box;
 * splits a list in which some items have a box that is no text. Other HTML stays as it is.
 */
export function withChecklists(html: string): string {
  if (!HINT.test(html)) return html
  const page = parseHtml(html)
  listTaskLines(page)
  for (const list of page.querySelectorAll('ol, ul:not([data-type="taskList"])')) {
    const items = [...list.children].filter(({ localName }) => localName === 'li')
    const marks = items.map((item) => ({ item, mark: markOf(item) }))
    const isDrawn = marks.some(({ mark }) => mark?.isWritten === false)
    const isNumbered = list.localName === 'ol'
    // In a numbered list boxes of text stay text.
    if (
      !isDrawn &&
      (isNumbered || marks.some(({ mark }) => !mark) || marks.every(({ mark }) => mark?.isBullet))
    )
      continue
    let part: Element = list
    for (const [at, { item, mark }] of marks.entries()) {
      const begins = at === 0 ? isNumbered && mark : !mark !== !marks[at - 1]?.mark
      if (begins) {
        const next = page.createElement(mark ? 'ul' : list.localName)
        // A numbered list counts on behind tasks.
        if (list instanceof HTMLOListElement && !mark) next.setAttribute('start', String(list.start + at))
        part.after(next)
        part = next
      }
      if (part !== list) part.append(item)
      if (!mark) continue
      part.setAttribute('data-type', 'taskList')
      item.setAttribute('data-checked', String(mark.done))
      mark.remove()
    }
    if (items.length > 0 && list.children.length === 0) list.remove()
  }
  // A ticked item is shown struck through, here and by other programs, a heading bold: that is no formatting of its text.
  for (const element of page.querySelectorAll<HTMLElement>('[style]')) {
    if (element.closest('[data-checked="true"]')) element.style.textDecoration = ''
    if (element.closest('h1,h2,h3,h4,h5,h6,th')) element.style.fontWeight = ''
  }
  return page.body.innerHTML
}

/** A line of plain text; `task` where it begins with a box. */
interface Line {
  readonly text: string
  readonly task: Task | undefined
  /** Whether its box may be a sign for a bullet. */
  readonly isBullet: boolean
}

const linesOf = (text: string): Line[] =>
  text
    .split(/\r\n?|\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const item = line.replace(ITEM, '')
      const match = BOX.exec(item)
      const indent = (/^\s*/.exec(line)?.[0] ?? '').replaceAll('\t', '    ').length
      const task = match
        ? { text: item.slice(match[0].length).trimEnd(), done: isDone(match), indent }
        : undefined
      return { text: line, task, isBullet: BULLET.test(item) }
    })

/** The tasks of a plain text whose every line begins with a box; undefined for any other text. */
export function tasksIn(text: string): Task[] | undefined {
  const lines = linesOf(text)
  const tasks = lines.flatMap(({ task }) => task ?? [])
  return tasks.length === lines.length && !lines.every(({ isBullet }) => isBullet) ? tasks : undefined
}

/**
 * A plain text in which several lines begin with a box, as in a list with its title: as HTML, in which such lines are
 * checklists and others paragraphs. Undefined for any other text.
 */
export function checklistsIn(text: string): string | undefined {
  const lines = linesOf(text)
  const runs: Line[][] = []
  for (const line of lines) {
    const last = runs.at(-1)
    if (last && !last[0]?.task === !line.task) last.push(line)
    else runs.push([line])
  }
  const lists = runs.filter((run) => run[0]?.task && !run.every(({ isBullet }) => isBullet))
  if (lists.flat().length < 2) return undefined
  const paragraphs = (run: Line[]) => run.map(({ text }) => `<p>${escapeHtml(text)}</p>`).join('')
  return runs
    .map((run) =>
      lists.includes(run) ? taskListHtml(run.flatMap(({ task }) => task ?? [])) : paragraphs(run),
    )
    .join('')
}
