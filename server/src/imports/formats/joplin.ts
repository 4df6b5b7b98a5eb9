import type { TreeAdapter } from '../adapter.ts'
import { dateOf } from '../dates.ts'
import { wholeText } from '../file.ts'
import { readMarkdown } from '../markdown.ts'
import { faultOf, type ImportMessage, type RawRow, remarksOn } from '../row.ts'
import { linkParagraph } from '../text-body.ts'
import type { FileTree } from '../trees.ts'
import { folderPaths } from '../values.ts'

/** Bytes of one item. */
const MAX_BYTES = 8 * 1024 * 1024

/** `type_` of Joplin's items. */
const [NOTE, FOLDER, RESOURCE, TAG, NOTE_TAG] = ['1', '2', '4', '5', '6'] as const
/** Those that notes are read with. */
const READ_WITH_NOTES: readonly string[] = [FOLDER, TAG, NOTE_TAG]

interface Item {
  readonly title: string
  readonly body: string
  readonly fields: Readonly<Record<string, string>>
}

/** Joplin's JEX (a tar) or RAW folder: each item a .md file that ends with its fields; notes refer to notebooks by id, tags to notes. */
export const joplin: TreeAdapter = {
  id: 'joplin',
  recognises: (paths) => paths.some((path) => ITEM_NAME.test(path)),
  async *rows(tree): AsyncGenerator<RawRow> {
    const folders = new Map<string, { name: string; parent: string | null }>()
    const tags = new Map<string, string>()
    const tagsByNote = new Map<string, string[]>()
    const resources = new Set<string>()
    const shown = new Set<string>()
    for await (const { item } of itemsOf(tree)) {
      if (!item) continue
      const { type_, id = '', parent_id, note_id = '', tag_id = '' } = item.fields
      if (type_ === RESOURCE) resources.add(id)
      else if (type_ === NOTE) for (const one of idsIn(item.body)) shown.add(one)
      else if (type_ === FOLDER) folders.set(id, { name: item.title, parent: parent_id || null })
      else if (type_ === TAG) tags.set(id, item.title)
      else if (type_ === NOTE_TAG) {
        const known = tagsByNote.get(note_id)
        if (known) known.push(tag_id)
        else tagsByNote.set(note_id, [tag_id])
      }
    }
    const pathOf = folderPaths(folders)
    for await (const { path, item, fault } of itemsOf(tree)) {
      const place = { file: path }
      if (fault) yield { place, state: 'broken', reason: fault, title: path }
      else if (!item) {
        // Of a file that is a resource, its item tells, or the note that shows it.
        if (!resources.has(RESOURCE_FILE.exec(path)?.[1] ?? ''))
          yield { place, state: 'ignored', reason: 'importUnknownFile', title: path }
      } else {
        const { type_, id = '', parent_id = '' } = item.fields
        if (type_ === NOTE) {
          const names = (tagsByNote.get(id) ?? []).map((tag) => tags.get(tag) ?? '')
          const files = idsIn(item.body).filter((one) => resources.has(one)).length
          yield rowOf(item, path, { tags: names, folder: pathOf(parent_id), files })
        } else if (type_ === undefined)
          yield { place, state: 'broken', reason: 'importIncomplete', title: item.title }
        else if (type_ === RESOURCE) {
          if (!shown.has(id))
            yield { place, state: 'ignored', reason: 'importFileOfOther', title: item.title }
        } else if (!READ_WITH_NOTES.includes(type_))
          yield { place, state: 'ignored', reason: 'importUnknownFile', title: item.title }
      }
    }
  },
}

const ITEM_NAME = /(?:^|\/)[\da-f]{32}\.md$/
const RESOURCE_FILE = /(?:^|\/)resources\/([\da-f]{32})(?:\.[^/]*)?$/

/** The items that a note refers to: other notes, and resources. */
const idsIn = (body: string): string[] => [
  ...new Set(Array.from(body.matchAll(/:\/([\da-f]{32})/g), ([, id = '']) => id)),
]

interface Read {
  readonly path: string
  /** Undefined where the file is none, or cannot be read. */
  readonly item?: Item
  readonly fault?: ImportMessage
}

/** The files of an export. */
async function* itemsOf(tree: FileTree): AsyncGenerator<Read> {
  for await (const file of tree.files()) {
    const path = file.name
    if (!ITEM_NAME.test(path)) {
      yield { path }
      continue
    }
    try {
      yield { path, item: read(await wholeText(file, MAX_BYTES)) }
    } catch (error) {
      yield { path, fault: faultOf(error) }
    }
  }
}

/** The title is the first line, the fields are the lines after the last empty one. */
function read(text: string): Item {
  const lines = text.replace(/\r\n/g, '\n').trimEnd().split('\n')
  let start = lines.length
  while (start > 0 && /^[a-z_]+:(?: |$)/.test(lines[start - 1] ?? '')) start -= 1
  const fields = Object.fromEntries(
    lines
      .slice(start)
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const [title = '', ...body] = lines.slice(0, start)
  return { title, body: body.join('\n').trim(), fields }
}

interface NoteContext {
  readonly tags: string[]
  readonly folder: string[]
  /** Resources that it shows. */
  readonly files: number
}

function rowOf({ title, body, fields }: Item, path: string, { tags, folder, files }: NoteContext): RawRow {
  const place = { file: path }
  if (fields.encryption_applied === '1') return { place, state: 'broken', reason: 'importEncrypted', title }
  // Joplin keeps what is in its trash for a while.
  if (/^[1-9]/.test(fields.deleted_time ?? ''))
    return { place, state: 'ignored', reason: 'importInTrash', title }
  const {
    html,
    attachments: pictures,
    comments,
  } = fields.markup_language === '2' ? { html: body, attachments: 0, comments: 0 } : readMarkdown(body)
  const attachments = Math.max(pictures, files)
  const isDone = fields.is_todo === '1' && (fields.todo_completed ?? '0') !== '0'
  const isDue = !isDone && /^[1-9]/.test(fields.todo_due ?? '')
  const hasPlace = /[1-9]/.test(`${fields.latitude}${fields.longitude}`)
  const others = [isDue, hasPlace, fields.author].filter(Boolean).length
  return {
    place,
    title,
    body: html + (fields.source_url ? linkParagraph(fields.source_url) : ''),
    tags,
    folders: [folder],
    createdAt: dateOf(fields.user_created_time, fields.created_time),
    updatedAt: dateOf(fields.user_updated_time, fields.updated_time),
    states: isDone ? ['done'] : [],
    remarks: remarksOn(attachments, others + comments),
  }
}
