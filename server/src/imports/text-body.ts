import { escapeHtml } from '@kopilka/text/escape-html.ts'

/** Text as HTML that shows it as it was: its lines, its empty lines and the spaces that indent it. */
export function textToHtml(text: string): string {
  const trimmed = text
    .replace(/\r\n?/g, '\n')
    .replace(/^\s*\n/, '')
    .trimEnd()
  if (trimmed.trim() === '') return ''
  return `<p>${escapeHtml(trimmed)
    .replace(/^[ \t]+|[ \t]{2,}/gm, (spaces) => '\u00A0'.repeat(spaces.replaceAll('\t', '    ').length))
    .replaceAll('\n', '<br />')}</p>`
}

/** An address as a paragraph with a link. */
export const linkParagraph = (url: string): string =>
  /^https?:\/\//i.test(url) ? `<p><a href="${escapeHtml(url)}">${escapeHtml(url)}</a></p>` : textToHtml(url)

/** Only one address, and nothing else. */
export const isAddress = (text: string): boolean => /^https?:\/\/\S+$/i.test(text.trim())
