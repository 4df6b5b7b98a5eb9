import type { TreeAdapter } from '../adapter.ts'
import { parseDate } from '../dates.ts'
import { type ImportFile, wholeText } from '../file.ts'
import type { Entry, ImportReason, RawRow } from '../row.ts'
import { splitNames } from '../values.ts'
import { noteOf } from './markdown.ts'

/** Bytes of one page. */
const MAX_BYTES = 8 * 1024 * 1024

/** Notion puts a page's id behind its name: 32 digits in base 16. */
const ID = /[ -]([\da-f]{32})(?=$|\.|\/|_all)/g
const PAGE = /[ -][\da-f]{32}\.(?:md|html)$/

/** A Notion export unpacked: pages in HTML or Markdown, in folders named after the pages above them. */
export const notion: TreeAdapter = {
  id: 'notion',
  recognises: (paths) => paths.some((path) => PAGE.test(path)),
  async *rows(tree): AsyncGenerator<RawRow> {
    for await (const file of tree.files()) if (PAGE.test(file.name)) yield await pageOf(file)
  },
}

async function pageOf(file: ImportFile): Promise<Entry> {
  const text = await wholeText(file, MAX_BYTES)
  const path = file.name.replace(ID, '')
  const folders = path
    .split('/')
    .slice(0, -1)
    .filter((name) => !/^(?:Export|Private & Shared$|Private$)/.test(name))
  const entry = path.endsWith('.md') ? fromMarkdown(text, path) : fromHtml(text, path)
  return { ...entry, place: { file: path }, folders: [folders] }
}

/** Below the title come the properties, a line each, up to the first empty line. */
function fromMarkdown(text: string, path: string): Entry {
  const [, title = '', properties = '', rest = text] =
    /^\uFEFF?# ([^\n]*)\n\n((?:[^\n:#>|-][^\n:]{0,60}: [^\n]*\n)+)(?:\n|$)([\s\S]*)$/.exec(
      text.replace(/\r\n/g, '\n'),
    ) ?? []
  const entry = noteOf(rest, path, title)
  return withProperties(
    entry,
    properties
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  )
}

function fromHtml(text: string, path: string): Entry {
  const plain = (html: string): string =>
    html
      .replace(/<[^>]*>/g, ' ')
      .replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => CHARACTERS[name] ?? '')
      .replace(/\s+/g, ' ')
      .trim()
  const title = plain(/<h1 class="page-title"[^>]*>([\s\S]*?)<\/h1>/.exec(text)?.[1] ?? '')
  const start = text.indexOf('<div class="page-body">')
  const end = text.lastIndexOf('</article>')
  const body = start < 0 ? text : text.slice(start, end < start ? undefined : end)
  const table = /<table class="properties">([\s\S]*?)<\/table>/.exec(text)?.[1] ?? ''
  const properties = [...table.matchAll(/<th>([\s\S]*?)<\/th>\s*<td>([\s\S]*?)<\/td>/g)].map(
    ([, name = '', value = '']) =>
      [plain(name), plain(value.replaceAll('</span><span', '</span>, <span'))] as const,
  )
  const attachments =
    body.match(
      /<(?:img|a)\b[^>]*\b(?:src|href)="(?!https?:|#|data:|mailto:)[^"]*\.(?!html|md|csv)[a-z\d]{2,5}"/gi,
    )?.length ?? 0
  const remarks: ImportReason[] = attachments > 0 ? [`importAttachments:${attachments}`] : []
  return withProperties(
    {
      place: {},
      title:
        title ||
        path
          .split('/')
          .at(-1)
          ?.replace(/\.html$/, ''),
      body,
      remarks,
    },
    properties,
  )
}

const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** Of the properties, tags and times have a place here; of the others a remark tells how many there are. */
function withProperties(entry: Entry, properties: readonly (readonly string[])[]): Entry {
  const values = new Map(
    properties.map(([name = '', value = '']) => [name.trim().toLowerCase(), value.trim()]),
  )
  const any = (names: readonly string[]): string =>
    names.map((name) => values.get(name) ?? '').find((value) => value !== '') ?? ''
  const others = [...values.keys()].filter(
    (name) => name !== '' && ![...TAGS, ...CREATED, ...UPDATED].includes(name),
  ).length
  return {
    ...entry,
    tags: [...(entry.tags ?? []), ...splitNames(any(TAGS), ',')],
    createdAt: entry.createdAt ?? parseDate(any(CREATED).replace(/^@/, '')),
    updatedAt: entry.updatedAt ?? parseDate(any(UPDATED).replace(/^@/, '')),
    remarks: [...(entry.remarks ?? []), ...(others > 0 ? [`importOtherFields:${others}` as const] : [])],
  }
}

const TAGS = ['tags', 'tag', 'теги', 'метки']
const CREATED = ['created', 'created time', 'date created', 'создано', 'дата создания']
const UPDATED = ['last edited', 'last edited time', 'updated', 'изменено']
