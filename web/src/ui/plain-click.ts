import type { MouseEvent } from 'react'

/** Whether a click on a link opens it in this tab, not in a new one or as a download. */
export const isPlainClick = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
