import { textToHtml } from '@kopilka/text/text-to-html.ts'
import type { Adapter, FormatId, Sample } from '../adapter.ts'
import { type CsvRecord, csvRecords, delimiterOf } from '../csv-records.ts'
import { parseDate } from '../dates.ts'
import { encodingOfSample, headOf, textOf } from '../file.ts'
import type { Entry, ItemState, RawRow } from '../row.ts'
import { isYes, splitNames } from '../values.ts'

type Cells = CsvRecord['cell']

interface CsvFormat {
  readonly id: FormatId
  readonly recognises: (columns: Sample['columns']) => boolean
  readonly read: (cell: Cells) => Omit<Entry, 'place'>
}

const adapterOf = ({ id, recognises, read }: CsvFormat): Adapter => ({
  id,
  recognises: ({ columns }) => columns.length > 0 && recognises(columns),
  async *rows(file): AsyncGenerator<RawRow> {
    const head = await headOf(file, 64 * 1024)
    const delimiter = delimiterOf(new TextDecoder(encodingOfSample(head)).decode(head))
    for await (const { line, cell } of csvRecords(textOf(file), delimiter))
      yield { place: { line }, ...read(cell) }
  },
})

const has =
  (...names: string[]) =>
  (columns: readonly string[]): boolean =>
    names.every((name) => columns.includes(name))

/** 'A / B' as Raindrop and its tools write it. */
const pathOf = (text: string): string[][] => [splitNames(text, /\s*\/\s*/)]

/** A list that Python or JSON wrote: ['a', "b"]. Texts without brackets are names between commas. */
function listed(text: string): string[] {
  const inner = /^\[([\s\S]*)\]$/.exec(text.trim())?.[1]
  if (inner === undefined) return splitNames(text, ',')
  return [...inner.matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/g)].map(([, single, double]) =>
    (single ?? double ?? '').replace(/\\(.)/g, '$1'),
  )
}

/** Pocket's part_000000.csv: tags between bars, status 'unread' or 'archive'. */
export const pocketCsv = adapterOf({
  id: 'pocket-csv',
  recognises: has('url', 'time_added', 'status'),
  read: (cell) => ({
    url: cell('url'),
    title: cell('title'),
    tags: splitNames(cell('tags'), '|'),
    createdAt: parseDate(cell('time_added')),
    states: cell('status').toLowerCase() === 'archive' ? ['archived'] : ['unread'],
  }),
})

/** Raindrop.io: excerpt, note and highlights become the body. */
export const raindropCsv = adapterOf({
  id: 'raindrop-csv',
  recognises: (columns) => has('url', 'excerpt')(columns) || has('url', 'cover', 'highlights')(columns),
  read: (cell) => ({
    url: cell('url'),
    title: cell('title'),
    body: ['excerpt', 'note', 'highlights'].map((name) => textToHtml(cell(name))).join(''),
    tags: splitNames(cell('tags'), ','),
    folders: pathOf(cell('folder') || cell('full_path')),
    createdAt: parseDate(cell('created')),
    updatedAt: parseDate(cell('lastupdate')),
    states: isYes(cell('favorite')) ? ['starred'] : [],
  }),
})

const INSTAPAPER_STATES: Readonly<Record<string, ItemState>> = {
  unread: 'unread',
  archive: 'archived',
  starred: 'starred',
}

/** Instapaper: the folders Unread, Archive and Starred are states. */
export const instapaperCsv = adapterOf({
  id: 'instapaper-csv',
  recognises: has('url', 'title', 'selection', 'folder'),
  read(cell) {
    const state = INSTAPAPER_STATES[cell('folder').toLowerCase()]
    const url = cell('url')
    const body = textToHtml(cell('selection'))
    return {
      // What was sent by mail has no address.
      ...(url === '' && body !== '' ? {} : { url }),
      title: cell('title'),
      body,
      tags: listed(cell('tags')),
      folders: state ? [] : [splitNames(cell('folder'), '/')],
      createdAt: parseDate(cell('timestamp')),
      states: state ? [state] : [],
    }
  },
})

