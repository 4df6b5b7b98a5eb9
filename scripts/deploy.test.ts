import { readFileSync } from 'node:fs'
import { BlockList } from 'node:net'
import { join } from 'node:path'
import { everyCall } from '@kopilka/contract/calls.ts'
import { API_PREFIX } from '@kopilka/contract/endpoint.ts'
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

/** Bytes that a proxy takes by the beginning of the path, '' for all other paths. */
const BODIES: Record<string, Record<string, number>> = {
  'nginx.conf': Object.fromEntries(
    Array.from(
      read('deploy', 'nginx.conf').matchAll(/(?:location (\/api\S+) \{)?\s+client_max_body_size (\d+)m;/g),
      ([, path = '', size]) => [path, Number(size) * 1024 * 1024],
    ),
  ),
  Caddyfile: Object.fromEntries(
    Array.from(
      read('deploy', 'Caddyfile').matchAll(
        /@(\w+) (?:not )?path (\S+)\*.*\n\s+request_body @\1 \{\n\s+max_size (\d+)MB\n/g,
      ),
      ([found, , path = '', size]) => [found.includes(' not ') ? '' : path, Number(size) * 1_000_000],
    ),
  ),
}

test.each(Object.entries(BODIES))('deploy/%s takes all bodies that the server takes', (_, bodies) => {
  const defaults = { picture: SETTINGS.FILE_LIMIT, file: SETTINGS.IMPORT_LIMIT }
  for (const [name, { path, takesFile, maxBodyBytes = 0 }] of everyCall) {
    const [, most = 0] =
      Object.entries(bodies).find(([start]) => start !== '' && `${API_PREFIX}${path}`.startsWith(start)) ??
      Object.entries(bodies).find(([start]) => start === '') ??
      []
    const limit = takesFile && defaults[takesFile]
    // What is a little too large gets the sentence of the server.
    expect(most, name).toBeGreaterThan(limit ? (limit.parse(limit.default) ?? 0) : maxBodyBytes)
  }
})

test('the Dockerfile copies the package.json of every workspace: npm ci asks for them all', () => {
  const { workspaces }: { workspaces: string[] } = JSON.parse(read('package.json'))
  const dockerfile = read('deploy', 'Dockerfile')
  const missing = workspaces.filter(
    (folder) => !dockerfile.includes(`COPY ${folder}/package.json ${folder}/\n`),
  )
  expect(missing).toEqual([])
})
