import { markdownToHtml } from '@kopilka/text/markdown.ts'
import { textToHtml } from '@kopilka/text/text-to-html.ts'
import type { Adapter } from '../adapter.ts'
import { parseDate } from '../dates.ts'
import { elementsOf } from '../json-events.ts'
import type { ItemState, RawRow } from '../row.ts'
import { type Fields, fieldsOf, folderPaths, isYes, listOf, textOf } from '../values.ts'

/** Standard Notes' backup: notes and the tags that refer to them. Encrypted items are told apart by content that is a text. */
export const standardNotes: Adapter = {
  id: 'standard-notes',
  recognises: ({ json }) => json.has('items.*.content_type'),
  async *rows(file): AsyncGenerator<RawRow> {
    const tags = new Map<string, { name: string; parent: string | null }>()
    const tagsByNote = new Map<string, string[]>()
    for await (const { value } of elementsOf(file, 'items')) {
      const { content_type, uuid, content } = fieldsOf(value)
      if (content_type !== 'Tag') continue
      const { title, references } = fieldsOf(content)
      let parent: string | null = null
      for (const reference of listOf(references)) {
        const { uuid: other, content_type: type } = fieldsOf(reference)
        if (type === 'Tag') parent = textOf(other)
        else tagsByNote.set(textOf(other), [...(tagsByNote.get(textOf(other)) ?? []), textOf(uuid)])
      }
      tags.set(textOf(uuid), { name: textOf(title), parent })
    }
    const pathOf = folderPaths(tags)
    for await (const { value, entry } of elementsOf(file, 'items')) {
      const fields = fieldsOf(value)
      if (fields.content_type !== 'Note') continue
      const names = (tagsByNote.get(textOf(fields.uuid)) ?? []).map((id) => pathOf(id).join('/'))
      yield rowOf(fields, entry, names)
    }
  },
}

function rowOf(fields: Fields, entry: number, tags: string[]): RawRow {
  const place = { entry }
  if (typeof fields.content === 'string') return { place, state: 'broken', reason: 'importEncrypted' }
  const content = fieldsOf(fields.content)
  const title = textOf(content.title)
  if (isYes(content.trashed) || isYes(fields.deleted))
    return { place, state: 'ignored', reason: 'importInTrash', title }
  const own = fieldsOf(fieldsOf(content.appData)['org.standardnotes.sn'])
  const states: ItemState[] = isYes(own.archived) ? ['archived'] : []
  if (isYes(content.starred)) states.push('starred')
  return {
    place,
    title,
    body: bodyOf(textOf(content.text), textOf(content.noteType)),
    tags,
    createdAt: parseDate(fields.created_at),
    updatedAt: parseDate(own.client_updated_at) ?? parseDate(fields.updated_at),
    pinned: isYes(own.pinned),
    states,
  }
}

function bodyOf(text: string, type: string): string {
  if (type === 'markdown') return markdownToHtml(text)
  if (type === 'rich-text' || /^\s*<(?:p|div|h\d|ul|ol|blockquote)\b/i.test(text)) return text
  const document = type === 'super' || text.startsWith('{"root":') ? documentOf(text) : undefined
  return document === undefined ? textToHtml(text) : textToHtml(linesOf(document, 0).join('\n'))
}

/** A note of the editor Super is a tree in JSON (Lexical). */
function documentOf(text: string): unknown {
  try {
    return fieldsOf(JSON.parse(text)).root
  } catch {
    return undefined
  }
}

const BLOCKS = new Set(['paragraph', 'heading', 'listitem', 'quote', 'code', 'tablecell'])

/** The lines of such a tree; deeper than any editor nests, nothing is looked for. */
function linesOf(node: unknown, depth: number): string[] {
  const { type, text, children, checked } = fieldsOf(node)
  if (typeof text === 'string') return [text]
  if (type === 'linebreak') return ['\n']
  if (depth > 100) return []
  const inner = listOf(children).flatMap((child) => linesOf(child, depth + 1))
  if (!BLOCKS.has(textOf(type))) return inner
  const mark = typeof checked === 'boolean' ? (checked ? '[x] ' : '[ ] ') : ''
  return [mark + inner.join('')]
}
