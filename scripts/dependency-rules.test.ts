import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { DEPENDENCY_RULES, wrongImports } from './dependency-rules.ts'
import { ROOT } from './prepare.mjs'
import { readSources } from './sources.ts'

test('every import follows the arrows of docs/architecture.md', () => {
  const sources = new Map(readSources(ROOT, Object.keys(DEPENDENCY_RULES)))
  // This file quotes imports that would be wrong.
  sources.delete('scripts/arrows.test.ts')
  expect(sources.size).toBeGreaterThan(20)
  expect(wrongImports(sources)).toEqual([])
})

test('docs/architecture.md draws the arrows as they are', () => {
  const page = readFileSync(join(ROOT, 'docs', 'architecture.md'), 'utf8').replaceAll(/\s+/g, ' ')
  const drawn = Object.entries(DEPENDENCY_RULES).flatMap(([name, { sees, levels = [], sideways = {} }]) => [
    ...(sees.length > 0 ? [`${name} -> ${sees.join(', ')}`] : []),
    ...(levels.length > 0
      ? [levels.map((rooms) => (rooms.length > 1 ? `{ ${rooms.join(', ')} }` : rooms[0])).join(' -> ')]
      : []),
    ...Object.entries(sideways).map(([room, neighbours]) => `${room} -> ${neighbours.join(', ')}`),
  ])
  expect(drawn.filter((arrows) => !page.includes(` ${arrows} `))).toEqual([])
})

const faultsOf = (file: string, line: string) => wrongImports(new Map([[file, `// a comment\n${line}\n`]]))

describe('the guard refuses', () => {
  test.each([
    ['contract/src/notes.ts', "import { x } from '../../server/src/app.ts'", 'no other workspace'],
    ['contract/src/notes.ts', "import { Button } from '@mantine/core'", 'imports only zod'],
    ['contract/src/notes.ts', "import { readFileSync } from 'node:fs'", 'imports only zod'],
    ['server/src/app.ts', "import { x } from '../../web/src/lib/x.ts'", 'server sees only contract'],
    ['web/src/app/x.ts', "import type { X } from '../../../server/src/errors.ts'", 'web sees only contract'],
    ['web/src/app/x.ts', "import { x } from '@kopilka/server/errors.ts'", 'web sees only contract'],
    ['e2e/journey.test.ts', "import { x } from '../web/src/lib/x.ts'", 'e2e sees only contract and scripts'],
    [
      'bench/src/load.ts',
      "import { x } from '../../server/src/app.ts'",
      'bench sees only contract and scripts',
    ],
    ['server/src/app.ts', "import { x } from './main.ts'", 'app may import only items'],
    ['server/src/items/store.ts', "import { x } from '../app.ts'", 'items may import only tags, search'],
    ['server/src/items/store.ts', "import { x } from '../accounts/store.ts'", 'items may import only'],
    ['server/src/tags/store.ts', "import { x } from '../items/store.ts'", 'tags may import only search'],
    ['server/src/search/words.ts', "import { x } from '../items/store.ts'", 'search may import only http'],
    ['server/src/db/open.ts', "import { x } from '../tags/store.ts'", 'db may import only errors'],
    ['server/src/db/open.ts', "import { x } from '../http/serve.ts'", 'db may import only errors'],
    ['server/src/errors.ts', "import { x } from './http/serve.ts'", 'errors may import only itself'],
    ['server/src/app.ts', "import { readConfig } from './config.ts'", 'only types of config'],
    ['server/src/items/store.ts', "import { x } from '../testing/app.ts'", 'items may import only'],
    ['server/src/items/store.ts', "import { x } from './store.test.ts'", 'A test is imported by nobody'],
    ['server/src/items/store.ts', "import { x } from '../helpers/x.ts'", "'helpers' has no place"],
    ['web/src/items/list-page.tsx', "import { x } from '../app/router.tsx'", 'items may import only'],
    ['web/src/items/list-page.tsx', "import { x } from '../tags/x.ts'", 'items may import only'],
    ['web/src/items/list-page.tsx', "const page = lazy(() => import('../home/x.tsx'))", 'items may import'],
    ['web/src/accounts/login-page.tsx', "export { x } from '../items/x.ts'", 'accounts may import only'],
    ['web/src/ui/pager.tsx', "import { x } from '../api/call.ts'", 'ui may import only lib, text'],
    ['web/src/ui/pager.tsx', "import { Link } from '@tanstack/react-router'", 'ui does without'],
    ['web/src/lib/dates.ts', "import { x } from '../text/t.ts'", 'lib may import only itself'],
    ['web/src/lib/dates.ts', "import {\n  x,\n} from '../ui/pager.tsx'", 'lib may import only itself'],
    ['web/src/lib/dates.ts', "import '../ui/pager.tsx'", 'lib may import only itself'],
    ['web/src/messages/messages.ts', "import { x } from '../../build/catalogues.ts'", "'' has no place"],
    ['web/vite.config.ts', "import { x } from '../server/src/app.ts'", 'web sees only contract'],
    ['attic/src/x.ts', "import { x } from './y.ts'", "'attic' has no place"],
  ])('%s: %s', (file, line, message) => {
    expect(faultsOf(file, line)).toEqual([expect.stringContaining(message)])
    expect(faultsOf(file, line)[0]).toMatch(new RegExp(`^${file}:2 imports`))
  })
})

describe('the guard lets through', () => {
  test.each([
    ['contract/src/notes.ts', "import * as z from 'zod/mini'"],
    ['contract/src/notes.test.ts', "import { test } from 'vitest'"],
    ['web/vite.config.ts', "import { catalogues } from './build/catalogues.ts'"],
    ['server/src/main.ts', "import { loadConfig } from './config.ts'"],
    ['server/src/app.ts', "import type { Config } from './config.ts'"],
    ['server/src/items/store.ts', "import { x } from '../tags/store.ts'"],
    ['server/src/items/store.ts', "import { note } from '@kopilka/contract/notes.ts'"],
    ['server/src/items/store.test.ts', "import { createTestApp } from '../testing/app.ts'"],
    ['web/src/home/home-page.tsx', "import { x } from '../items/item-card.tsx'"],
    ['web/src/ui/pager.tsx', "import { Pagination } from '@mantine/core'"],
    ['web/src/lib/dates.ts', "const text = 'import x from ../app'"],
  ])('%s: %s', (file, line) => {
    expect(faultsOf(file, line)).toEqual([])
  })
})
