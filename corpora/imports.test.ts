import { readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { htmlToText } from '@kopilka/text/html-to-text.ts'
import { expect, it } from 'vitest'
import { readImport } from '../server/src/imports/read-import.ts'
import { ImportError, type ImportedItem, type ImportRow, type Rejection } from '../server/src/imports/row.ts'
import { cleanHtml } from '../server/src/items/html.ts'
import { test } from '../server/src/testing/fixtures.ts'
import { readFile, runImport } from '../server/src/testing/send-file.ts'
import { corpusFolder } from './corpus.ts'

interface Sample {
  url?: string
  title?: string
  tags?: string[]
  created_at?: string | null
  date_unixtime?: string | null
  date_local?: string
  updated_at?: string | null
  folder?: string[]
  notebook?: string[]
  text?: string
  archived?: boolean
  starred?: boolean
  unread?: boolean
  pinned?: boolean
  trashed?: boolean
  done?: boolean
  page?: string
}

interface Expected {
  path: string
  format: string
  counts: Record<string, number | string | null | Record<string, number>>
  sample: Sample[]
}

const FOLDER = corpusFolder('imports')
// The format of expected.json, which its own head describes.
const { files } = JSON.parse(readFileSync(join(FOLDER, 'expected.json'), 'utf8')) as { files: Expected[] }

const isItem = (row: ImportRow): row is ImportedItem => row.state === 'item'
const isRejected = (row: ImportRow): row is Rejection => row.state !== 'item'

async function read(path: string): Promise<ImportRow[]> {
  const rows: ImportRow[] = []
  try {
    for await (const row of (await readImport(join(FOLDER, path))).rows) rows.push(row)
  } catch (error) {
    if (!(error instanceof ImportError)) throw error
    rows.push({ place: {}, state: 'broken', reason: error.code })
  }
  return rows
}

/** Links to ftp: are links in Копилка; the corpus leaves both ways open. */
const isFtp = (row: ImportRow): boolean => 'url' in row && /^ftp:/i.test(row.url ?? '')

function countsOf(rows: readonly ImportRow[]): Record<string, number> {
  const items = rows.filter((row) => isItem(row) && !isFtp(row)) as ImportedItem[]
  const links = items.filter(({ kind }) => kind === 'link')
  const withState = (state: string) =>
    items.filter(({ states }) => (states as readonly string[]).includes(state)).length
  return {
    links: links.length,
    links_unique: new Set(links.map(({ url }) => url)).size,
    notes: items.length - links.length,
    tags: new Set(items.flatMap(({ tags }) => tags)).size,
    skipped: rows.filter((row) => isRejected(row) || isFtp(row)).length,
    with_text: links.filter(({ body }) => body !== '').length,
    without_date: links.filter(({ createdAt }) => createdAt === undefined).length,
    archived: withState('archived'),
    unread: withState('unread'),
    starred: withState('starred'),
  }
}

/** Where what is stated cannot be what is meant. */
const EXCEPT: Readonly<Record<string, readonly string[]>> = {
  // A message that is only an address may be a link: none is here; the one link stated is within a text.
  'telegram-json': ['links', 'links_unique'],
  // Pages are read with their properties, which the collector did not count.
  notion: ['tags'],
  // The article of wallabag is the text; `with_text` counts descriptions. Its counts of states leave out what is 0.
  'wallabag-json': ['with_text'],
  // Counted are descriptions; linkding's notes are a second text.
  'netscape-html/linkding/linkding_export_test_exporter.html': ['with_text'],
  // Counted by the collector only where asked for: all that is not archived is unread there.
  'pocket-csv': ['unread'],
  'pocket-html': ['unread'],
  'readwise-reader-csv': ['unread'],
  'instapaper-csv': ['unread', 'starred'],
  'raindrop-csv': ['starred', 'with_text', 'without_date'],
}

const oneLine = (text: string): string => text.replace(/[ \t\r\n]+/g, ' ').trim()
const textOf = (body: string): string => htmlToText(cleanHtml(body))
const seconds = (time: number | undefined): number | undefined => time && Math.floor(time / 1000)

it.each(files)('$path', async ({ path, format, counts, sample }) => {
  const rows = await read(path)
  const found = countsOf(rows)
  const skipped = [...(EXCEPT[format] ?? []), ...(EXCEPT[path] ?? [])]
  const stated = Object.fromEntries(
    Object.entries(counts).filter(
      ([key, value]) => typeof value === 'number' && key in found && !skipped.includes(key),
    ),
  )
  expect(Object.fromEntries(Object.keys(stated).map((key) => [key, found[key]]))).toEqual(stated)
  for (const one of sample) expectSample(rows, one, format)
})

/** What can be sent: a folder is imported by the command alone. */
const sendable = files.filter(({ path }) => statSync(join(FOLDER, path)).isFile())

test.for(sendable)('$path through the calls', { timeout: 60_000 }, async ({ path }, { app, account }) => {
  const rows = await read(path)
  const items = rows.filter(isItem)
  const content = new Uint8Array(readFileSync(join(FOLDER, path)))
  const { id, state, summary } = await readFile(app, account, content, basename(path))
  if (items.length === 0) {
    expect(summary.notes + summary.links).toBe(0)
    return
  }
  expect(state).toBe('ready')
  const inState = (wanted: string) => rows.filter((row) => row.state === wanted).length
  expect(summary).toMatchObject({ broken: inState('broken'), ignored: inState('ignored') })
  expect(summary.notes + summary.links).toBe(items.length)
  const done = await runImport(app, account, id)
  expect(done).toMatchObject({ state: 'done', result: { added: summary.new, skipped: summary.same } })
  const stored = await app.db
    .selectFrom('items')
    .select(['title', 'url', 'created_at'])
    .where('owner_id', '=', account.id)
    .execute()
  for (const { title, url, createdAt } of items) {
    const same = stored.filter((row) => (url === null ? row.title === title : row.url === url))
    // One that repeats another in the file, in whatever spelling, is skipped.
    if (same.length === 0) expect(summary.same).toBeGreaterThan(0)
    else if (createdAt !== undefined && summary.same === 0)
      expect(same.map(({ created_at }) => created_at)).toContain(createdAt)
  }
  const again = await readFile(app, account, content, basename(path))
  expect(again.summary).toMatchObject({ new: 0, same: items.length })
})

function expectSample(rows: readonly ImportRow[], sample: Sample, format: string): void {
  if (sample.trashed || (sample.title === undefined && sample.text === undefined)) return
  const title = oneLine(sample.title ?? '')
  const close = rows.filter(
    (row): row is ImportedItem =>
      isItem(row) &&
      (sample.url === undefined || row.url === sample.url.trim()) &&
      (sample.title === undefined || row.title === title || (title === '' && row.title === sample.url)),
  )
  const wanted = {
    tags: sample.tags ?? [],
    created: format === 'evernote-enex' && sample.created_at === null ? 'any' : timeOf(sample),
    folder: sample.folder ?? sample.notebook,
    archived: sample.archived,
    starred: sample.starred,
    pinned: sample.pinned,
    done: sample.done,
    text: oneLine((sample.text ?? '').slice(0, 250)),
  }
  expect(close, JSON.stringify(sample).slice(0, 300)).not.toHaveLength(0)
  const shown = close.map((row) => ({
    tags: sample.tags ? row.tags : [],
    created: wanted.created === 'any' ? 'any' : seconds(row.createdAt),
    folder:
      wanted.folder &&
      (row.folders.some((one) => one.join('/') === wanted.folder?.join('/'))
        ? wanted.folder
        : row.folders[0]),
    archived: sample.archived === undefined ? undefined : row.states.includes('archived'),
    starred: sample.starred === undefined ? undefined : row.states.includes('starred'),
    pinned: sample.pinned === undefined ? undefined : row.pinned,
    done: sample.done === undefined ? undefined : row.states.includes('done'),
    text: textOf(row.body).slice(0, 300),
  }))
  const same = shown.find(
    (one) =>
      JSON.stringify({ ...one, text: '' }) === JSON.stringify({ ...wanted, text: '' }) &&
      hasText(one.text, wanted.text, format),
  )
  expect(same ?? shown[0], JSON.stringify(sample).slice(0, 300)).toEqual(same ?? wanted)
}

/** A time without a zone is in UTC. */
function timeOf({ created_at, date_unixtime, date_local }: Sample): number | undefined {
  if (date_unixtime) return Number(date_unixtime)
  const text = date_local ?? created_at
  if (!text) return undefined
  const plain = text.replace(' (no zone)', '')
  return Math.floor(
    Date.parse(/Z$|[+-]\d\d:\d\d$/.test(plain) || !plain.includes('T') ? plain : `${plain}Z`) / 1000,
  )
}

/** The letters in their order: what Markdown, ENML and lists put between them is markup. */
const letters = (text: string): string =>
  text.replace(/!\[[^\]]*\]\([^)]*\)|\[[ x]\]/g, '').replace(/[^\p{L}\p{N}]/gu, '')

function hasText(text: string, wanted: string, format: string): boolean {
  if (wanted === '' || format === 'wallabag-json') return true
  return letters(text).startsWith(letters(wanted.slice(0, 200)))
}
