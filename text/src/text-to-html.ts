import { escapeHtml, unescapeHtml } from './escape-html.ts'
import { htmlToText } from './html-to-text.ts'

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

/** The text of clean HTML; that of {@link textToHtml} with its empty lines and indents. */
export function textInHtml(html: string): string {
  const [, lines] = /^<p>((?:[^<]|<br \/>)*)<\/p>$/.exec(html) ?? []
  if (lines === undefined) return htmlToText(html)
  return lines.split('<br />').map(lineText).join('\n')
}

const lineText = (line: string): string => unescapeHtml(line).replaceAll('\u00A0', ' ')
