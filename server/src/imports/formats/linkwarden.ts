import { textToHtml } from '@kopilka/text/text-to-html.ts'
import type { Adapter } from '../adapter.ts'
import { dateOf } from '../dates.ts'
import { textOf as textOfFile } from '../file.ts'
import { isLinkable } from '../finish-row.ts'
import { createFolderValues } from '../folder-values.ts'
import { elementsOf, isEnd, jsonEvents } from '../json-events.ts'
import { type RawRow, remarkOnOthers } from '../row.ts'
import { type Fields, fieldsOf, folderPaths, listOf, namesOf, textOf } from '../values.ts'

const FOLDER_KEYS = new Set<unknown>(['id', 'name', 'parentId', 'description', 'rssSubscriptions'])

/** What Linkwarden keeps of a page: its text, and names of files that the backup does not hold. */
const KEPT_PAGES = ['textContent', 'image', 'pdf', 'readable', 'monolith', 'preview']
const isKept = (value: unknown): boolean => !['', 'unavailable', 'pending'].includes(textOf(value).trim())

/** Linkwarden's backup: collections that name their parents, each with its links; the pinned ones are listed once more. */
export const linkwarden: Adapter = {
  id: 'linkwarden-json',
  recognises: ({ json }) =>
    json.has('collections.*.links') || (json.has('collections.*.name') && json.has('collections.*.parentId')),
  async *rows(file): AsyncGenerator<RawRow> {
    const collections = new Map<number, Record<string, string>>()
    /** The descriptions and feeds of collections, by their indexes. */
    const values = createFolderValues()
    const choose = (path: readonly (string | number)[]) => {
      if (path[0] !== 'collections' || path.length > 3) return 'skip'
      return path.length < 3 ? 'enter' : FOLDER_KEYS.has(path[2]) ? 'take' : 'skip'
    }
    for await (const event of jsonEvents(textOfFile(file), choose)) {
      const [, index, key] = event.path
      if (isEnd(event) || typeof index !== 'number' || typeof key !== 'string') continue
      const fields = collections.get(index) ?? {}
      const said = Array.isArray(event.value) ? event.value.length : Number(textOf(event.value).trim() !== '')
      if (key === 'description') values.add(String(index), { descriptions: said })
      else if (key === 'rssSubscriptions') values.add(String(index), { others: said })
      else fields[key] = textOf(event.value)
      collections.set(index, fields)
    }
    const byId = new Map(
      [...collections.values()].map(({ id = '', name = '', parentId }) => [
        id,
        { name, parent: parentId || null },
      ]),
    )
    const pathOf = folderPaths(byId)
    const pinned = new Set<string>()
    for await (const { value } of elementsOf(file, 'pinnedLinks')) pinned.add(textOf(fieldsOf(value).url))

    let entry = 0
    const links = jsonEvents(textOfFile(file), (path) => {
      if (path[0] !== 'collections' || (path.length >= 3 && path[2] !== 'links')) return 'skip'
      return path.length < 4 ? 'enter' : 'take'
    })
    for await (const event of links) {
      if (isEnd(event)) continue
      entry += 1
      const index = Number(event.path[1])
      const folder = pathOf(collections.get(index)?.id ?? '')
      const fields = fieldsOf(event.value)
      const ofFolder = isLinkable(textOf(fields.url)) ? values.take(String(index)) : 0
      yield rowOf(fields, { entry, folder, pinned, ofFolder })
    }
    yield* values.takeRows(entry, (index) => collections.get(Number(index))?.name)
  },
}

interface Context {
  readonly entry: number
  readonly folder: readonly string[]
  readonly pinned: ReadonlySet<string>
  /** How many values of its collection the row says are not imported. */
  readonly ofFolder: number
}

function rowOf(fields: Fields, { entry, folder, pinned, ofFolder }: Context): RawRow {
  const url = textOf(fields.url)
  const common = {
    place: { entry },
    title: textOf(fields.name),
    body: textToHtml(textOf(fields.description)),
    tags: namesOf(fields.tags),
    folders: [folder],
    createdAt: dateOf(fields.importDate, fields.createdAt),
    updatedAt: dateOf(fields.updatedAt),
    pinned: pinned.has(url),
    remarks: remarkOnOthers(
      KEPT_PAGES.filter((key) => isKept(fields[key])).length + listOf(fields.highlights).length + ofFolder,
    ),
  }
  // Files that were uploaded have no address; the backup does not hold them.
  return url === '' && textOf(fields.type) !== 'url' && textOf(fields.type) !== ''
    ? { place: { entry }, state: 'ignored', reason: 'importFileOfOther', title: common.title }
    : { ...common, url }
}
