import { taskListHtml } from '@kopilka/text/task-lists.ts'
import { textToHtml } from '@kopilka/text/text-to-html.ts'
import type { Adapter } from '../adapter.ts'
import { numericDate } from '../dates.ts'
import { wholeText } from '../file.ts'
import { type ImportReason, type RawRow, remarkOnOthers } from '../row.ts'
import { hasSpanStyles, withSpanElements } from '../span-styles.ts'
import { linkParagraph } from '../text-body.ts'
import { type Fields, fieldsOf, isYes, listOf, namesOf, textOf } from '../values.ts'

/** Bytes of one note. */
const MAX_BYTES = 8 * 1024 * 1024

/** One note of Google Keep, as Takeout writes it: a JSON file beside its HTML and its pictures. */
export const googleKeep: Adapter = {
  id: 'google-keep',
  recognises: ({ json }) => json.has('isTrashed') && (json.has('createdTimestampUsec') || json.has('color')),
  async *rows(file): AsyncGenerator<RawRow> {
    yield rowOf(fieldsOf(parsed(await wholeText(file, MAX_BYTES))))
  },
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return {}
  }
}

/** The text with its headings and formatted words; undefined where it has none. */
const formattedHtml = (html: string): string | undefined =>
  /<h[1-6]\b/i.test(html) || hasSpanStyles(html) ? withSpanElements(html) : undefined

function rowOf(fields: Fields): RawRow {
  const place = { entry: 1 }
  const title = textOf(fields.title)
  const editedAt = numericDate(textOf(fields.userEditedTimestampUsec))
  // Keep writes the time of the last change into each note: without it the file is cut off or not Keep's.
  if (editedAt === undefined) return { place, state: 'broken', reason: 'importIncomplete', title }
  if (isYes(fields.isTrashed)) return { place, state: 'ignored', reason: 'importInTrash', title }
  const tasks = listOf(fields.listContent).map((one) => {
    const { text, isChecked } = fieldsOf(one)
    return { text: textOf(text), done: isYes(isChecked) }
  })
  const text = textOf(fields.textContent)
  const pages = listOf(fields.annotations).flatMap((one) => {
    const url = textOf(fieldsOf(one).url)
    return url === '' || text.includes(url) ? [] : [linkParagraph(url)]
  })
  const files = listOf(fields.attachments).length
  const remarks: ImportReason[] = files > 0 ? [`importAttachments:${files}`] : []
  // With whom the note is shared, its owner among them.
  const isShared = listOf(fields.sharees).some((one) => !isYes(fieldsOf(one).isOwner))
  remarks.push(...remarkOnOthers(isShared ? 1 : 0))
  return {
    place,
    title,
    body: [
      formattedHtml(textOf(fields.textContentHtml)) ?? textToHtml(text),
      taskListHtml(tasks),
      ...pages,
    ].join(''),
    tags: namesOf(fields.labels),
    // Older exports have no time of the creation.
    createdAt: numericDate(textOf(fields.createdTimestampUsec)) ?? editedAt,
    updatedAt: editedAt,
    pinned: isYes(fields.isPinned),
    states: isYes(fields.isArchived) ? ['archived'] : [],
    remarks,
  }
}
