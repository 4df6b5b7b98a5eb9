import type { TreeAdapter } from '../adapter.ts'
import { parseDate } from '../dates.ts'
import { wholeText } from '../file.ts'
import { readMarkdown } from '../markdown.ts'
import { ImportError, type ImportReason, type RawRow } from '../row.ts'
import { linkParagraph } from '../text-body.ts'
import type { FileTree } from '../trees.ts'
import { folderPaths } from '../values.ts'

/** Bytes of one item. */
const MAX_BYTES = 8 * 1024 * 1024

/** `type_` of Joplin's items. */
const [NOTE, FOLDER, TAG, NOTE_TAG] = ['1', '2', '5', '6'] as const

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
    for await (const { item } of itemsOf(tree)) {
      if (!item) continue
      const { type_, id = '', parent_id, note_id = '', tag_id = '' } = item.fields
      if (type_ === FOLDER) folders.set(id, { name: item.title, parent: parent_id || null })
      else if (type_ === TAG) tags.set(id, item.title)
      else if (type_ === NOTE_TAG) tagsByNote.set(note_id, [...(tagsByNote.get(note_id) ?? []), tag_id])
    }
    const pathOf = folderPaths(folders)
    for await (const { item, path } of itemsOf(tree)) {
      const place = { file: path }
      if (!item) yield { place, state: 'broken', reason: 'importLongEntry' }
      else if (item.fields.type_ === NOTE) {
        const names = (tagsByNote.get(item.fields.id ?? '') ?? []).map((id) => tags.get(id) ?? '')
        yield rowOf(item, path, names, pathOf(item.fields.parent_id ?? ''))
      }
    }
  },
}

const ITEM_NAME = /(?:^|\/)[\da-f]{32}\.md$/

/** The items of an export; undefined for one that is too long. */
async function* itemsOf(tree: FileTree): AsyncGenerator<{ path: string; item: Item | undefined }> {
  for await (const file of tree.files()) {
    if (!ITEM_NAME.test(file.name)) continue
    const text = await wholeText(file, MAX_BYTES).catch((error: unknown) => {
      if (error instanceof ImportError && error.code === 'importLongEntry') return undefined
      throw error
    })
    yield { path: file.name, item: text === undefined ? undefined : read(text) }
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

function rowOf({ title, body, fields }: Item, path: string, tags: string[], folder: string[]): RawRow {
  const place = { file: path }
  if (fields.encryption_applied === '1') return { place, state: 'broken', reason: 'importEncrypted', title }
  // Joplin keeps what is in its trash for a while.
  if (/^[1-9]/.test(fields.deleted_time ?? ''))
    return { place, state: 'ignored', reason: 'importInTrash', title }
  const { html, attachments } =
    fields.markup_language === '2' ? { html: body, attachments: 0 } : readMarkdown(body)
  const isDone = fields.is_todo === '1' && (fields.todo_completed ?? '0') !== '0'
  const remarks: ImportReason[] = attachments > 0 ? [`importAttachments:${attachments}`] : []
  return {
    place,
    title,
    body: html + (fields.source_url ? linkParagraph(fields.source_url) : ''),
    tags,
    folders: [folder],
    createdAt: parseDate(fields.user_created_time) ?? parseDate(fields.created_time),
    updatedAt: parseDate(fields.user_updated_time) ?? parseDate(fields.updated_time),
    states: isDone ? ['done'] : [],
    remarks,
  }
}
