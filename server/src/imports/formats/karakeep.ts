import { textToHtml } from '@kopilka/text/text-to-html.ts'
import type { Adapter } from '../adapter.ts'
import { dateOf } from '../dates.ts'
import { isLinkable } from '../finish-row.ts'
import { elementsOf } from '../json-events.ts'
import { readMarkdown } from '../markdown.ts'
import {
  describedFolder,
  type Entry,
  isRejection,
  type RawRow,
  type Rejection,
  remarkOnOthers,
  remarksOn,
} from '../row.ts'
import { linkParagraph } from '../text-body.ts'
import { countFilled, fieldsOf, folderPaths, isYes, listOf, namesOf, textOf } from '../values.ts'

/** Karakeep's (once Hoarder's) export: bookmarks that are links or texts in Markdown, and the lists that hold them. */
export const karakeep: Adapter = {
  id: 'karakeep-json',
  recognises: ({ json }) =>
    json.has('bookmarks.*.content') || (json.has('bookmarks') && json.has('lists.*.parentId')),
  async *rows(file): AsyncGenerator<RawRow> {
    const lists = new Map<string, { name: string; parent: string | null }>()
    /** How many values of lists are not imported, which no row has mentioned yet: descriptions and queries. */
    const described = new Map<string, number>()
    const withQuery = new Set<string>()
    for await (const { value } of elementsOf(file, 'lists')) {
      const fields = fieldsOf(value)
      const id = textOf(fields.id)
      lists.set(id, { name: textOf(fields.name), parent: textOf(fields.parentId) || null })
      const count = countFilled(fields, ['description', 'query'])
      if (count > 0) described.set(id, count)
      if (countFilled(fields, ['query']) > 0) withQuery.add(id)
    }
    const pathOf = folderPaths(lists)
    let count = 0
    for await (const { value, entry } of elementsOf(file, 'bookmarks')) {
      count = entry
      const row = rowOf(value, entry, pathOf)
      yield isRejection(row) || (row.url !== undefined && !isLinkable(row.url))
        ? row
        : { ...row, remarks: [...(row.remarks ?? []), ...remarkOnOthers(othersIn(value, described))] }
    }
    for (const [id, values] of described) {
      count += 1
      yield describedFolder(count, lists.get(id)?.name ?? '', withQuery.has(id) ? values : undefined)
    }
  },
}

/** How many values have no place here: the user's own, and those of its lists that no row has mentioned yet. */
function othersIn(value: unknown, described: Map<string, number>): number {
  const { customMetadata, lists } = fieldsOf(value)
  let count = listOf(customMetadata).length || Object.keys(fieldsOf(customMetadata)).length
  for (const id of listOf(lists).map(textOf)) {
    count += described.get(id) ?? 0
    described.delete(id)
  }
  return count
}

function rowOf(value: unknown, entry: number, pathOf: (id: string) => string[]): Entry | Rejection {
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
  if (type === 'text') {
    const { html, attachments, comments } = readMarkdown(textOf(text))
    return { ...common, body: html + end, remarks: remarksOn(attachments, comments) }
  }
  // Files and pictures are not in the export, only their names and notes.
  if (note !== '') return { ...common, body: end, remarks: ['importAttachments:1'] }
  return { place: { entry }, state: 'ignored', reason: 'importFileOfOther', title, url: source || undefined }
}
