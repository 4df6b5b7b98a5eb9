import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { FILE_URL, nameInBundle } from './scripts/prepare.mjs'

/** Far from UTC, and not by whole hours: what reads a time in the wrong zone is seen. */
const ENV = { TZ: 'Asia/Kathmandu' }

/** Tests lie beside the code they test; each workspace is a project, so that `vitest --project server` runs one. */
const workspace = (name: string, folder: string) => ({
  test: {
    name,
    root: folder,
    include: ['**/*.test.ts'],
    environment: 'node' as const,
    env: ENV,
    // Types, the build and other tests run beside these, on two cores perhaps: what takes ten seconds alone may take forty.
    testTimeout: 90_000,
    hookTimeout: 90_000,
    expect: { poll: { timeout: 10_000 } },
  },
})

const SERVER = fileURLToPath(new URL('server', import.meta.url))

/**
 * Starts the threads of a server that runs in a test from its bundle, as `npm start` does: from the sources, the thread that
 * writes and the two that search take three times as long to start, in most files of tests.
 */
const bundledThreads: Plugin = {
  name: 'bundled-threads',
  enforce: 'pre',
  transform(code, id) {
    if (!id.startsWith(SERVER) || id.endsWith('.test.ts')) return null
    return code.replace(FILE_URL, (url, path: string) => {
      const bundle = join(
        SERVER,
        'dist',
        nameInBundle(relative(join(SERVER, 'src'), resolve(dirname(id), path))),
      )
      return path.endsWith('.ts') && existsSync(bundle) ? `new URL('${pathToFileURL(bundle)}')` : url
    })
  },
}

const bundle = fileURLToPath(new URL('scripts/build-before-tests.mjs', import.meta.url))
const postgres = fileURLToPath(new URL('server/src/testing/run-postgres.ts', import.meta.url))
/** Tests that start servers, in their own process or as they are delivered. */
const withServers = (
  name: string,
  folder: string,
  options: Partial<TestProjectInlineConfiguration['test']> = {},
) => ({
  plugins: [bundledThreads],
  test: { ...workspace(name, folder).test, globalSetup: [bundle], ...options },
})

/**
 * Files share a process and its modules, as requests do: to import the server anew took two seconds and a half of processor time in
 * each. What a test changes beyond its own server, it puts back.
 */
const SHARED = { isolate: false }

/** The tests of the server run on both databases, except those that are about one of them. */
const onSqlite = withServers('server', 'server', { ...SHARED, exclude: ['**/*.postgres.test.ts'] })
const onPostgres = withServers('server-postgres', 'server', {
  ...SHARED,
  globalSetup: [bundle, postgres],
  // `*.unit.test.ts` needs no database. The partitioned tables have a run of their own.
  exclude: ['**/*.sqlite.test.ts', '**/*.unit.test.ts', 'src/testing/partitions.postgres.test.ts'],
})

/** Partitions have names of their own, and so have their indexes: tests of plans look for others. */
const NOT_ON_PARTITIONS = [
  '**/*.sqlite.test.ts',
  '**/*.unit.test.ts',
  'src/items/list-plans.test.ts',
  'src/tags/item-tags.postgres.test.ts',
]

/**
 * The calls once more on a PostgreSQL whose tables are spread by owner_id, as Citus spreads them over machines
 * (docs/scale.md): every key holds the owner, every statement stays within one partition.
 */
const onPartitions = withServers('server-partitioned', 'server', {
  ...SHARED,
  globalSetup: [bundle, postgres],
  provide: { partitions: 8 },
  include: [
    'src/accounts/*.test.ts',
    'src/users/*.test.ts',
    'src/sessions/*.test.ts',
    'src/jobs/mail/*.test.ts',
    'src/feed/*.test.ts',
    'src/files/*.test.ts',
    'src/imports/{imports,maintenance}.test.ts',
    'src/items/*.test.ts',
    'src/linkding/linkding.test.ts',
    'src/operations/*.test.ts',
    'src/http/rate-limits/*.test.ts',
    'src/search/{forms,operators,suggest,search,vocabulary}.test.ts',
    'src/tags/*.test.ts',
    'src/changes/*.test.ts',
    'src/testing/every-call.test.ts',
    'src/testing/isolation.test.ts',
    'src/testing/partitions.postgres.test.ts',
    'src/testing/two-servers.postgres.test.ts',
  ],
  exclude: NOT_ON_PARTITIONS,
})

/** The same calls on a Citus cluster: TEST_CITUS is the URL of a database of its coordinator that knows its machines. */
const onCitus = (citus: string) =>
  withServers('server-citus', 'server', {
    include: onPartitions.test.include,
    globalSetup: [bundle],
    provide: { postgres: citus, citus },
    exclude: [...NOT_ON_PARTITIONS, 'src/testing/partitions.postgres.test.ts'],
    // Each file spreads all tables over the cluster.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  })

/** Commands, questions to search beside the samples of `npm run seed`, and search in the browser beside the server's, on PostgreSQL as well. */
const scriptsOnPostgres = withServers('scripts-postgres', 'scripts', {
  globalSetup: [bundle, postgres],
  include: ['samples/search-{questions,parity}.test.ts', '*.postgres.test.ts'],
})

/** Files of other tools through the calls, on PostgreSQL as well. */
const importsOnPostgres = withServers('corpora-postgres', 'corpora', {
  globalSetup: [bundle, postgres],
  include: ['imports.test.ts'],
})

/** Begins with the files that take longest: at the end a core would wait for them. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => moduleId.endsWith('/testing/hostile.test.ts')
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // V8 ends the process now and then when it replaces the wrapper of a WebAssembly import, as the parser of `fetch` has
    // them, after 1,000 calls (https://github.com/nodejs/node/issues/64500): it never does within so many.
    execArgv: ['--wasm-wrapper-tiering-budget=1000000000'],
    // More than cores: the tests wait for a server, a database or a process often enough that with one file on each of two cores a
    // sixth of their time is idle. A number, as vitest takes a share for that of all cores at most.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    projects: [
      workspace('contract', 'contract'),
      workspace('text', 'text'),
      onSqlite,
      onPostgres,
      onPartitions,
      ...(process.env.TEST_CITUS ? [onCitus(process.env.TEST_CITUS)] : []),
      workspace('web', 'web'),
      withServers('scripts', 'scripts', {
        exclude: ['**/*.postgres.test.ts'],
        // They start some hundred commands from the sources.
        env: { ...ENV, NODE_COMPILE_CACHE: fileURLToPath(new URL('.cache/compiled', import.meta.url)) },
      }),
      scriptsOnPostgres,
      // Cases that others wrote lie outside the repository: npm run test:corpora says where.
      ...(process.env.CORPORA ? [withServers('corpora', 'corpora'), importsOnPostgres] : []),
    ],
  },
})
