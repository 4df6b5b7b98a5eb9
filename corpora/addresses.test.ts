import { expect, it } from 'vitest'
import { kindOfHost } from '../server/src/metadata/hosts.ts'
import { corpus } from './corpus.ts'

/** A host of a corpus and its expected kind; refused ones are refused before any look-up. */
interface Case {
  input: string
  policies?: { default: 'allowed' | 'blocked' }
  blocked?: boolean
}

/** Files whose cases carry no verdict of their own. */
const OF_THE_FILE: Readonly<Record<string, string>> = {
  'dns_hostnames.json': 'name',
  'malformed_numeric_hosts.json': 'closed',
  'non_host_prefixes.json': 'closed',
}

const cases = [...corpus('addresses')].flatMap(([file, text]) =>
  (JSON.parse(text) as { cases: Case[] }).cases.map(({ input, policies, blocked }) => {
    const isBlocked = blocked ?? policies?.default === 'blocked'
    return { file, input, kind: OF_THE_FILE[file] ?? (isBlocked ? 'closed' : 'public') }
  }),
)

it.each(cases)('$file: $input is $kind', ({ input, kind }) => {
  expect(kindOfHost(input)).toBe(kind)
})
