import { pictureData } from '../pictures/picture-data.ts'
import { withTaskSigns } from './task-boxes.ts'

/** Elements of which a piece means nothing, up to the one that holds them. */
const PARTS = /^(?:LI|DT|DD|CODE|THEAD|TBODY|TFOOT|TR)$/
const HOLDERS = /^(?:UL|OL|DL|PRE|TABLE)$/

/** What is selected, within the list, the table or the code that it is a piece of. */
function selectedContent(range: Range, view: Element): Node {
  let content: Node = range.cloneContents()
  const { commonAncestorContainer: common } = range
  // A word of it is not a list.
  if (common instanceof Text && !range.toString().includes('\n')) return content
  let element = common instanceof Element ? common : common.parentElement
  if (!element || !(PARTS.test(element.nodeName) || HOLDERS.test(element.nodeName))) return content
  for (; element && element !== view; element = element.parentElement) {
    const around = element.cloneNode(false)
    around.appendChild(content)
    content = around
    if (HOLDERS.test(element.nodeName)) break
  }
  return content
}

/** The HTML of what is selected: pictures hold their bytes, boxes their state, and what the page put around them is gone. */
function htmlOf(range: Range, view: Element): string {
  const page = document.implementation.createHTMLDocument()
  page.body.append(selectedContent(range, view))
  for (const box of page.querySelectorAll('input')) {
    box.toggleAttribute('checked', box.checked)
    for (const name of ['aria-label', 'disabled']) box.removeAttribute(name)
  }
  for (const image of page.querySelectorAll<HTMLImageElement>('img[data-file]')) {
    const data = pictureData(image.dataset.file ?? '')
    if (data !== undefined) image.src = data
    image.closest('[data-state]')?.replaceWith(image)
  }
  for (const button of page.querySelectorAll('button')) button.remove()
  return page.body.innerHTML
}

/** The task at whose beginning a range begins: its box is before the range. */
function firstTask({ startContainer, startOffset }: Range): Element | undefined {
  const element = startContainer instanceof Element ? startContainer : startContainer.parentElement
  const task = element?.closest('li[data-checked]')
  if (!task) return undefined
  const before = document.createRange()
  before.setStart(task, 0)
  before.setEnd(startContainer, startOffset)
  return before.toString().trim() === '' ? task : undefined
}

/** Copies what is selected of a text: the browser would copy addresses that no other program can load, and no boxes. */
function copySelection(event: ClipboardEvent, view: HTMLElement): void {
  const selection = getSelection()
  if (!selection || selection.isCollapsed || !event.clipboardData) return
  const range = selection.getRangeAt(0)
  const isOwn = (element: Element) => range.intersectsNode(element)
  if (!view.contains(range.commonAncestorContainer)) return
  if (![...view.querySelectorAll('li[data-checked], img[data-file]')].some(isOwn)) return
  const first = firstTask(range)
  const isPiece = range.startContainer === range.endContainer
  event.clipboardData.setData('text/html', htmlOf(range, view))
  event.clipboardData.setData(
    'text/plain',
    withTaskSigns(view, (signs) => {
      const sign = isPiece || !first ? undefined : signs.find((one) => first.contains(one))
      const text = selection.toString()
      return sign && !selection.containsNode(sign) ? `${sign.data}${text}` : text
    }),
  )
  event.preventDefault()
}

/** Has what is copied from a text make sense in other programs. */
export const handleCopies = (view: HTMLElement): void => {
  view.oncopy = (event) => copySelection(event, view)
}
