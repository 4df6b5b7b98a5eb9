import { escapeHtml } from '@kopilka/text/escape-html.ts'
import { htmlToText } from '@kopilka/text/html-to-text.ts'
import type { TextFormat } from '../format.ts'

/**
 * A comma ends a tag in this format, so a tag with one gets the sign that looks like it, and the link an attribute of our own
 * that keeps it exactly.
 */
function tagAttributes(tags: readonly string[]): string[] {
  if (tags.length === 0) return []
  const list = tags.map((tag) => tag.replaceAll(',', '\u201A')).join(',')
  const hasComma = tags.some((tag) => tag.includes(','))
  return [
    `TAGS="${escapeHtml(list)}"`,
    ...(hasComma ? [`DATA-TAGS="${escapeHtml(JSON.stringify(tags))}"`] : []),
  ]
}

const seconds = (time: number): string => String(Math.max(0, Math.floor(time / 1000)))

/**
 * The bookmark file of every browser (learn.microsoft.com, "Netscape Bookmark File Format"), with the attribute TAGS of
 * Firefox, Pinboard and others. It has no notes, so only links are in it, and no folders, as Копилка has none.
 */
export const netscape: TextFormat = {
  begin: () => `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<!-- This is an automatically generated file.
     It will be read and overwritten.
     DO NOT EDIT! -->
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks</H1>
<DL><p>
`,
  write(record) {
    if (record.type !== 'item' || record.item.url === null) return ''
    const { url, title, tags, created_at, updated_at, body } = record.item
    const attributes = [
      `HREF="${escapeHtml(url)}"`,
      `ADD_DATE="${seconds(created_at)}"`,
      `LAST_MODIFIED="${seconds(updated_at)}"`,
      ...tagAttributes(tags),
    ]
    const text = htmlToText(body).trim()
    const description = text === '' ? '' : `    <DD>${escapeHtml(text)}\n`
    return `    <DT><A ${attributes.join(' ')}>${escapeHtml(title)}</A>\n${description}`
  },
  end: () => '</DL><p>\n',
}
