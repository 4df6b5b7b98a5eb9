import { escapeHtml } from './escape-html.ts'

export interface Task {
  readonly text: string
  readonly done: boolean
  /** Columns before it: a task with more of them than the one before lies within that one. */
  readonly indent?: number
}

/** Most levels of a checklist that is made of plain text. */
const MAX_LEVELS = 10

/** Plain texts as the HTML of a checklist; '' where there are none. */
export function taskListHtml(tasks: readonly Task[]): string {
  let html = ''
  /** The indents of the lists that are open, the outermost first. */
  const open: number[] = []
  for (const { text, done, indent = 0 } of tasks) {
    while (indent <= (open.at(-2) ?? -1)) {
      html += '</li></ul>'
      open.pop()
    }
    if (open.length < MAX_LEVELS && indent > (open.at(-1) ?? -1)) html += '<ul data-type="taskList">'
    else {
      html += '</li>'
      open.pop()
    }
    open.push(indent)
    html += `<li data-checked="${done}"><p>${escapeHtml(text)}</p>`
  }
  return html + '</li></ul>'.repeat(open.length)
}

const TASK = /<li data-checked="(?:true|false)">/g

/** Clean HTML with the index of each task, in the order of the text, in an attribute `data-task`. */
export const numberTasks = (html: string): string => {
  let at = -1
  return html.replace(TASK, (tag) => {
    at += 1
    return tag.replace('<li ', `<li data-task="${at}" `)
  })
}

/** Clean HTML with the task at an index, in the order of the text, done or not; the same HTML where there is no such task. */
export const withTask = (html: string, index: number, done: boolean): string => {
  let at = -1
  return html.replace(TASK, (tag) => {
    at += 1
    return at === index ? `<li data-checked="${done}">` : tag
  })
}
