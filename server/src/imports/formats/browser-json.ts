import { MAX_TAGS_PER_ITEM } from '@kopilka/contract/limits.ts'
import { textToHtml } from '@kopilka/text/text-to-html.ts'
import type { Adapter, FormatId } from '../adapter.ts'
import { dateOf } from '../dates.ts'
import { type ImportFile, textOf as textOfFile } from '../file.ts'
import { isLinkable } from '../finish-row.ts'
import { createFolderValues } from '../folder-values.ts'
import { isEnd, type JsonPath, jsonEvents } from '../json-events.ts'
import { type RawRow, remarkOnOthers } from '../row.ts'
import { countFilled, type Fields, fieldsOf, listOf, splitNames, textOf } from '../values.ts'

const FIELDS = new Set<unknown>([
  ...['name', 'title', 'url', 'uri', 'type', 'tags', 'keyword', 'annos', 'root', 'meta_info'],
  ...['date_added', 'dateAdded', 'date_modified', 'lastModified'],
])

/** Chrome's file `Bookmarks`: times in microseconds since 1601. */
export const chromeJson = adapterOf(
  'chrome-json',
  (json) => json.has('roots.bookmark_bar') || json.has('roots.other'),
)

/** Firefox's backup (also as .jsonlz4): times in microseconds since 1970. */
export const firefoxJson = adapterOf(
  'firefox-json',
  (json) => json.has('children') && (json.has('root') || json.has('typeCode') || json.has('guid')),
)

function adapterOf(id: FormatId, recognises: (json: ReadonlySet<string>) => boolean): Adapter {
  return { id, recognises: ({ json }) => recognises(json), rows }
}

/**
 * Folders first: Chrome names a folder after what it holds. Old Firefox has a folder for each tag, in which its bookmarks
 * stand once more.
 */
async function* rows(file: ImportFile): AsyncGenerator<RawRow> {
  const names = new Map<string, string>()
  /** The descriptions and nicknames of folders, by their paths. */
  const values = createFolderValues()
  let tagsPath: string | undefined
  for await (const { path, fields, isFolder } of nodesOf(file)) {
    if (isFolder) names.set(path.join('/'), folderName(fields, path))
    if (isFolder || isEmptyFolder(fields)) {
      const descriptions = descriptionOf(fields).trim() === '' ? 0 : 1
      values.add(path.join('/'), { descriptions, others: countKeywords(fields) })
    }
    if (isFolder && fields.root === 'tagsFolder') tagsPath = `${path.join('/')}/`
  }
  const isTag = (path: JsonPath): boolean => tagsPath !== undefined && path.join('/').startsWith(tagsPath)
  const tags = new Map<string, string[]>()
  if (tagsPath !== undefined)
    for await (const { path, fields, isFolder } of nodesOf(file)) {
      const [url, name] = [textOf(fields.uri), names.get(path.slice(0, -2).join('/')) ?? '']
      if (isFolder || !isTag(path) || url === '') continue
      const own = tags.get(url)
      if (!own) tags.set(url, [name])
      // More than any item may have: too many are reported.
      else if (own.length < 2 * MAX_TAGS_PER_ITEM && !own.includes(name)) own.push(name)
    }
  /** How many values the folders of a bookmark have that no row has mentioned yet. */
  const takeOfFolders = (path: JsonPath): number =>
    path.reduce<number>(
      (sum, key, at) => (key === 'children' ? sum + values.take(path.slice(0, at).join('/')) : sum),
      0,
    )
  let entry = 0
  for await (const { path, fields, isFolder } of nodesOf(file)) {
    const row = values.takeRow(path.join('/'), entry + 1, folderName(fields, path))
    if (row) {
      entry += 1
      yield row
    }
    const url = textOf(fields.url) || textOf(fields.uri)
    if (isFolder || isTag(path) || (url === '' && !isBookmark(path, fields))) continue
    entry += 1
    yield {
      place: { entry },
      url,
      title: textOf(fields.name) || textOf(fields.title),
      body: textToHtml(descriptionOf(fields)),
      tags: [...splitNames(textOf(fields.tags), ','), ...(tags.get(url) ?? [])],
      folders: [foldersOf(path, names)],
      createdAt: dateOf(textOf(fields.date_added), textOf(fields.dateAdded)),
      updatedAt: dateOf(textOf(fields.date_modified), textOf(fields.lastModified)),
      remarks: remarkOnOthers(countKeywords(fields) + (isLinkable(url) ? takeOfFolders(path) : 0)),
    }
  }
}

/** Of what has no address, folders that hold nothing and lines between bookmarks are none. */
const isBookmark = (path: JsonPath, { type }: Fields): boolean =>
  typeof path.at(-1) === 'number' && !/folder|container|separator/.test(textOf(type))

/** Firefox gives a folder that holds nothing no list of children. */
const isEmptyFolder = ({ type }: Fields): boolean => /folder|container/.test(textOf(type))

/** Old Firefox kept descriptions among its annotations; Vivaldi, which is a Chrome, has a place of its own for them. */
const descriptionOf = (fields: Fields): string =>
  listOf(fields.annos)
    .map(fieldsOf)
    .filter(({ name }) => name === 'bookmarkProperties/description')
    .map(({ value }) => textOf(value))
    .join('\n') || textOf(fieldsOf(fields.meta_info).Description)

/** Words that open a bookmark: keywords of Firefox, nicknames of Vivaldi. */
const countKeywords = (fields: Fields): number =>
  countFilled(fields, ['keyword']) + countFilled(fieldsOf(fields.meta_info), ['Nickname'])

const folderName = (fields: Fields, path: JsonPath): string =>
  path.length === 0 ? '' : textOf(fields.name) || textOf(fields.title)

/** The names of the folders above a node: each stands before a key 'children'. */
function foldersOf(path: JsonPath, names: ReadonlyMap<string, string>): string[] {
  const found: string[] = []
  for (const [at, key] of path.entries())
    if (key === 'children') found.push(names.get(path.slice(0, at).join('/')) ?? '')
  return found.filter((name) => name !== '')
}

interface Node {
  readonly path: JsonPath
  readonly fields: Record<string, unknown>
  readonly isFolder: boolean
}

/** The objects of a tree, each after those within it. */
async function* nodesOf(file: ImportFile): AsyncGenerator<Node> {
  const open = new Map<string, { fields: Record<string, unknown>; isFolder: boolean }>()
  const at = (path: JsonPath) => {
    const key = path.join('/')
    const node = open.get(key) ?? { fields: {}, isFolder: false }
    open.set(key, node)
    return node
  }
  const choose = (path: JsonPath) => {
    const key = path.at(-1)
    if (typeof key === 'number' || key === 'children' || (path[0] === 'roots' && path.length <= 2))
      return 'enter'
    return FIELDS.has(key) ? 'take' : 'skip'
  }
  for await (const event of jsonEvents(textOfFile(file), choose)) {
    const key = event.path.at(-1)
    const parent = event.path.slice(0, -1)
    if (!isEnd(event)) at(parent).fields[String(key)] = event.value
    else if (key === 'children') at(parent).isFolder = true
    else if (event.path.length !== 1) {
      const node = open.get(event.path.join('/'))
      open.delete(event.path.join('/'))
      if (node) yield { path: event.path, ...node }
    }
  }
}
