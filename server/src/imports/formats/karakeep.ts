import { markdownToHtml } from '@kopilka/text/markdown.ts'
import { textToHtml } from '@kopilka/text/text-to-html.ts'
import type { Adapter } from '../adapter.ts'
import { dateOf } from '../dates.ts'
import { elementsOf } from '../json-events.ts'
import type { RawRow } from '../row.ts'
import { linkParagraph } from '../text-body.ts'
import { fieldsOf, folderPaths, isYes, listOf, namesOf, textOf } from '../values.ts'

/** Karakeep's (once Hoarder's) export: bookmarks that are links or texts in Markdown, and the lists that hold them. */
export const karakeep: Adapter = {
  id: 'karakeep-json',
  recognises: ({ json }) =>
    json.has('bookmarks.*.content') || (json.has('bookmarks') && json.has('lists.*.parentId')),
  async *rows(file): AsyncGenerator<RawRow> {
    const lists = new Map<string, { name: string; parent: string | null }>()
    for await (const { value } of elementsOf(file, 'lists')) {
      const { id, name, parentId } = fieldsOf(value)
      lists.set(textOf(id), { name: textOf(name), parent: textOf(parentId) || null })
    }
    const pathOf = folderPaths(lists)
    for await (const { value, entry } of elementsOf(file, 'bookmarks')) yield rowOf(value, entry, pathOf)
  },
}

function rowOf(value: unknown, entry: number, pathOf: (id: string) => string[]): RawRow {
  const fields = fieldsOf(value)
  const { type, url, text, sourceUrl } = fieldsOf(fields.content)
  const title = textOf(fields.title)
  const note = textToHtml(textOf(fields.note)) + textToHtml(textOf(fields.summary))
  const common = {
    place: { entry },
    title,
    tags: namesOf(fields.tags),
    folders: listOf(fields.lists).map((id) => pathOf(textOf(id))),
    createdAt: dateOf(fields.createdAt),
    states: [
      ...(isYes(fields.archived) ? (['archived'] as const) : []),
      ...(isYes(fields.favourited) ? (['starred'] as const) : []),
    ],
  }
  if (type === 'link') return { ...common, url: textOf(url), body: note }
  const source = textOf(sourceUrl).trim()
  const end = note + (source && linkParagraph(source))
  if (type === 'text') return { ...common, body: markdownToHtml(textOf(text)) + end }
  // Files and pictures are not in the export, only their names and notes.
  if (note !== '') return { ...common, body: end, remarks: ['importAttachments:1'] }
  return { place: { entry }, state: 'ignored', reason: 'importFileOfOther', title, url: source || undefined }
}
