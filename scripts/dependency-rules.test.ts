import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { DEPENDENCY_RULES, forbiddenImports, importCircles } from './dependency-rules.ts'
import { ROOT } from './prepare.mjs'
import { readSources } from './sources.ts'

/** All sources except this file, which quotes forbidden imports. */
function allSources() {
  const sources = new Map(readSources(ROOT, Object.keys(DEPENDENCY_RULES)))
  sources.delete('scripts/dependency-rules.test.ts')
  expect(sources.size).toBeGreaterThan(20)
  return sources
}

test('every import follows the rules of docs/architecture.md', () => {
  expect(forbiddenImports(allSources())).toEqual([])
})

test('no files import each other in a circle', () => {
  expect(importCircles(allSources())).toEqual([])
})

test('docs/architecture.md shows the rules as they are', () => {
  const page = readFileSync(join(ROOT, 'docs', 'architecture.md'), 'utf8').replaceAll(/\s+/g, ' ')
  const shown = Object.entries(DEPENDENCY_RULES).flatMap(
    ([name, { imports, levels = [], sideways = {} }]) => [
      ...(imports.length > 0 ? [`${name} -> ${imports.join(', ')}`] : []),
      ...(levels.length > 0
        ? [
            levels
              .map((modules) => (modules.length > 1 ? `{ ${modules.join(', ')} }` : modules[0]))
              .join(' -> '),
          ]
        : []),
      ...Object.entries(sideways).map(([module, neighbours]) => `${module} -> ${neighbours.join(', ')}`),
    ],
  )
  expect(shown.filter((rule) => !page.includes(` ${rule} `))).toEqual([])
})

const violationsOf = (file: string, line: string) =>
  forbiddenImports(new Map([[file, `// a comment\n${line}\n`]]))

describe('forbidden', () => {
  test.each([
    ['contract/src/notes.ts', "import { x } from '../../server/src/app.ts'", 'no other workspace'],
    ['contract/src/notes.ts', "import { Button } from '@mantine/core'", 'imports only zod'],
    ['contract/src/notes.ts', "import { readFileSync } from 'node:fs'", 'imports only zod'],
    ['server/src/app.ts', "import { x } from '../../web/src/lib/x.ts'", 'server imports only contract'],
    [
      'web/src/app/x.ts',
      "import type { X } from '../../../server/src/errors.ts'",
      'web imports only contract',
    ],
    ['web/src/app/x.ts', "import { x } from '@kopilka/server/errors.ts'", 'web imports only contract'],
    [
      'e2e/journey.test.ts',
      "import { x } from '../web/src/lib/x.ts'",
      'e2e imports only contract and scripts',
    ],
    [
      'bench/src/load.ts',
      "import { x } from '../../server/src/app.ts'",
      'bench imports only contract and text and web and scripts',
    ],
    ['server/src/app.ts', "import { x } from './main.ts'", 'app may import only commands, accounts'],
    [
      'server/src/items/store.ts',
      "import { x } from '../app.ts'",
      'items may import only tags, files, search',
    ],
    ['server/src/items/store.ts', "import { x } from '../users/users.ts'", 'items may import only'],
    ['server/src/tags/store.ts', "import { x } from '../items/store.ts'", 'tags may import only search'],
    ['server/src/search/texts.ts', "import { x } from '../items/store.ts'", 'search may import only http'],
    ['server/src/db/open.ts', "import { x } from '../tags/store.ts'", 'db may import only threads, errors'],
    ['server/src/db/open.ts', "import { x } from '../http/serve.ts'", 'db may import only threads, errors'],
    ['server/src/errors.ts', "import { x } from './http/serve.ts'", 'errors may import only itself'],
    ['server/src/app.ts', "import { readConfig } from './config.ts'", 'only types of config'],
    ['server/src/items/store.ts', "import { x } from '../testing/client.ts'", 'items may import only'],
    ['server/src/items/store.ts', "import { x } from './store.test.ts'", 'Nothing imports a test'],
    ['server/src/items/store.ts', "import { x } from '../helpers/x.ts'", "'helpers' is not in the table"],
    ['web/src/items/list-page.tsx', "import { x } from '../app/router.tsx'", 'items may import only'],
    ['web/src/items/list-page.tsx', "import { x } from '../tags/x.ts'", 'items may import only'],
    ['web/src/items/list-page.tsx', "const page = lazy(() => import('../home/x.tsx'))", 'items may import'],
    ['web/src/accounts/login-page.tsx', "export { x } from '../items/x.ts'", 'accounts may import only'],
    [
      'web/src/ui/pager.tsx',
      "import { x } from '../api/call.ts'",
      'ui may import only pictures, lib, messages',
    ],
    ['web/src/ui/pager.tsx', "import { Link } from '@tanstack/react-router'", 'ui must not import'],
    ['web/src/lib/dates.ts', "import { x } from '../messages/messages.ts'", 'lib may import only itself'],
    ['web/src/lib/dates.ts', "import {\n  x,\n} from '../ui/pager.tsx'", 'lib may import only itself'],
    ['web/src/lib/dates.ts', "import '../ui/pager.tsx'", 'lib may import only itself'],
    [
      'web/src/messages/messages.ts',
      "import { x } from '../../build/catalogues.ts'",
      "'' is not in the table",
    ],
    ['web/vite.config.ts', "import { x } from '../server/src/app.ts'", 'web imports only contract'],
    ['attic/src/x.ts', "import { x } from './y.ts'", "'attic' is not in the table"],
  ])('%s: %s', (file, line, message) => {
    expect(violationsOf(file, line)).toEqual([expect.stringContaining(message)])
    expect(violationsOf(file, line)[0]).toMatch(new RegExp(`^${file}:2 imports`))
  })
})

