import { Typography } from '@mantine/core'
import { useLayoutEffect, useRef } from 'react'
import { cleanHtml } from './clean-html.ts'
import html from './html.module.css'
import { linesToHtml } from './html-text.ts'
import classes from './html-view.module.css'

/** A note's content or a link's description as it reads: cleaned once more, whatever the server sent. */
export function HtmlView({ html: source }: { html: string }) {
  const ref = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const content = cleanHtml(linesToHtml(source))
    makeScrollable(content)
    ref.current?.replaceChildren(content)
  }, [source])
  return <Typography ref={ref} dir="auto" className={`${html.html} ${classes.view}`} />
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
