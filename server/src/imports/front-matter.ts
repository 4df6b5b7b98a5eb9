import { parse } from 'yaml'
import { fieldsOf, listOf, splitNames, textOf } from './values.ts'

/** UTF-16 units of front matter. */
const MAX_LENGTH = 64 * 1024

/** The YAML at the head of a Markdown file. Keys are in lower case, values are the texts that were written. */
export interface FrontMatter {
  readonly text: (...keys: readonly string[]) => string
  readonly names: (...keys: readonly string[]) => string[]
  /** With the mark # that other tools write before a tag. */
  readonly exactNames: (...keys: readonly string[]) => string[]
  /** Those that have a value. */
  readonly keys: readonly string[]
}

const FENCED = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)(?:^|\r?\n)(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/

/** A document's front matter and what follows it. */
export function splitFrontMatter(document: string): { matter: FrontMatter; body: string } {
  const [whole = '', yaml] = FENCED.exec(document.slice(0, MAX_LENGTH)) ?? []
  const fields = yaml === undefined ? {} : read(yaml)
  const first = (keys: readonly string[]) => keys.map((key) => fields[key]).find(hasValue)
  const exactNames = (...keys: readonly string[]): string[] => {
    const value = first(keys)
    const names = Array.isArray(value) ? listOf(value).map(textOf) : namesIn(textOf(value))
    return names.map((name) => name.trim()).filter((name) => name !== '')
  }
  return {
    matter: {
      keys: Object.keys(fields).filter((key) => hasValue(fields[key])),
      text: (...keys) => {
        const value = first(keys)
        return textOf(Array.isArray(value) ? value[0] : value).trim()
      },
      exactNames,
      names: (...keys) =>
        exactNames(...keys)
          .map((name) => name.replace(/^#/, ''))
          .filter((name) => name !== ''),
    },
    body: yaml === undefined ? document.replace(/^\uFEFF/, '') : document.slice(whole.length),
  }
}

/** '#one #two' says by itself where a name ends; other names stand between commas. */
const namesIn = (text: string): string[] => splitNames(text, /^#\S+(?:\s+#\S+)*$/.test(text) ? /[\s,]+/ : ',')

const isFilled = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

/** A list within a list is a value: by an alias of YAML it may be the list that holds it. */
const hasValue = (value: unknown): boolean => (Array.isArray(value) ? value.some(isFilled) : isFilled(value))

/** The schema 'failsafe' leaves all values texts: a title 001 stays as it is. */
function read(yaml: string): Record<string, unknown> {
  for (const text of yaml.includes('\t') ? [repaired(yaml), yaml] : [yaml, repaired(yaml)])
    try {
      const value: unknown = parse(text, {
        schema: 'failsafe',
        logLevel: 'error',
        maxAliasCount: 10,
        uniqueKeys: false,
      })
      return Object.fromEntries(Object.entries(fieldsOf(value)).map(([key, one]) => [key.toLowerCase(), one]))
    } catch {}
  const lines = yaml.split(/\r?\n/).flatMap((line) => {
    const [, key = '', value = ''] = /^([^\s:#-][^:]*):\s*(.*)$/.exec(line) ?? []
    return key === '' ? [] : [[key.trim().toLowerCase(), value.trim().replace(/^(["'])(.*)\1$/, '$2')]]
  })
  return Object.fromEntries(lines)
}

/** Tabs, which YAML forbids, and lists whose items are indented each in its own way. */
const repaired = (yaml: string): string => yaml.replaceAll('\t', '  ').replace(/^[^\S\n]*-[^\S\n]+/gm, '  - ')
