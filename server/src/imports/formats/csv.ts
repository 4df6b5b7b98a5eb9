import { textToHtml } from '@kopilka/text/text-to-html.ts'
import type { Adapter, FormatId, Sample } from '../adapter.ts'
import { type CsvRecord, csvRecords, delimiterOf } from '../csv-records.ts'
import { dateOf } from '../dates.ts'
import { encodingOfSample, headOf, textOf } from '../file.ts'
import { type Entry, type ItemState, type RawRow, remarkOnOthers } from '../row.ts'
import { withScheme } from '../text-body.ts'
import { isYes, listOf, textOf as plainTextOf, splitNames } from '../values.ts'

type Cells = CsvRecord['cell']

interface CsvFormat {
  readonly id: FormatId
  readonly recognises: (columns: Sample['columns']) => boolean
  /** `look` reads a cell that may turn out to say nothing that is understood: then it is none of those read. */
  readonly read: (cell: Cells, look: Cells) => Omit<Entry, 'place'>
}

/** Columns whose values say nothing to people: the tools' own ids and places in lists. */
const TECHNICAL = new Set(['id', 'cursor'])

const adapterOf = ({ id, recognises, read }: CsvFormat): Adapter => ({
  id,
  recognises: ({ columns }) => columns.length > 0 && recognises(columns),
  async *rows(file): AsyncGenerator<RawRow> {
    const head = await headOf(file, 64 * 1024)
    const delimiter = delimiterOf(new TextDecoder(encodingOfSample(head)).decode(head))
    for await (const { line, cell, filled } of csvRecords(textOf(file), delimiter)) {
      const used = new Set<string>()
      const entry = read((name) => {
        used.add(name)
        return cell(name)
      }, cell)
      // A second column of the same name is not read.
      const isRead = (name: string, at: number) => used.has(name) && filled.indexOf(name) === at
      const others = filled.filter((name, at) => !TECHNICAL.has(name) && !isRead(name, at)).length
      yield { place: { line }, ...entry, remarks: remarkOnOthers(others) }
    }
  },
})

const has =
  (...names: string[]) =>
  (columns: readonly string[]): boolean =>
    names.every((name) => columns.includes(name))

/** 'A / B' as Raindrop and its tools write it, 'A/B' as others do. */
const pathOf = (text: string): string[][] => [splitNames(text, text.includes(' / ') ? ' / ' : '/')]

/** A list that Python or JSON wrote: ['a', "b"]. Texts without brackets are names between commas. */
function listed(text: string): string[] {
  const inner = /^\[([\s\S]*)\]$/.exec(text.trim())?.[1]
  if (inner === undefined) return splitNames(text, ',')
  // A text whose end is missing goes on to the end of the list.
  const texts = /'((?:[^'\\]|\\[\s\S])*)(?:'|\\?$)|"((?:[^"\\]|\\[\s\S])*)(?:"|\\?$)/g
  return [...inner.matchAll(texts)].map(([, single, double]) =>
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
    createdAt: dateOf(cell('time_added')),
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
    createdAt: dateOf(cell('created')),
    updatedAt: dateOf(cell('lastupdate')),
    states: isYes(cell('favorite')) ? ['starred'] : [],
  }),
})

const INSTAPAPER_STATES: Readonly<Record<string, ItemState>> = {
  unread: 'unread',
  archive: 'archived',
  starred: 'starred',
  liked: 'starred',
}

/** The state that a cell names, whatever else an object has by that name. */
const stateIn = (states: Readonly<Record<string, ItemState>>, cell: string): ItemState | undefined => {
  const name = cell.toLowerCase()
  return Object.hasOwn(states, name) ? states[name] : undefined
}

