import { expect, test } from 'vitest'
import { ROOT } from './prepare.mjs'
import { readSources } from './sources.ts'

/** Files that may name the columns of items, besides migrations, each with the reason. */
const ALLOWED: Readonly<Record<string, string>> = {
  'server/src/items/item.ts': 'the list of columns, from which queries and responses derive',
  'server/src/db/schema.ts': 'their types',
  'server/src/db/usage.ts': 'the quota counts the bytes of these texts',
  'server/src/items/identity.ts': 'these texts make items the same',
  'server/src/items/prepare.ts': 'search indexes these texts',
  'server/src/items/item-changes.ts': 'search indexes these texts again when an item is restored',
  'server/src/search/document.ts': 'search indexes these texts',
  'server/src/search/batch.ts': 'search indexes these texts',
  'server/src/search/texts.ts': 'search ranks by these texts',
  'server/src/operations/search-trash.ts': 'the search in the trash reads these texts',
}
const COLUMNS = [/\btitle\b/, /\burl\b/, /\bbody\b/]

test('only known places name the columns of items: a field costs contract, migration, schema and item.ts', () => {
  const sources = readSources(ROOT, [
    'server/src/items',
    'server/src/tags',
    'server/src/db',
    'server/src/search',
    'server/src/operations',
  ])
  const naming = [...sources]
    .filter(([path]) => !/\.test\.ts$|\/migrations\//.test(path))
    .filter(([, text]) => COLUMNS.every((column) => column.test(text)))
    .map(([path]) => path)
  expect(naming).toContain('server/src/items/item.ts')
  const again = naming.filter((path) => !(path in ALLOWED))
  expect(
    again,
    'derive the columns from the lists of server/src/items/item.ts instead of naming them',
  ).toEqual([])
})
