import { expect, test } from 'vitest'
import { ROOT } from './prepare.mjs'
import { readSources, type Sources } from './sources.ts'

/** What a field of notes costs, besides a migration and its label in both catalogues. */
const COST = [
  'contract/src/notes.ts',
  'server/src/db/schema.ts',
  'server/src/items/item.ts',
  'web/src/items/note-kind.ts',
]
/** Other files that name the texts of an item, each with the reason. A field that is no text of an item is in none. */
const TEXTS: Readonly<Record<string, string>> = {
  'server/src/db/usage.ts': 'the quota counts their bytes',
  'server/src/items/identity.ts': 'they make items the same',
  'server/src/items/prepare.ts': 'search indexes them',
  'server/src/items/item-changes.ts': 'search indexes them again when an item is restored',
  'server/src/search/batch.ts': 'search indexes them',
  'server/src/search/texts.ts': 'search ranks by them',
  'contract/src/trash.ts': 'what is in the trash can be read whole',
  'server/src/operations/trash.ts': 'what is in the trash can be read whole',
  'server/src/operations/search-trash.ts': 'the search in the trash reads them',
  'server/src/exports/records.ts': 'exports write them',
  'server/src/exports/rows.ts': 'exports read them',
  'server/src/feed/atom.ts': 'feeds show them',
  'server/src/imports/annotations.ts': 'what readers marked becomes them',
  'server/src/imports/row.ts': 'imports read them',
  'server/src/imports/finish-row.ts': 'imports read them',
  'server/src/imports/merged-text.ts': 'imports merge them',
  'server/src/imports/prepare-batch.ts': 'imports prepare them',
  'server/src/imports/run-job.ts': 'imports read the page of a link',
  'server/src/imports/save-batch.ts': 'imports save them',
  'server/src/imports/store.ts': 'imports keep them for the review',
  'server/src/imports/stored-row.ts': 'imports compare them with what is there',
  'server/src/items/queries.ts': 'a list is limited by the bytes of all of them',
  'server/src/linkding/bookmark.ts': 'linkding names them otherwise',
  'server/src/linkding/bookmarks.ts': 'linkding names them otherwise',
  'server/src/linkding/routes.ts': 'linkding names them otherwise',
  'server/src/linkding/sent.ts': 'linkding names them otherwise',
  'web/src/items/given-content.ts': 'a text that is shared becomes the content of a note',
  'web/src/offline/kept-item.ts': 'the copy keeps them',
  'web/src/offline/responses.ts': 'the copy responds with them',
  'web/src/offline/entry.ts': 'changes of them wait',
  'web/src/offline/sending.ts': 'pictures in them are sent first',
}
/** Formats of other programs and of the API's own description name what they please. */
const FORMATS = /\/formats\/|\/api-docs\/|\/testing\/|\/migrations\/|\.test\.tsx?$/

/** The columns, as words of their own: `text-body.ts` and `collapsible-title` are others. */
const COLUMNS = [/(?<![\w-])title\b/, /(?<![\w-])url\b/, /(?<![\w-])body\b/]

/** By its columns on the server; elsewhere as a note with its title. */
const namesTexts = ([path, text]: readonly [string, string]): boolean =>
  path.startsWith('server/')
    ? COLUMNS.every((column) => column.test(text))
    : /\btitle\b/.test(text) && /\bcontent\??:|'content'|\b(?:note|item|value)\.content\b/.test(text)

const naming = (sources: Sources): string[] =>
  [...sources].filter((source) => !FORMATS.test(source[0]) && namesTexts(source)).map(([path]) => path)

test('a field of notes costs contract, migration, schema, item.ts, the kind and its messages', () => {
  const sources = readSources(ROOT, ['contract/src', 'server/src', 'web/src'])
  for (const path of COST) expect(sources.get(path), path).toMatch(/\bcontent\b/)
  const found = naming(sources)
  const unknown = found.filter((path) => !COST.includes(path) && !(path in TEXTS))
  expect(
    unknown,
    'derive the fields from server/src/items/item.ts or the kinds of web/src/items instead of naming them',
  ).toEqual([])
  const stale = Object.keys(TEXTS).filter((path) => !found.includes(path))
  expect(stale, 'remove what no longer names the texts of items').toEqual([])
})
