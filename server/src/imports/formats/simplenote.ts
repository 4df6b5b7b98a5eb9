import { textToHtml } from '@kopilka/text/text-to-html.ts'
import type { Adapter } from '../adapter.ts'
import { dateOf } from '../dates.ts'
import { elementsOf } from '../json-events.ts'
import { readMarkdown } from '../markdown.ts'
import { type RawRow, remarksOn } from '../row.ts'
import { countFilled, fieldsOf, isYes, namesOf, textOf } from '../values.ts'

/** With whom a note is shared, and where it is published. */
const OTHERS = ['collaboratorEmails', 'publicURL']

/**
 * Simplenote's notes.json: the first line of a note is its title. Notes in its trash are left there. What the export says as
 * `pinned` and `markdown`, the service itself keeps as system tags.
 */
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
      const systemTags = new Set(namesOf(fields.systemTags))
      const [isPinned, isMarkdown] = ['pinned', 'markdown'].map(
        (state) => systemTags.delete(state) || isYes(fields[state]),
      )
      const { html, attachments, comments } = isMarkdown ? readMarkdown(text) : plainText(text)
      yield {
        place: { entry },
        title: title.replace(/^#+\s+/, ''),
        body: html,
        tags: namesOf(fields.tags),
        createdAt: dateOf(fields.creationDate),
        updatedAt: dateOf(fields.lastModified),
        pinned: isPinned,
        remarks: remarksOn(attachments, comments + systemTags.size + countFilled(fields, OTHERS)),
      }
    }
    for await (const { value, entry } of elementsOf(file, 'trashedNotes')) {
      const [title] = textOf(fieldsOf(value).content).trim().split(/\r?\n/)
      yield { place: { entry: count + entry }, state: 'ignored', reason: 'importInTrash', title }
    }
  },
}

const plainText = (text: string) => ({ html: textToHtml(text), attachments: 0, comments: 0 })
