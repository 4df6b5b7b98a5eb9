import { LANGUAGE_CLASS } from '@kopilka/contract/allowed-html.ts'
import { linesToHtml } from '@kopilka/text/paragraphs.ts'
import { numberTasks, withTask } from '@kopilka/text/task-lists.ts'
import { Typography } from '@mantine/core'
import { type MouseEvent, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { NETWORK } from '../lib/network.ts'
import { parseHtml } from '../lib/trusted-types.ts'
import { t } from '../messages/messages.ts'
import type { KeepPicture } from '../pictures/view-pictures.ts'
import { cleanHtml } from './clean-html.ts'
import html from './html.module.css'
import classes from './html-view.module.css'
import { showMessage } from './snackbar.ts'

interface HtmlViewProps {
  html: string
  /**
   * Saves that a task, by its place among all of the text, is done or not; resolves to whether it is saved. Absent: the
   * tasks can be read only.
   */
  onTick?: (task: number, done: boolean) => Promise<boolean>
  /** Saves a picture of another host in the text. Absent: its place names the host and no more. */
  onKeepPicture?: KeepPicture
}

/** A note's content or a link's description as it reads: cleaned once more, whatever the server sent. */
export function HtmlView({ html: source, onTick, onKeepPicture }: HtmlViewProps) {
  const ref = useRef<HTMLDivElement>(null)
  /** The HTML that the page shows: ticks that are being saved are in it already. */
  const shown = useRef<string>(undefined)
  const [failures, setFailures] = useState(0)
  const canTick = onTick !== undefined
  const keepPicture = useEffectEvent(async (src: string) => (await onKeepPicture?.(src)) ?? false)
  const stopPictures = useRef(() => {})
  useEffect(() => () => stopPictures.current(), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a tick that was not saved is taken back.
  useLayoutEffect(() => {
    const view = ref.current
    if (!view || shown.current === source) return
    shown.current = source
    const content = cleanHtml(linesToHtml(source))
    makeScrollable(content)
    addBoxes(content, canTick)
    const focused = boxesOf(view).indexOf(document.activeElement)
    stopPictures.current()
    view.replaceChildren(content)
    highlightCode(view)
    stopPictures.current = startPictures(view, onKeepPicture && keepPicture)
    const box = boxesOf(view)[focused]
    if (box instanceof HTMLInputElement) box.focus({ preventScroll: true })
  }, [source, canTick, failures])

  const tick = async ({ target }: MouseEvent) => {
    if (!onTick || !ref.current || !(target instanceof HTMLInputElement)) return
    const { checked } = target
    const html = shown.current ?? source
    const task = tasksInOrder(html)[boxesOf(ref.current).indexOf(target)] ?? -1
    target.closest('li')?.setAttribute('data-checked', String(checked))
    shown.current = withTask(html, task, checked)
    if (await onTick(task, checked)) return
    shown.current = undefined
    setFailures((count) => count + 1)
  }
  return (
    <Typography
      ref={ref}
      dir="auto"
      className={`${html.html} ${classes.view}`}
      onClick={(event) => void tick(event)}
    />
  )
}

/** Loads what makes the pictures of a text show, where it has any; returns what ends it. */
function startPictures(view: Element, onKeep: KeepPicture | undefined): () => void {
  if (!view.querySelector(onKeep ? 'img[data-file], [data-picture]' : 'img[data-file]')) return () => {}
  let [stop, stopped] = [() => {}, false]
  import('../pictures/view-pictures.ts').then(
    ({ mountPictures }) => {
      if (!stopped) stop = mountPictures(view, onKeep)
    },
    () => showMessage(t('failure.noResponse'), 'error', { about: NETWORK }),
  )
  return () => {
    stopped = true
    stop()
  }
}

/** The boxes of all tasks, by the place of the task. */
const boxesOf = (view: Element): (Element | null)[] =>
  [...view.querySelectorAll('li[data-checked]')].map(({ firstElementChild }) => firstElementChild)

/**
 * The tasks of a text as the page shows them, by their places in its HTML. A list directly within a table is shown before
 * the table.
 */
const tasksInOrder = (html: string): number[] =>
  [...parseHtml(numberTasks(html)).querySelectorAll('li[data-task]')].map((item) =>
    Number(item.getAttribute('data-task')),
  )

/** Gives every task a box before its text, named by that text. */
function addBoxes(content: DocumentFragment, canTick: boolean): void {
  for (const task of content.querySelectorAll('ul[data-type="taskList"] > li[data-checked]')) {
    const texts = [...task.childNodes].filter(({ nodeName }) => nodeName !== 'UL' && nodeName !== 'OL')
    const box = document.createElement('input')
    box.type = 'checkbox'
    box.checked = task.getAttribute('data-checked') === 'true'
    box.disabled = !canTick
    box.ariaLabel = texts.map(({ textContent }) => textContent).join(' ')
    task.prepend(box)
  }
}

/** The text of a view as it reads, with a sign in the place of each box. */
export function visibleText(view: HTMLElement): string {
  const signs = boxesOf(view).flatMap((box) => {
    if (!(box instanceof HTMLInputElement)) return []
    const sign = document.createTextNode(box.checked ? '☑ ' : '☐ ')
    let place = box.nextElementSibling
    while (place?.firstElementChild?.matches('p, div')) place = place.firstElementChild
    if (place?.matches('p, div')) place.prepend(sign)
    else box.after(sign)
    return [sign]
  })
  const text = view.innerText
  for (const sign of signs) sign.remove()
  return text
}

/** Shows the language of each code block that names one, with its label and colours once what makes those has loaded. */
function highlightCode(view: Element): void {
  const blocks = [...view.querySelectorAll('pre > code')].flatMap((element) => {
    const language = LANGUAGE_CLASS.exec(element.className)?.[1]
    if (language === undefined) return []
    element.parentElement?.setAttribute('data-language', language)
    element.parentElement?.setAttribute('data-label', language)
    return [{ element, language }]
  })
  if (blocks.length === 0) return
  void import('./code-highlighting.ts').then(
    ({ highlightBlocks }) => highlightBlocks(blocks),
    () => undefined,
  )
}

/** Makes elements that may be wider than the page scroll, with the keyboard as well. */
function makeScrollable(content: DocumentFragment): void {
  for (const table of content.querySelectorAll('table:not(table table)')) {
    const frame = document.createElement('div')
    frame.className = classes.wide ?? ''
    frame.tabIndex = 0
    table.replaceWith(frame)
    frame.append(table)
  }
  for (const pre of content.querySelectorAll('pre')) pre.tabIndex = 0
}
