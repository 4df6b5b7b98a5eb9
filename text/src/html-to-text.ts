import { unescapeHtml } from './escape-html.ts'

/** Block elements, which separate words. */
const BLOCKS =
  /<(?:br|hr|\/?(?:p|div|h[1-6]|ul|ol|li|dl|dt|dd|table|caption|tr|th|td|pre|blockquote|figure|figcaption))\b[^>]*>/g

/** The beginning of a checklist's item, with the paragraph that it begins with. */
const TASK = /<li data-checked="(true|false)">(?:<(?:p|div)>)*/g

/**
 * The visible text of clean HTML, one line for each block, items of checklists with a box before them. Exact only for HTML cleaned by
 * the server. The HTML may be cut off, even within a tag.
 */
export function htmlToText(clean: string): string {
  const escaped = clean
    .replace(TASK, (_, checked) => (checked === 'true' ? '\n☑ ' : '\n☐ '))
    .replace(BLOCKS, '\n')
    .replace(/<[^>]*(?:>|$)/g, '')
  return unescapeHtml(escaped)
    .replaceAll('\u00A0', ' ')
    .replace(/\n[ \n]*\n/g, '\n')
    .trim()
}
