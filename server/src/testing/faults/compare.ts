import { isDeepStrictEqual } from 'node:util'
import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { search } from '@kopilka/contract/search.ts'
import { tags } from '@kopilka/contract/tags.ts'
import type { ItemKind } from '../../db/schema.ts'
import type { Client } from '../client.ts'
import { allPages } from './all-pages.ts'
import type { Entry, Version, WriteLog } from './write-log.ts'

interface Reading {
  readonly client: Pick<Client, 'call'>
  readonly token: string
}

interface Stored extends Omit<Version, 'word'> {
  readonly id: string
  readonly kind: ItemKind
}

const CONCURRENT_REQUESTS = 8

/** Compares what the API returns with the write log: a message for each item that differs. */
export async function compare(reading: Reading, writeLog: WriteLog): Promise<string[]> {
  const items = [...(await allNotes(reading)), ...(await allLinks(reading))]
  const byName = Map.groupBy(items, ({ title }) => title.split(' ')[0] ?? '')
  const faults = [...byName]
    .filter(([name, { length }]) => length > 1 || !writeLog.entries.has(name))
    .map(([name, { length }]) => `${name}: записей ${length}, хотя такой просили не больше одной`)

  const waiting = writeLog.entries.values()
  const worker = async (): Promise<void> => {
    for (const entry of waiting) faults.push(...(await faultsOf(entry, byName.get(entry.name)?.[0], reading)))
  }
  await Promise.all(Array.from({ length: CONCURRENT_REQUESTS }, worker))
  return [...faults, ...(await wrongCounts(items, reading))]
}

async function faultsOf(entry: Entry, stored: Stored | undefined, reading: Reading): Promise<string[]> {
  const { name, kind, id = stored?.id, possible, words } = entry
  const fault = (what: string): string => `${name} (${kind}, id ${id ?? 'неизвестен'}): ${what}`
  const faults: string[] = []
  if (!possible.some((wanted) => isAsWanted(stored, wanted, entry))) {
    const is = stored ? `лежит ${shown(stored)}` : 'записи нет'
    faults.push(fault(`${is}, а должно быть ${wantedOf(possible)}`))
  }
  if (id === undefined) return faults
  for (const word of words) {
    const found = await isFound(word, id, reading)
    const holds = stored?.body.includes(word) ?? false
    if (found && !holds) faults.push(fault(`поиск находит её по слову ${word}, которого в ней нет`))
    if (!found && holds) faults.push(fault(`поиск не находит её по слову ${word}`))
  }
  return faults
}

function isAsWanted(stored: Stored | undefined, wanted: Version | undefined, { kind, id }: Entry): boolean {
  if (!stored || !wanted) return stored === wanted
  const { word: _, tags: wantedTags, ...texts } = wanted
  const { tags: storedTags, id: storedId, ...rest } = stored
  return (
    (id === undefined || id === storedId) &&
    isDeepStrictEqual(rest, { kind, ...texts }) &&
    isDeepStrictEqual([...storedTags].sort(), [...wantedTags].sort())
  )
}

const shown = ({ title, body, url, tags: names }: Omit<Version, 'word'>): string =>
  JSON.stringify({ title, body: `${body.slice(0, 20)}…${body.slice(-40)}`, url, tags: names })

const wantedOf = (possible: Entry['possible']): string =>
  possible.map((version) => (version ? shown(version) : 'ничего')).join(' или ')

async function isFound(word: string, id: string, { client, token }: Reading): Promise<boolean> {
  const found = await client.call(search, { query: { search: word, view: 'summary' } }, { token })
  return [...found.notes, ...found.urllinks].some((item) => item.id === id)
}

/** Messages for tags whose counts differ from the number of items with that tag. */
async function wrongCounts(items: readonly Stored[], { client, token }: Reading): Promise<string[]> {
  const countOf = (name: string, kind: ItemKind): number =>
    items.filter((item) => item.kind === kind && item.tags.includes(name)).length
  const all = await client.call(tags.list, { query: {} }, { token })
  return all.flatMap(({ name, notes_count, urllinks_count }) => {
    const counted = [countOf(name, 'note'), countOf(name, 'link')]
    return isDeepStrictEqual(counted, [notes_count, urllinks_count])
      ? []
      : [`категория ${name}: записей ${counted}, а насчитано ${[notes_count, urllinks_count]}`]
  })
}

const namesOf = (refs: readonly { name: string }[]): string[] => refs.map(({ name }) => name)

async function allNotes({ client, token }: Reading): Promise<Stored[]> {
  const all = await allPages((page) => client.call(notes.list, { query: { page } }, { token }))
  return all.map(({ id, title, content, tags: refs }) => ({
    ...{ id, kind: 'note', title, body: content, url: null },
    tags: namesOf(refs),
  }))
}

async function allLinks({ client, token }: Reading): Promise<Stored[]> {
  const all = await allPages((page) => client.call(links.list, { query: { page } }, { token }))
  return all.map(({ id, title, description, url, tags: refs }) => ({
    ...{ id, kind: 'link', title, body: description, url },
    tags: namesOf(refs),
  }))
}
