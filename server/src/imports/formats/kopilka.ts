import { MAX_VERSIONS } from '@kopilka/contract/limits.ts'
import type { Adapter, TreeAdapter } from '../adapter.ts'
import { parseDate } from '../dates.ts'
import { type ImportFile, textOf } from '../file.ts'
import { elementsOf } from '../json-events.ts'
import { type Entry, ImportError, type ImportedVersion, type RawRow } from '../row.ts'
import { type Fields, fieldsOf, listOf, textOf as stringOf } from '../values.ts'

/** Of the format that exports/formats/archive.ts writes. */
const VERSION = 1
const FILE = 'kopilka.json'
const README = 'README.txt'
/** Of its pictures, by their ids. */
const PICTURE = /(?:^|\/)files\/([\da-f-]{36})\.[a-z]{3,4}$/
/** UTF-16 units of a line: the longest text, each character written as an escape. */
const MAX_LINE = 8_000_000
/** UTF-16 units of the earlier versions of one item that are held at once: older ones are left out. */
const MAX_HELD = 32_000_000

/** The lines of Копилка's own archive, unpacked. */
export const kopilka: Adapter = {
  id: 'kopilka',
  recognises: ({ head }) => /^\uFEFF?\{"type":"kopilka",/.test(head),
  rows,
}

const isLines = (path: string): boolean => path === FILE || path.endsWith(`/${FILE}`)

/** The folder that has the archive, with a slash at its end: systems unpack a zip into a folder, and pack that as one. */
const folderOf = (paths: readonly string[]): string | undefined => paths.find(isLines)?.slice(0, -FILE.length)

/** Whether an archive has a file by this name, besides what was laid into it since. */
const isOwn = (name: string): boolean => name === FILE || name === README || PICTURE.test(name)

/** Копилка's own archive. */
export const kopilkaArchive: TreeAdapter = {
  id: 'kopilka',
  recognises: (paths) => {
    const folder = folderOf(paths)
    if (folder === undefined) return false
    const isInside = (path: string) => path.startsWith(folder)
    return paths.includes(folder + README)
      ? paths.every(isInside)
      : paths.every((path) => isInside(path) && isOwn(path.slice(folder.length)))
  },
  async *rows(tree): AsyncGenerator<RawRow> {
    for await (const file of tree.files()) {
      const { name } = file
      const pictureId = PICTURE.exec(name)?.[1]
      if (pictureId) yield { place: { file: name }, pictureId, file }
      else if (isLines(name)) yield* rows(file)
      else if (!isOwn(name.split('/').at(-1) ?? ''))
        yield { place: { file: name }, state: 'ignored', reason: 'importUnknownFile', title: name }
    }
  },
}

interface Line {
  readonly line: number
  readonly fields: Fields
}

async function* linesOf(file: ImportFile): AsyncGenerator<Line> {
  let [rest, line] = ['', 0]
  for await (const text of textOf(file)) {
    const parts = (rest + text).split('\n')
    rest = parts.pop() ?? ''
    if (rest.length > MAX_LINE) throw new ImportError('importLongEntry')
    for (const part of parts) {
      line += 1
      if (part.trim() !== '') yield { line, fields: parsed(part, 'importBrokenJson') }
    }
  }
  if (rest.trim() !== '') yield { line: line + 1, fields: parsed(rest, 'importCutFile') }
}

function parsed(text: string, fault: 'importBrokenJson' | 'importCutFile'): Fields {
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    throw new ImportError(fault)
  }
}

const timeOf = (value: unknown): number | undefined =>
  value === undefined ? undefined : (parseDate(new Date(stringOf(value))) ?? Number.NaN)
/** Also one in the far future: what was in the trash stays there. The saving takes the present for it. */
const deletionOf = (value: unknown): number | undefined => {
  const time = Date.parse(stringOf(value))
  return time > 0 ? time : undefined
}
const namesOf = (value: unknown): string[] => listOf(value).map(stringOf)
const revisionOf = (value: unknown): number =>
  Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : 1

const sizeOf = ({ title, url, body }: ImportedVersion): number =>
  title.length + (url?.length ?? 0) + body.length

/** An item, and the size of its versions so far. */
interface Pending {
  readonly entry: Entry
  readonly versions: ImportedVersion[]
  held: number
  leftOut: number
}

const finished = ({ entry, versions, leftOut }: Pending): Entry => ({
  ...entry,
  versions,
  ...(leftOut > 0 && { remarks: [`importOldVersions:${leftOut}`] as const }),
})

async function* rows(file: ImportFile): AsyncGenerator<RawRow> {
  let pending: Pending | undefined
  for await (const { line, fields } of linesOf(file)) {
    const { type } = fields
    if (type === 'version' && pending) {
      addVersion(pending, fields)
      continue
    }
    if (pending) yield finished(pending)
    pending = undefined
    const place = { line }
    if (type === 'tag') yield { place, tagName: stringOf(fields.name) }
    else if (type === 'note' || type === 'urllink')
      pending = { entry: entryOf(fields, place), versions: [], held: 0, leftOut: 0 }
    else if (type === 'kopilka') {
      if (fields.version !== VERSION) throw new ImportError('importNewerArchive')
    } else yield { place, state: 'broken', reason: 'importIncomplete' }
  }
  if (pending) yield finished(pending)
}

const bodyOf = ({ content, description }: Fields): string => stringOf(description) || stringOf(content)

const entryOf = (fields: Fields, place: Entry['place']): Entry => ({
  place,
  isExact: true,
  ...(fields.type === 'urllink' && { url: stringOf(fields.url) }),
  title: stringOf(fields.title),
  body: bodyOf(fields),
  tags: namesOf(fields.tags),
  createdAt: timeOf(fields.created_at),
  updatedAt: timeOf(fields.updated_at),
  pinned: fields.pinned === true,
  revision: revisionOf(fields.revision),
  deletedAt: deletionOf(fields.deleted_at),
})

function addVersion(pending: Pending, fields: Fields): void {
  const { versions, entry } = pending
  const version = {
    title: stringOf(fields.title),
    url: entry.url === undefined ? null : stringOf(fields.url),
    body: bodyOf(fields),
    tags: namesOf(fields.tags),
    revision: revisionOf(fields.revision),
    savedAt: timeOf(fields.saved_at) || 0,
    replacedAt: timeOf(fields.replaced_at) || 0,
  }
  versions.push(version)
  pending.held += sizeOf(version)
  while (versions.length > MAX_VERSIONS || pending.held > MAX_HELD) {
    const [oldest] = versions.splice(0, 1)
    if (oldest) pending.held -= sizeOf(oldest)
    pending.leftOut += 1
  }
}

/** The JSON that Копилка exports for programs (exports/formats/json.ts), also as they have changed it. */
export const kopilkaJson: Adapter = {
  id: 'kopilka-json',
  recognises: ({ json }) => json.has('exported_at') && json.has('tags'),
  async *rows(file): AsyncGenerator<RawRow> {
    for await (const { value, entry } of elementsOf(file, 'tags'))
      yield { place: { entry }, tagName: stringOf(value) }
    for await (const { value, entry } of elementsOf(file, 'items')) {
      const fields = fieldsOf(value)
      const { kind } = fields
      if (kind === 'note' || kind === 'urllink') yield entryOf({ ...fields, type: kind }, { entry })
      else yield { place: { entry }, state: 'broken', reason: 'importIncomplete' }
    }
  },
}
