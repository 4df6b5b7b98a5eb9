import type { MouseEvent } from 'react'

/** Whether a click on a link means to go there in this tab, rather than in a new one or to a file. */
export const isPlainClick = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
