import { type Task, taskListHtml } from '@kopilka/text/task-lists.ts'
import type { Adapter } from '../adapter.ts'
import { dateOf } from '../dates.ts'
import { enmlToHtml } from '../enml.ts'
import { textOf } from '../file.ts'
import { type Entry, type ImportReason, type RawRow, remarkOnOthers } from '../row.ts'
import { tagEvents } from '../tag-reader.ts'
import { linkParagraph } from '../text-body.ts'

/** UTF-16 units of a field of a note; its pictures are not among them. */
const MAX_FIELD = 16 * 1024 * 1024

const KEPT = new Set([
  'title',
  'content',
  'created',
  'updated',
  'tag',
  'source-url',
  'author',
  'reminder-order',
  'reminder-time',
  'reminder-done-time',
  'latitude',
  'place-name',
  'subject-date',
  'taskstatus',
  'duedate',
])

/** Attributes of a note that have no place here. */
const OTHERS = ['author', 'latitude', 'place-name', 'subject-date']

const ELEMENTS = new Set([...KEPT, 'en-export', 'note', 'resource', 'task', 'reminder'])

interface Note {
  fields: Map<string, string>
  tags: string[]
  /** The tasks beside the text. */
  tasks: Task[]
  /** Of the tasks. */
  datesAndReminders: number
  resources: number
}

const newNote = (): Note => ({ fields: new Map(), tags: [], tasks: [], datesAndReminders: 0, resources: 0 })

/** Evernote's .enex: XML whose notes hold XML again (ENML), near enough to HTML. */
export const evernote: Adapter = {
  id: 'evernote-enex',
  recognises: ({ head }) => /<en-export\b/i.test(head),
  async *rows(file): AsyncGenerator<RawRow> {
    let note: Note | undefined
    let [field, text, count] = ['', '', 0]
    let [isTask, isResource, isOpen] = [false, false, false]
    for await (const event of tagEvents(textOf(file), { xml: true, only: ELEMENTS })) {
      if (event.type === 'text') {
        if (field !== '' && text.length < MAX_FIELD) text += event.text
        continue
      }
      const { name } = event
      if (name === 'note') {
        if (note) {
          count += 1
          yield entryOf(note, count)
        }
        note = event.type === 'open' ? newNote() : undefined
      } else if (name === 'en-export') isOpen = event.type === 'open'
      else if (name === 'task') isTask = event.type === 'open'
      else if (name === 'reminder') {
        if (note && isTask && event.type === 'open') note.datesAndReminders += 1
      } else if (name === 'resource') {
        isResource = event.type === 'open'
        if (note && isResource) note.resources += 1
      } else if (isResource || !note || !KEPT.has(name)) continue
      else if (event.type === 'open') [field, text] = [name, '']
      else if (name === field) {
        keep(note, name, text, isTask)
        field = ''
      }
    }
    // The end of the file is missing: what was read of the note is kept.
    if (note && note.fields.size > 0) {
      count += 1
      yield { ...entryOf(note, count), remarks: ['importCutEntry'] }
    }
    if (isOpen) yield { place: { entry: count + 1 }, state: 'broken', reason: 'importCutFile' }
  },
}

function keep(note: Note, name: string, text: string, isTask: boolean): void {
  if (isTask && name === 'title') note.tasks.push({ text: text.trim(), done: false })
  else if (isTask && name === 'taskstatus' && /completed/i.test(text))
    note.tasks.push({ text: note.tasks.pop()?.text ?? '', done: true })
  else if (isTask && name === 'duedate') note.datesAndReminders += text.trim() === '' ? 0 : 1
  else if (name === 'tag') note.tags.push(text)
  else if (!isTask) note.fields.set(name, text)
}

function entryOf({ fields, tags, tasks, datesAndReminders, resources }: Note, entry: number): Entry {
  const content = fields.get('content') ?? ''
  const source = fields.get('source-url')?.trim() ?? ''
  const remarks: ImportReason[] = []
  if (resources > 0) remarks.push(`importAttachments:${resources}`)
  const isDone = fields.has('reminder-done-time')
  const isReminder = fields.has('reminder-time') || /^[1-9]/.test(fields.get('reminder-order')?.trim() ?? '')
  const others = OTHERS.filter((name) => (fields.get(name)?.trim() ?? '') !== '').length
  remarks.push(...remarkOnOthers(others + (isReminder && !isDone ? 1 : 0) + datesAndReminders))
  if (/<en-crypt\b/i.test(content)) remarks.push('importEncryptedPart')
  return {
    place: { entry },
    title: fields.get('title'),
    body: enmlToHtml(content) + taskListHtml(tasks) + (/^https?:/i.test(source) ? linkParagraph(source) : ''),
    tags,
    createdAt: dateOf(fields.get('created')),
    updatedAt: dateOf(fields.get('updated')),
    states: isDone ? ['done'] : [],
    remarks,
  }
}
