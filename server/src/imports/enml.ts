import { withSpanElements } from './span-styles.ts'

const STYLE = (name: string) => new RegExp(`\\bstyle\\s*=\\s*["'][^"'<>]*-en-${name}:\\s*true`, 'i')
const CODE_BLOCK = STYLE('codeblock')
const TASK_LIST = STYLE('todo')
const CHECKED = /--en-checked:\s*(true|false)/i

/** Evernote's note format as HTML: its own elements become what HTML has for them. */
export function enmlToHtml(enml: string): string {
  const html = enml.replace(/<\?xml[^<>]*>|<!DOCTYPE[^<>]*>|<!\[CDATA\[|\]\]>/gi, '')
  return withSpanElements(withTaskLines(withTaskLists(withCodeBlocks(html))))
    .replace(BOX, boxText)
    .replace(/<en-media\b[^<>]*>|<\/?en-(?:note|todo|media)\b[^<>]*>/gi, '')
    .trim()
}

const BOX = /<en-todo\b([^<>]*)>/gi

const boxText = (_: string, attributes: string): string => (isChecked(attributes) ? '[x] ' : '[ ] ')

const isChecked = (attributes: string): boolean => /checked\s*=\s*["']true/i.test(attributes)

/** Checklists of newer versions are lists with a style. */
const withTaskLists = (html: string): string =>
  html
    .replace(/<ul\b([^<>]*)>/gi, (open, attributes: string) =>
      TASK_LIST.test(attributes) ? '<ul data-type="taskList">' : open,
    )
    .replace(/<li\b([^<>]*)>/gi, (open, attributes: string) => {
      const checked = CHECKED.exec(attributes)?.[1]
      return checked === undefined ? open : `<li data-checked="${checked.toLowerCase()}">`
    })

/** Checklists of older versions are lines, each a `<div>`, that begin with a box. */
function withTaskLines(html: string): string {
  let [result, end, isOpen] = ['', 0, false]
  let line: { start: number; after: number } | undefined
  let box: { attributes: string; after: number } | undefined
  const isBlank = (from: number, to: number): boolean => html.slice(from, to).trim() === ''
  for (const { 0: tag, 1: name = '', 2: attributes = '', index } of html.matchAll(LINES)) {
    const after = index + tag.length
    const kind = name.toLowerCase()
    if (kind === 'div') [line, box] = [{ start: index, after }, undefined]
    else if (kind === 'en-todo' && line && !box && isBlank(line.after, index)) box = { attributes, after }
    else if (kind === '/en-todo' && box && isBlank(box.after, index)) box.after = after
    else {
      if (kind === '/div' && line && box) {
        if (!isOpen) result += `${html.slice(end, line.start)}<ul data-type="taskList">`
        else if (!isBlank(end, line.start))
          result += `</ul>${html.slice(end, line.start)}<ul data-type="taskList">`
        result += `<li data-checked="${isChecked(box.attributes)}"><p>${html.slice(box.after, index).trim()}</p></li>`
        ;[end, isOpen] = [after, true]
      }
      ;[line, box] = [undefined, undefined]
    }
  }
  return `${result}${isOpen ? '</ul>' : ''}${html.slice(end)}`
}

const LINES = /<(\/?(?:div|en-todo))\b([^<>]*)>/gi

/** A code block is a `<div>` with a style, and a `<div>` for each line. */
function withCodeBlocks(html: string): string {
  if (!CODE_BLOCK.test(html)) return html
  let [result, end, depth] = ['', 0, 0]
  let start: number | undefined
  for (const { 0: tag, 1: slash, index } of html.matchAll(/<(\/?)div\b[^<>]*>/gi)) {
    const after = index + tag.length
    if (start === undefined) {
      if (slash !== '' || !CODE_BLOCK.test(tag)) continue
      result += html.slice(end, index)
      ;[start, depth] = [after, 1]
    } else {
      depth += slash === '' ? 1 : -1
      if (depth > 0) continue
      result += codeBlock(html.slice(start, index))
      ;[start, end] = [undefined, after]
    }
  }
  // Of a block that is not closed the text stays, as lines.
  return result + (start === undefined ? html.slice(end) : html.slice(start))
}

const codeBlock = (inner: string): string =>
  `<pre><code>${inner
    .replace(/<br\b[^<>]*>\s*<\/div>/gi, '</div>')
    .replace(/<br\b[^<>]*>|<\/div>/gi, '\n')
    .replace(BOX, boxText)
    .replace(/<[^<>]*>/g, '')
    .replace(/&nbsp;|\u00A0/g, ' ')
    .replace(/^\n|\n$/g, '')}</code></pre>`
