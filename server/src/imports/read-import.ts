import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Adapter, FormatId } from './adapter.ts'
import { ANNOTATED, readAnnotations } from './annotations.ts'
import { headOf, type ImportFile, openFile } from './file.ts'
import { finishRow } from './finish-row.ts'
import { TREES } from './formats/index.ts'
import { isMozLz4, unpackMozLz4 } from './lz4.ts'
import { ownPicture } from './markdown.ts'
import { containerOf, recognise } from './recognise.ts'
import {
  faultOf,
  ImportError,
  type ImportMessage,
  type ImportRow,
  isRejection,
  type RawRow,
  type Rejection,
} from './row.ts'
import { type FileRoles, rolesIn } from './sources.ts'
import { type FileTree, folderTree, MAX_UNPACKED, onDisk, tarTree, type Unpacking, zipTree } from './trees.ts'

interface Reading {
  readonly format: FormatId
  readonly rows: AsyncIterable<ImportRow>
}

/**
 * Reads what somebody exported from another tool: a file, or a folder of them. Finds the format by the content. Throws
 * `ImportError` where no format is known or the file cannot be read; so may the rows. A zip within a zip lies at `unpacked`
 * while it is read, which may not end where the thread does.
 */
export async function readImport(
  path: string,
  name?: string,
  {
    unpacked = join(tmpdir(), `kopilka-import-${randomUUID()}`),
    maxUnpacked = MAX_UNPACKED,
  }: { unpacked?: string; maxUnpacked?: number } = {},
): Promise<Reading> {
  const unpacking = { path: unpacked, maxBytes: Math.min(maxUnpacked, MAX_UNPACKED) }
  const { format, rows } = await rawRows(path, name, unpacking)
  return { format, rows: finished(rows) }
}

async function* finished(rows: AsyncIterable<RawRow>): AsyncGenerator<ImportRow> {
  for await (const row of rows) yield finishRow(row)
}

interface RawReading {
  readonly format: FormatId
  readonly rows: AsyncIterable<RawRow>
}

async function rawRows(path: string, name: string | undefined, unpacking: Unpacking): Promise<RawReading> {
  if ((await stat(path)).isDirectory()) return treeRows(folderTree(path), unpacking)
  const file = await openFile(path, name)
  if (file.size === 0) throw new ImportError('importEmptyFile')
  const head = await headOf(file)
  const container = containerOf(head)
  if (container === 'zip') return treeRows(zipTree(path), unpacking)
  if (container === 'tar') return treeRows(tarTree(path), unpacking)
  const text = isMozLz4(head) ? await unpackMozLz4(file) : file
  const adapter = await recognise(text)
  if (!adapter) throw new ImportError('importUnknownFormat')
  return { format: adapter.id, rows: adapter.rows(text) }
}

/** Files that systems and editors leave in archives. */
const SYSTEM = /(?:^|\/)(?:__MACOSX\/|\.[^/.][^/]*(?:\/|$)|Thumbs\.db$|desktop\.ini$)/i

/** Hidden files of which nobody wrote a word: settings of programs, what synchronises, and what macOS adds to each file. */
const SETTINGS =
  /(?:^|\/)(?:__MACOSX\/|\.(?:_|DS_Store$|git|obsidian\/|logseq\/|vscode\/|idea\/|st(?:folder|versions|ignore)|sync)|Thumbs\.db$|desktop\.ini$)/i
/** Obsidian's own trash. */
const TRASH = /(?:^|\/)\.trash\//i

/** Hidden files and the trash are not read; they are named, but for settings. */
function hiddenRow(name: string): Rejection | undefined {
  if (SETTINGS.test(name)) return undefined
  const reason = TRASH.test(name) ? 'importInTrash' : 'importHiddenFile'
  return { place: { file: name }, state: 'ignored', reason, title: name }
}

const withoutSystemFiles = (tree: FileTree): FileTree => ({
  async *files() {
    for await (const file of tree.files()) if (!SYSTEM.test(file.name)) yield file
  },
})

const ANY = /^/

