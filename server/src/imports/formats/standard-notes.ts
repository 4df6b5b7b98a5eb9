import { escapeHtml } from '@kopilka/text/escape-html.ts'
import { type Task, taskListHtml } from '@kopilka/text/task-lists.ts'
import { textToHtml } from '@kopilka/text/text-to-html.ts'
import type { Adapter } from '../adapter.ts'
import { dateOf } from '../dates.ts'
import { elementsOf } from '../json-events.ts'
import { readLexical } from '../lexical.ts'
import { readMarkdown } from '../markdown.ts'
import { type ItemState, type RawRow, remarksOn } from '../row.ts'
import { codeBlock } from '../text-body.ts'
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
      // What the backup says of a file; its bytes are none of it.
      if (fields.content_type === 'File')
        yield {
          ...{ place: { entry }, state: 'ignored', reason: 'importFileOfOther' },
          title: textOf(fieldsOf(fields.content).name),
        }
      // Others are tags, settings and parts of the program.
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
  const { html, attachments = 0, comments = 0 } = bodyOf(textOf(content.text), textOf(content.noteType))
  return {
    place,
    title,
    body: html,
    tags,
    createdAt: dateOf(fields.created_at),
    updatedAt: dateOf(own.client_updated_at, fields.updated_at),
    pinned: isYes(own.pinned),
    states,
    remarks: remarksOn(attachments, comments),
  }
}

interface Body {
  readonly html: string
  readonly attachments?: number
  readonly comments?: number
}

function bodyOf(text: string, type: string): Body {
  if (type === 'markdown') return readMarkdown(text)
  if (type === 'code') return { html: text === '' ? '' : codeBlock(text) }
  if (type === 'rich-text' || /^\s*<(?:p|div|h\d|ul|ol|blockquote)\b/i.test(text)) return { html: text }
  // The editor Super.
  const document = type === 'super' || text.startsWith('{"root":') ? readLexical(text) : undefined
  const tasks = type === 'task' ? tasksIn(text) : undefined
  return document ?? { html: tasks ?? textToHtml(text) }
}

/** The editor of tasks keeps them in groups, in JSON; older ones are lines of text. */
function tasksIn(text: string): string | undefined {
  try {
    const { groups } = fieldsOf(JSON.parse(text))
    if (!Array.isArray(groups)) return undefined
    return listOf(groups)
      .map((group) => {
        const { name, tasks } = fieldsOf(group)
        const heading = textOf(name) === '' ? '' : `<h3>${escapeHtml(textOf(name))}</h3>`
        return heading + taskListHtml(listOf(tasks).map(taskOf))
      })
      .join('')
  } catch {
    return undefined
  }
}

function taskOf(value: unknown): Task {
  const { description, completed } = fieldsOf(value)
  return { text: textOf(description), done: isYes(completed) }
}