/** Instapaper: the folders Unread, Archive and Starred are states, and none is within another. */
export const instapaperCsv = adapterOf({
  id: 'instapaper-csv',
  recognises: has('url', 'title', 'selection', 'folder'),
  read(cell) {
    const state = stateIn(INSTAPAPER_STATES, cell('folder'))
    const url = cell('url')
    const body = textToHtml(cell('selection'))
    return {
      // What was sent by mail has no address.
      ...(url === '' && body !== '' ? {} : { url }),
      title: cell('title'),
      body,
      tags: listed(cell('tags')),
      folders: state || cell('folder') === '' ? [] : [[cell('folder')]],
      createdAt: dateOf(cell('timestamp')),
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
  read(cell, look) {
    const state = stateIn(READWISE_STATES, look('location'))
    if (state) cell('location')
    return {
      url: cell('url'),
      title: cell('title'),
      body: textToHtml(cell('document note') || cell('notes')),
      tags: listed(cell('document tags')),
      createdAt: dateOf(cell('saved date')),
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
    'website',
    'web address',
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
    'comments',
    'summary',
    'selection',
    'quote',
    'highlight',
    'highlights',
    'annotation',
    'annotations',
    'extended',
    'abstract',
    'abstract note',
    'document note',
    'описание',
    'содержание',
    'текст',
    'заметка',
    'заметки',
    'комментарий',
    'комментарии',
    'примечание',
    'примечания',
  ],
  tags: [
    'tags',
    'tag',
    'labels',
    'keywords',
    'categories',
    'category',
    'manual tags',
    'document tags',
    'tag list',
    'теги',
    'тег',
    'метки',
    'категории',
    'категория',
  ],
  folder: ['folder', 'collection', 'path', 'notebook', 'list', 'папка', 'коллекция', 'блокнот'],
  folders: ['folders', 'collections', 'notebooks', 'lists', 'папки', 'коллекции', 'блокноты'],
  // `date` alone may be that of the page.
  created: [
    'created',
    'created_at',
    'createdat',
    'created at',
    'created time',
    'created date',
    'creation date',
    'date created',
    'date added',
    'date_added',
    'dateadded',
    'added',
    'added_at',
    'added at',
    'added on',
    'time_added',
    'add_date',
    'saved',
    'saved_at',
    'saved at',
    'saved date',
    'date saved',
    'bookmarked at',
    'bookmarked_at',
    'timestamp',
    'time',
    'date',
    'создано',
    'дата создания',
    'добавлено',
    'дата добавления',
    'дата',
  ],
  updated: [
    'updated',
    'updated_at',
    'updatedat',
    'updated at',
    'modified',
    'modified_at',
    'last modified',
    'date modified',
    'lastupdate',
    'last edited time',
    'изменено',
    'обновлено',
    'дата изменения',
  ],
  starred: [
    'favorite',
    'favourite',
    'favorited',
    'is_favorite',
    'starred',
    'is_starred',
    'important',
    'избранное',
  ],
  pinned: ['pinned', 'is_pinned', 'закреплено'],
  archived: ['archived', 'is_archived', 'read', 'is_read', 'архив', 'прочитано'],
  unread: ['unread', 'is_unread', 'toread', 'to_read', 'не прочитано'],
  private: ['private', 'is_private', 'личное'],
  done: ['done', 'is_done', 'completed', 'is_completed', 'сделано', 'выполнено', 'готово'],
  status: ['status', 'state', 'location', 'статус'],
} as const

/** Words of a column of states. */
const STATUSES: Readonly<Record<string, ItemState>> = {
  archive: 'archived',
  archived: 'archived',
  read: 'archived',
  unread: 'unread',
  'to read': 'unread',
  later: 'unread',
  starred: 'starred',
  favorite: 'starred',
  архив: 'archived',
  прочитано: 'archived',
  'не прочитано': 'unread',
  done: 'done',
  completed: 'done',
  сделано: 'done',
  выполнено: 'done',
  готово: 'done',
}

const NO = /^(?:0|false|no|нет|off)$/i

/** Tables of passwords have addresses too: nobody means to keep them as links. */
const PASSWORDS = ['password', 'пароль']

/** An article, which programs write into a cell as its HTML. */
export const cellToHtml = (text: string): string =>
  /^<(p|div|h[1-6]|ul|ol|blockquote|table|figure|article|section)\b[^<>]*>[\s\S]*<\/[a-z\d]+>$/i.test(text)
    ? text
    : textToHtml(text)

const hasAny = (columns: readonly string[], names: readonly string[]): boolean =>
  names.some((name) => columns.includes(name))

/** Any table with a column of addresses, or with titles and texts. */
export const anyCsv = adapterOf({
  id: 'csv',
  recognises: (columns) =>
    columns.length > 1 &&
    !hasAny(columns, PASSWORDS) &&
    (hasAny(columns, COLUMNS.url) || (hasAny(columns, COLUMNS.title) && hasAny(columns, COLUMNS.body))),
  read(cell, look) {
    /** What the first column of a kind says that says anything; a remark counts the others. */
    const any = (kind: keyof typeof COLUMNS): string => {
      for (const name of COLUMNS[kind]) {
        const text = cell(name)
        if (text !== '') return text
      }
      return ''
    }
    const texts = COLUMNS.body.map((name) => cell(name)).filter((text) => text !== '')
    const [url, title, folder] = [any('url'), any('title'), any('folder')]
    const isNote = url === '' && (title !== '' || texts.length > 0)
    const states: ItemState[] = []
    for (const state of ['starred', 'archived', 'unread', 'private'] as const)
      if (isYes(any(state))) states.push(state)
    for (const name of COLUMNS.done) {
      // It may be the date when it was.
      if (!isYes(look(name)) && !NO.test(look(name))) continue
      if (isYes(cell(name)) && !states.includes('done')) states.push('done')
    }
    for (const name of COLUMNS.status) {
      const status = stateIn(STATUSES, look(name))
      if (!status) continue
      cell(name)
      if (!states.includes(status)) states.push(status)
    }
    return {
      ...(isNote ? {} : { url: withScheme(url) }),
      title,
      body: [...new Set(texts)].map(cellToHtml).join(''),
      tags: COLUMNS.tags.flatMap((name) => tagsIn(cell(name))),
      folders: [...(folder === '' ? [] : pathOf(folder)), ...splitNames(any('folders'), ',').flatMap(pathOf)],
      createdAt: dateOf(any('created')),
      updatedAt: dateOf(any('updated')),
      pinned: isYes(any('pinned')),
      states,
    }
  },
})

/** Tags between commas, else between semicolons or bars. */
const tagsIn = (text: string): string[] =>
  splitNames(text.replace(/^\[|\]$/g, ''), text.includes(',') ? ',' : /[;|]/).map((name) =>
    name.replace(/^#|^["']|["']$/g, ''),
  )

const OWN_COLUMNS = [
  ...['kind', 'title', 'url', 'text', 'html', 'tags', 'pinned', 'created_at', 'updated_at', 'deleted_at'],
] as const

/** The apostrophe that keeps a spreadsheet from running a cell (exports/formats/csv.ts) is no part of it. */
const withoutGuard = (text: string): string => (/^'+[=+\-@\t\r]/.test(text) ? text.slice(1) : text)

/** Tags between commas, or as JSON where one has a comma. */
function ownTags(cell: string): string[] {
  try {
    if (cell.startsWith('["')) return listOf(JSON.parse(cell)).map(plainTextOf)
  } catch {
    // Somebody has changed the cell.
  }
  return splitNames(cell, ', ')
}

/** The table that Копилка exports itself. */
export const kopilkaCsv = adapterOf({
  id: 'csv',
  recognises: has(...OWN_COLUMNS),
  read(cell) {
    const own = Object.fromEntries(OWN_COLUMNS.map((name) => [name, withoutGuard(cell(name))]))
    const {
      kind,
      title,
      url,
      text = '',
      html,
      tags = '',
      created_at,
      updated_at,
      deleted_at = '',
      pinned,
    } = own
    const deletedAt = Date.parse(deleted_at)
    return {
      ...(kind === 'note' ? {} : { url }),
      ...{ title, body: html || textToHtml(text), tags: ownTags(tags), pinned: isYes(pinned) },
      createdAt: dateOf(created_at),
      updatedAt: dateOf(updated_at),
      deletedAt: deletedAt > 0 ? deletedAt : undefined,
    }
  },
})