/** Without `unpacking`, a zip in the tree is a file like others. */
async function treeRows(tree: FileTree, unpacking?: Unpacking): Promise<RawReading> {
  const paths: string[] = []
  for await (const { name } of tree.files()) if (!SYSTEM.test(name)) paths.push(name)
  if (paths.length === 0) throw new ImportError('importEmptyFile')
  const adapter = TREES.find(({ recognises }) => recognises(paths))
  if (adapter) return { format: adapter.id, rows: adapter.rows(withoutSystemFiles(tree)) }
  const inner = paths.filter((name) => name.endsWith('.zip'))
  if (unpacking && inner.length > 0 && inner.length === paths.length) return innerRows(tree, unpacking)
  const { entries, roleOf } = rolesIn(paths)
  const isAnnotated = paths.some((name) => ANNOTATED.test(name))
  let fault: ImportMessage | undefined
  for (const shown of entries ? [entries, ANY] : [ANY])
    for await (const file of withoutSystemFiles(tree).files()) {
      if (roleOf(file.name) !== 'read' || !shown.test(file.name)) continue
      const found = await recognised(file)
      if (typeof found === 'string') fault ??= found
      else if (found) return { format: found.id, rows: filesOf(tree, roleOf, isAnnotated) }
    }
  throw new ImportError(fault ?? 'importUnknownFormat')
}

/** The format of one file of many, or why it cannot be read. */
const recognised = (file: ImportFile): Promise<Adapter | ImportMessage | undefined> =>
  recognise(file).catch(faultOf)

/** Each file of a tree by the format that its content shows. */
async function* filesOf(
  tree: FileTree,
  roleOf: FileRoles['roleOf'],
  isAnnotated: boolean,
): AsyncGenerator<RawRow> {
  const annotations = isAnnotated ? await readAnnotations(withoutSystemFiles(tree)) : undefined
  for await (const file of tree.files()) {
    if (SYSTEM.test(file.name)) {
      const row = hiddenRow(file.name)
      if (row) yield row
      continue
    }
    if (annotations?.files.has(file.name)) continue
    const fault = annotations?.faults.get(file.name)
    if (fault) {
      yield { place: { file: file.name }, state: 'broken', reason: fault, title: file.name }
      continue
    }
    const pictureId = ownPicture(file.name)
    const use = roleOf(file.name)
    const adapter = pictureId === undefined && use === 'read' ? await recognised(file) : undefined
    if (pictureId !== undefined) yield { place: { file: file.name }, pictureId, file }
    else if (typeof adapter === 'string')
      yield { place: { file: file.name }, state: 'broken', reason: adapter, title: file.name }
    else if (adapter) for await (const row of placed(adapter, file)) yield annotations?.addTo(row) ?? row
    else if (use !== 'copy')
      yield { place: { file: file.name }, state: 'ignored', reason: 'importUnknownFile', title: file.name }
  }
  yield* annotations?.rest() ?? []
}

/** The rows of one file among many: its folders become folders of the notes; a fault in it is one broken row. */
async function* placed(adapter: Adapter, file: ImportFile): AsyncGenerator<RawRow> {
  const folders = file.name
    .split('/')
    .slice(0, -1)
    .filter((name) => !/^\.*$/.test(name))
  try {
    for await (const row of adapter.rows(file)) {
      const place = { ...row.place, file: file.name }
      const isItem = !(isRejection(row) || 'tagName' in row || 'pictureId' in row)
      // Копилка's own export has what was deleted in a folder of its own, which says no more than that.
      if (!isItem || adapter.id !== 'markdown' || row.deletedAt !== undefined) yield { ...row, place }
      else yield { ...row, place, folders: [...(row.folders ?? []), folders] }
    }
  } catch (error) {
    yield { place: { file: file.name }, state: 'broken', reason: faultOf(error), title: file.name }
  }
}

/** Notion packs its export twice, large ones in several parts. */
async function innerRows(tree: FileTree, unpacking: Unpacking): Promise<RawReading> {
  let [format, fault]: [FormatId | undefined, ImportMessage | undefined] = [undefined, undefined]
  for await (const file of withoutSystemFiles(tree).files()) {
    try {
      for await (const one of onDisk(file, unpacking, async function* (inner) {
        yield (await treeRows(zipTree(inner))).format
      }))
        format = one
    } catch (error) {
      fault ??= faultOf(error)
    }
    if (format) break
  }
  if (!format) throw new ImportError(fault ?? 'importUnknownFormat')
  async function* rows(): AsyncGenerator<RawRow> {
    for await (const file of withoutSystemFiles(tree).files())
      try {
        yield* onDisk(file, unpacking, async function* (inner) {
          const reading = await treeRows(zipTree(inner))
          yield* reading.rows
        })
      } catch (error) {
        yield { place: { file: file.name }, state: 'broken', reason: faultOf(error), title: file.name }
      }
  }
  return { format, rows: rows() }
}
