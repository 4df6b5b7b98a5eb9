import type { TreeAdapter } from '../adapter.ts'
import { between } from '../between.ts'
import { dateOf } from '../dates.ts'
import { wholeText } from '../file.ts'
import { type Entry, faultOf, type ImportReason, type RawRow, remarkOnOthers } from '../row.ts'
import { isAddress, linkParagraph } from '../text-body.ts'
import { splitNames } from '../values.ts'
import { noteOf } from './markdown.ts'

/** Bytes of one page. */
const MAX_BYTES = 8 * 1024 * 1024

/** Notion puts a page's id behind its name: 32 digits in base 16. */
const ID = /[ -]([\da-f]{32})(?=$|\.|\/|_all)/g
const PAGE = /[ -][\da-f]{32}\.(?:md|html)$/

/** Folders of the export itself, which have no page and so no id of one. */
const WRAPPER = /^(?:Export-[\da-f]{8}[\da-f-]*(?:-Part-\d+)?|Private(?: & Shared)?)$/

/** The list of its pages, which Notion writes itself. */
const INDEX = /(?:^|\/)index\.html$/

/** A Notion export unpacked: pages in HTML or Markdown, in folders named after the pages above them. */
export const notion: TreeAdapter = {
  id: 'notion',
  recognises: (paths) => paths.some((path) => PAGE.test(path)),
  async *rows(tree): AsyncGenerator<RawRow> {
    const shown = new Set<string>()
    for await (const file of tree.files()) {
      if (!PAGE.test(file.name)) continue
      try {
        const text = await wholeText(file, MAX_BYTES)
        for (const name of filesIn(text)) shown.add(name)
        yield pageOf(file.name, text)
      } catch (error) {
        const path = file.name.replace(ID, '')
        yield { place: { file: path }, state: 'broken', reason: faultOf(error), title: path }
      }
    }
    // Of files that a page shows, a remark of the page tells.
    for await (const { name } of tree.files())
      if (!PAGE.test(name) && !INDEX.test(name) && !shown.has(lastOf(name)))
        yield { place: { file: name }, state: 'ignored', reason: 'importUnknownFile', title: name }
  },
}

const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** The names of the files that a page in HTML or Markdown refers to. */
function filesIn(text: string): string[] {
  const addresses = [...text.matchAll(/\b(?:src|href)="([^"<>]*)"|\]\(([^()\s]*)\)/g)]
  return addresses.map(([, inHtml, inMarkdown = '']) => lastOf(decoded(inHtml ?? inMarkdown)))
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}

function pageOf(name: string, text: string): Entry {
  const path = name.replace(ID, '')
  const folders = name
    .split('/')
    .slice(0, -1)
    .filter((one) => !WRAPPER.test(one))
    .map((one) => one.replace(ID, ''))
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
      .replace(/<[^<>]*>/g, ' ')
      .replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => CHARACTERS[name] ?? '')
      .replace(/\s+/g, ' ')
      .trim()
  const heading = between(text, '<h1 class="page-title"', '</h1>')?.inner ?? ''
  const title = plain(heading.slice(heading.indexOf('>') + 1))
  const start = text.indexOf('<div class="page-body">')
  const end = text.lastIndexOf('</article>')
  const body = start < 0 ? text : text.slice(start, end < start ? undefined : end)
  const about = between(text, '<p class="page-description">', '</p>')?.inner ?? ''
  const table = between(text, '<table class="properties">', '</table>')?.inner ?? ''
  const properties = cellsOf(table).map(
    ([name, value]) => [plain(name), plain(value.replaceAll('</span><span', '</span>, <span'))] as const,
  )
  const attachments =
    body.match(
      /<(?:img|a)\b[^<>]*\b(?:src|href)="(?!https?:|#|data:|mailto:)[^"]*\.(?!html|md|csv)[a-z\d]{2,5}"/gi,
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
      body: (start < 0 || about === '' ? '' : `<p>${about}</p>`) + withTaskLists(body),
      remarks,
    },
    properties,
  )
}

/** Each item of a checklist is a list of its own, with a box that is drawn. */
const withTaskLists = (html: string): string =>
  html
    .replace(/<ul\b[^<>]*>/g, (tag) =>
      tag.includes(' class="to-do-list"') ? '<ul data-type="taskList">' : tag,
    )
    .replace(
      /<li>\s*<div class="checkbox checkbox-(on|off)"><\/div>\s*/g,
      (_, state: string) => `<li data-checked="${state === 'on'}">`,
    )

/** The names and values in a table's lines. */
function cellsOf(table: string): [name: string, value: string][] {
  const cells: [string, string][] = []
  for (let from = 0; ; ) {
    const name = between(table, '<th>', '</th>', from)
    if (!name) return cells
    const beside = /\s*(?=<td>)/y
    beside.lastIndex = name.end
    from = name.end
    if (!beside.test(table)) continue
    const value = between(table, '<td>', '</td>', beside.lastIndex)
    if (!value) return cells
    cells.push([name.inner, value.inner])
    from = value.end
  }
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
    (name) =>
      name !== '' &&
      ![...TAGS, ...CREATED, ...UPDATED].includes(name) &&
      !(SOURCE.includes(name) && isAddress(values.get(name) ?? '')),
  ).length
  const sources = new Set(SOURCE.map((name) => values.get(name) ?? '').filter(isAddress))
  return {
    ...entry,
    body: (entry.body ?? '') + [...sources].map(linkParagraph).join(''),
    tags: [...(entry.tags ?? []), ...splitNames(any(TAGS), ',')],
    createdAt: entry.createdAt || dateOf(any(CREATED).replace(/^@/, '')),
    updatedAt: entry.updatedAt || dateOf(any(UPDATED).replace(/^@/, '')),
    remarks: [...(entry.remarks ?? []), ...remarkOnOthers(others)],
  }
}

const TAGS = ['tags', 'tag', 'теги', 'метки']
const CREATED = ['created', 'created time', 'date created', 'создано', 'дата создания']
const SOURCE = ['url', 'link', 'source', 'ссылка', 'адрес']
const UPDATED = ['last edited', 'last edited time', 'updated', 'изменено']
