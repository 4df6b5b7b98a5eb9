/** A row of a list; the article of a whole item has its heading. */
export const ROW = 'main :is(article:not(:has(h1)), li[data-row])'

/** The link to an item in its row: it opens the item here, while the title of a link leads to the web. */
const ITEM = ':is(a[href^="/notes/"], a[href^="/urllinks/"])'

/** What has the focus in a row: what opens it. */
export const targetOf = (row: HTMLElement): HTMLElement | null =>
  row.querySelector(row.matches('article') ? ITEM : 'a, [aria-haspopup="dialog"]')
