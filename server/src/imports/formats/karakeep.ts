import { textToHtml } from '@kopilka/text/text-to-html.ts'
import type { Adapter } from '../adapter.ts'
import { dateOf } from '../dates.ts'
import { isLinkable } from '../finish-row.ts'
import { createFolderValues } from '../folder-values.ts'
import { elementsOf } from '../json-events.ts'
import { readMarkdown } from '../markdown.ts'
import { type RawRow, remarksOn } from '../row.ts'
import { linkParagraph } from '../text-body.ts'
import { countFilled, fieldsOf, folderPaths, isYes, listOf, namesOf, textOf } from '../values.ts'

/** Karakeep's (once Hoarder's) export: bookmarks that are links or texts in Markdown, and the lists that hold them. */
export const karakeep: Adapter = {
  id: 'karakeep-json',
  recognises: ({ json }) =>
    json.has('bookmarks.*.content') || (json.has('bookmarks') && json.has('lists.*.parentId')),
  async *rows(file): AsyncGenerator<RawRow> {
    const lists = new Map<string, { name: string; parent: string | null }>()
    /** The descriptions and queries of lists. */
    const values = createFolderValues()
    for await (const { value } of elementsOf(file, 'lists')) {
      const fields = fieldsOf(value)
      const id = textOf(fields.id)
      lists.set(id, { name: textOf(fields.name), parent: textOf(fields.parentId) || null })
      const [descriptions, others] = [countFilled(fields, ['description']), countFilled(fields, ['query'])]
      values.add(id, { descriptions, others })
    }
    const pathOf = folderPaths(lists)
    let count = 0
    for await (const { value, entry } of elementsOf(file, 'bookmarks')) {
      count = entry
      yield rowOf(value, entry, { pathOf, takeOfList: values.take })
    }
    yield* values.takeRows(count, (id) => lists.get(id)?.name)
  },
}

interface Context {
  readonly pathOf: (id: string) => string[]
  /** How many values of a list no row has mentioned yet. */
  readonly takeOfList: (id: string) => number
}

function rowOf(value: unknown, entry: number, { pathOf, takeOfList }: Context): RawRow {
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
  /** The user's own values and those of the lists: they have no place here. */
  const countOthers = (): number => {
    const own = listOf(fields.customMetadata).length || Object.keys(fieldsOf(fields.customMetadata)).length
    return listOf(fields.lists).reduce<number>((sum, id) => sum + takeOfList(textOf(id)), own)
  }
  if (type === 'link') {
    const address = textOf(url)
    // A row that is not imported mentions none.
    const remarks = remarksOn(0, isLinkable(address) ? countOthers() : 0)
    return { ...common, url: address, body: note, remarks }
  }
  const source = textOf(sourceUrl).trim()
  const end = note + (source && linkParagraph(source))
  if (type === 'text') {
    const { html, attachments, comments } = readMarkdown(textOf(text))
    return { ...common, body: html + end, remarks: remarksOn(attachments, comments + countOthers()) }
  }
  // Files and pictures are not in the export, only their names and notes.
  if (note !== '') return { ...common, body: end, remarks: remarksOn(1, countOthers()) }
  return { place: { entry }, state: 'ignored', reason: 'importFileOfOther', title, url: source || undefined }
}
