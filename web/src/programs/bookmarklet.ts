/**
 * Characters of selected text that a bookmarklet takes along: Cyrillic letters are six characters of an address each, and
 * some proxies read 8,000 of those.
 */
const MAX_SELECTED = 1000
const MAX_TITLE = 300

/** A bookmark that opens the form of this Копилка with the address, the title and the selected text of the page it is pressed on. */
export const bookmarkletOf = (origin: string): string =>
  `javascript:(()=>{const s=String(getSelection()).trim().slice(0,${MAX_SELECTED});` +
  `open(${JSON.stringify(`${origin}/add?`)}+new URLSearchParams({url:location.href,title:document.title.slice(0,${MAX_TITLE}),text:s}))})()`
