import { escapeHtml } from './escape-html.ts'

export interface Task {
  readonly text: string
  readonly done: boolean
}

/** Plain texts as the HTML of a checklist; '' where there are none. */
export const taskListHtml = (tasks: readonly Task[]): string =>
  tasks.length === 0
    ? ''
    : `<ul data-type="taskList">${tasks
        .map(({ text, done }) => `<li data-checked="${done}"><p>${escapeHtml(text)}</p></li>`)
        .join('')}</ul>`

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