const READWISE_STATES: Readonly<Record<string, ItemState>> = {
  archive: 'archived',
  later: 'unread',
  new: 'unread',
}

/** Readwise Reader: tags as Python writes lists. */
export const readwiseCsv = adapterOf({
  id: 'readwise-csv',
  recognises: has('url', 'document tags', 'saved date'),
  read(cell) {
    const state = READWISE_STATES[cell('location').toLowerCase()]
    return {
      url: cell('url'),
      title: cell('title'),
      body: textToHtml(cell('document note') || cell('notes')),
      tags: listed(cell('document tags')),
      createdAt: parseDate(cell('saved date')),
      states: state ? [state] : [],
    }
  },
})

/** Names of columns in the tables of other programs, by what they hold. */
const COLUMNS = {
  url: [
    'url',
    'link',
    'href',
    'uri',
    'address',
    'source url',
    'source_url',
    'адрес',
    'ссылка',
    'адрес ссылки',
  ],
  title: ['title', 'name', 'page title', 'subject', 'заголовок', 'название', 'имя'],
  body: [
    'description',
    'content',
    'text',
    'note',
    'notes',
    'body',
    'excerpt',
    'comment',
    'summary',
    'описание',
    'содержание',
    'текст',
    'заметка',
    'заметки',
    'комментарий',
  ],
  tags: [
    'tags',
    'tag',
    'labels',
    'keywords',
    'categories',
    'category',
    'теги',
    'тег',
    'метки',
    'категории',
    'категория',
  ],
  folder: ['folder', 'collection', 'path', 'notebook', 'list', 'папка', 'коллекция', 'блокнот'],
  created: [
    'created',
    'created_at',
    'createdat',
    'created at',
    'date',
    'date added',
    'added',
    'time_added',
    'timestamp',
    'time',
    'add_date',
    'saved',
    'saved_at',
    'дата',
    'создано',
    'дата создания',
    'добавлено',
  ],
  updated: ['updated', 'updated_at', 'updatedat', 'modified', 'last modified', 'изменено', 'дата изменения'],
  starred: ['favorite', 'favourite', 'favorited', 'starred', 'is_starred', 'избранное'],
  pinned: ['pinned', 'is_pinned', 'закреплено'],
  archived: ['archived', 'is_archived', 'read', 'архив', 'прочитано'],
  unread: ['unread', 'toread', 'to_read', 'не прочитано'],
} as const

const hasAny = (columns: readonly string[], names: readonly string[]): boolean =>
  names.some((name) => columns.includes(name))

/** Any table with a column of addresses, or with titles and texts. */
export const anyCsv = adapterOf({
  id: 'csv',
  recognises: (columns) =>
    columns.length > 1 &&
    (hasAny(columns, COLUMNS.url) || (hasAny(columns, COLUMNS.title) && hasAny(columns, COLUMNS.body))),
  read(cell) {
    const any = (kind: keyof typeof COLUMNS): string =>
      COLUMNS[kind].map((name) => cell(name)).find((text) => text !== '') ?? ''
    const texts = COLUMNS.body.map((name) => cell(name)).filter((text) => text !== '')
    const [url, title, folder] = [any('url'), any('title'), any('folder')]
    const isNote = url === '' && (title !== '' || texts.length > 0)
    const states: ItemState[] = []
    for (const state of ['starred', 'archived', 'unread'] as const) if (isYes(any(state))) states.push(state)
    return {
      ...(isNote ? {} : { url: withScheme(url) }),
      title,
      body: [...new Set(texts)].map(textToHtml).join(''),
      tags: splitNames(any('tags').replace(/^\[|\]$/g, ''), any('tags').includes(',') ? ',' : /[;|]/).map(
        (name) => name.replace(/^#|^["']|["']$/g, ''),
      ),
      folders: folder === '' ? [] : pathOf(folder),
      createdAt: parseDate(any('created')),
      updatedAt: parseDate(any('updated')),
      pinned: isYes(any('pinned')),
      states,
    }
  },
})

/** 'example.org/page' as a browser's address bar takes it. */
const withScheme = (text: string): string =>
  /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?:[:/?#]\S*)?$/u.test(text) ? `https://${text}` : text
