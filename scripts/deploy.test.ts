import { readFileSync } from 'node:fs'
import { BlockList } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SETTINGS } from '../server/src/config.ts'
import { ROOT } from './prepare.mjs'

const read = (...path: string[]): string => readFileSync(join(ROOT, ...path), 'utf8')

/** Settings of other programs in these files; the rest are settings of Копилка. */
const OTHERS = /^(?:POSTGRES_|KOPILKA_)/

/** Names of variables that are set: `NAME: value` in compose, `ENV NAME=value` in a Dockerfile. */
const variablesIn = (text: string): string[] =>
  Array.from(text.matchAll(/^ {6}([A-Z_]+):|(?<=^ENV .*)\b([A-Z_]+)=/gm), ([, inCompose, inDocker]) =>
    String(inCompose ?? inDocker),
  ).filter((name) => !OTHERS.test(name))

test.each(['Dockerfile', 'compose.sqlite.yaml', 'compose.postgres.yaml'])(
  'deploy/%s sets only what server/src/config.ts knows',
  (file) => {
    const variables = variablesIn(read('deploy', file))
    expect(variables.length).toBeGreaterThan(2)
    expect(variables.filter((name) => !(name in SETTINGS))).toEqual([])
  },
)

test('the comments of the proxies name existing settings', () => {
  for (const file of ['Caddyfile', 'nginx.conf', 'compose.sqlite.yaml', 'compose.postgres.yaml'])
    expect(read('deploy', file)).toContain('TRUST_PROXY')
  expect(SETTINGS).toHaveProperty('TRUST_PROXY')
})

test.each(['compose.sqlite.yaml', 'compose.postgres.yaml'])(
  'in deploy/%s the proxy that is believed has an address that Docker gives to nobody else',
  (file) => {
    const text = read('deploy', file)
    const [, proxy = ''] = /ipv4_address: (\S+)/.exec(text) ?? []
    expect(text).toContain(`TRUST_PROXY: ${proxy}\n`)
    const networkIn = (key: string): BlockList => {
      const [, address = '', bits] = new RegExp(`${key}: (\\S+)/(\\d+)`).exec(text) ?? []
      expect(address, key).not.toBe('')
      const network = new BlockList()
      network.addSubnet(address, Number(bits))
      return network
    }
    expect(networkIn('subnet').check(proxy)).toBe(true)
    // Servers start before the proxy: without a range of their own, the first of them takes its address.
    expect(networkIn('ip_range').check(proxy)).toBe(false)
  },
)

test('the Dockerfile copies the package.json of every workspace: npm ci asks for them all', () => {
  const { workspaces }: { workspaces: string[] } = JSON.parse(read('package.json'))
  const dockerfile = read('deploy', 'Dockerfile')
  const missing = workspaces.filter(
    (folder) => !dockerfile.includes(`COPY ${folder}/package.json ${folder}/\n`),
  )
  expect(missing).toEqual([])
})

test('docs/scale.md says of every table where it is stored', () => {
  const tables = read('server', 'src', 'db', 'schema-snapshots', 'postgres.txt').match(/^\w+$/gm) ?? []
  expect(tables.length).toBeGreaterThan(10)
  const guide = read('docs', 'scale.md')
  const untold = tables.filter(
    (table) => !guide.includes(`_table('${table}'`) && !['migrations', 'search_analyser'].includes(table),
  )
  expect(untold).toEqual([])
})
