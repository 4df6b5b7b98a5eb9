import { markdownToHtml } from '@kopilka/text/markdown.ts'
import { textToHtml } from '@kopilka/text/text-to-html.ts'
import type { Adapter } from '../adapter.ts'
import { dateOf } from '../dates.ts'
import { elementsOf } from '../json-events.ts'
import type { RawRow } from '../row.ts'
import { fieldsOf, isYes, namesOf, textOf } from '../values.ts'

/** Simplenote's notes.json: the first line of a note is its title. Notes in its trash are left there. */
export const simplenote: Adapter = {
  id: 'simplenote',
  recognises: ({ json }) => json.has('activeNotes') || json.has('trashedNotes'),
  async *rows(file): AsyncGenerator<RawRow> {
    let count = 0
    for await (const { value, entry } of elementsOf(file, 'activeNotes')) {
      count = entry
      const fields = fieldsOf(value)
      const [title = '', ...lines] = textOf(fields.content).replace(/^\s+/, '').split(/\r?\n/)
      const text = lines.join('\n')
      yield {
        place: { entry },
        title: title.replace(/^#+\s+/, ''),
        body: isYes(fields.markdown) ? markdownToHtml(text) : textToHtml(text),
        tags: namesOf(fields.tags),
        createdAt: dateOf(fields.creationDate),
        updatedAt: dateOf(fields.lastModified),
        pinned: isYes(fields.pinned),
      }
    }
    for await (const { value, entry } of elementsOf(file, 'trashedNotes')) {
      const [title] = textOf(fieldsOf(value).content).trim().split(/\r?\n/)
      yield { place: { entry: count + entry }, state: 'ignored', reason: 'importInTrash', title }
    }
  },
}
