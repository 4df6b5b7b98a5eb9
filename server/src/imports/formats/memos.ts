import type { Adapter } from '../adapter.ts'
import { dateOf } from '../dates.ts'
import type { ImportFile } from '../file.ts'
import { elementsOf } from '../json-events.ts'
import { readMarkdown } from '../markdown.ts'
import { type RawRow, remarksOn } from '../row.ts'
import { countFilled, type Fields, fieldsOf, isYes, listOf, namesOf, textOf } from '../values.ts'
import { listItems } from './json-links.ts'

/** Memos, as its API responds to `GET /api/v1/memos` (also older versions): Markdown, with #tags in the text. */
export const memos: Adapter = {
  id: 'memos',
  recognises: ({ json }) =>
    json.has('memos.*.content') ||
    json.has('data.*.createdTs') ||
    (json.has('*.content') &&
      (json.has('*.createdTs') || json.has('*.createTime') || json.has('*.rowStatus'))),
  async *rows(file): AsyncGenerator<RawRow> {
    for await (const { fields, entry } of memosOf(file)) yield rowOf(fields, entry)
  },
}

async function* memosOf(file: ImportFile): AsyncGenerator<{ fields: Fields; entry: number }> {
  let isList = true
  for (const list of ['memos', 'data'])
    for await (const { value, entry } of elementsOf(file, list)) {
      isList = false
      yield { fields: fieldsOf(value), entry }
    }
  if (isList) yield* listItems(file)
}

function rowOf(fields: Fields, entry: number): RawRow {
  const text = textOf(fields.content)
  const { html, heading, htmlWithoutHeading, tags, comments } = readMarkdown(text)
  const isArchived = /archived/i.test(textOf(fields.state) || textOf(fields.rowStatus))
  const files = listOf(fields.attachments ?? fields.resources ?? fields.resourceList).length
  const others = countFilled(fields, ['location', 'relations', 'relationList', 'reactions'])
  return {
    place: { entry },
    title: heading,
    body: heading ? htmlWithoutHeading : html,
    tags: [...namesOf(fields.tags), ...tags],
    createdAt: dateOf(fields.createTime ?? fields.displayTime ?? fields.createdTs),
    updatedAt: dateOf(fields.updateTime ?? fields.updatedTs),
    pinned: isYes(fields.pinned),
    states: isArchived ? ['archived'] : [],
    remarks: remarksOn(files, others + comments),
  }
}