describe('allowed', () => {
  test.each([
    ['contract/src/notes.ts', "import * as z from 'zod/mini'"],
    ['contract/src/notes.test.ts', "import { test } from 'vitest'"],
    ['web/vite.config.ts', "import { catalogues } from './build/catalogues.ts'"],
    ['server/src/main.ts', "import { loadConfig } from './config.ts'"],
    ['server/src/app.ts', "import type { Config } from './config.ts'"],
    ['server/src/items/store.ts', "import { x } from '../tags/store.ts'"],
    ['server/src/items/store.ts', "import { note } from '@kopilka/contract/notes.ts'"],
    ['server/src/items/store.test.ts', "import { createTestApp } from '../testing/create-test-app.ts'"],
    ['web/src/home/home-page.tsx', "import { x } from '../items/item-card.tsx'"],
    ['web/src/ui/pager.tsx', "import { Pagination } from '@mantine/core'"],
    ['web/src/lib/dates.ts', "const text = 'import x from ../app'"],
  ])('%s: %s', (file, line) => {
    expect(violationsOf(file, line)).toEqual([])
  })
})

describe('circles', () => {
  test('are found through types and through other files', () => {
    const sources = new Map([
      ['web/src/a.ts', "import type { B } from './b.ts'"],
      ['web/src/b.ts', "import { c } from './c.ts'"],
      ['web/src/c.ts', "\nimport { a } from './a.ts'"],
      ['web/src/d.ts', "import { a } from './a.ts'"],
    ])
    expect(importCircles(sources)).toEqual([
      expect.stringMatching(
        /^A circle of 3 files: web\/src\/a\.ts:1 .*web\/src\/c\.ts:2 imports '\.\/a\.ts'\./,
      ),
    ])
  })

  test('a chain is none', () => {
    expect(
      importCircles(
        new Map([
          ['web/src/a.ts', "import { b } from './b.ts'"],
          ['web/src/b.ts', "import './a.css'"],
        ]),
      ),
    ).toEqual([])
  })
})
