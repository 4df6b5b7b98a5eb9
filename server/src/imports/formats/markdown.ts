import type { Adapter } from '../adapter.ts'
import { parseDate } from '../dates.ts'
import { wholeText } from '../file.ts'
import { splitFrontMatter } from '../front-matter.ts'
import { readMarkdown } from '../markdown.ts'
import type { Entry, ImportReason, ItemState, RawRow } from '../row.ts'
import { linkParagraph } from '../text-body.ts'
import { isYes } from '../values.ts'

/** Bytes of one note. */
const MAX_BYTES = 8 * 1024 * 1024

/** Keys of front matter by what they say; of all others a remark tells how many there are. */
const KEYS = {
  title: ['title'],
  tags: ['tags', 'tag', 'keywords', 'categories'],
  created: ['created', 'created_at', 'created at', 'createdat', 'date', 'creation date', 'date created'],
  updated: [
    'updated',
    'updated_at',
    'updated at',
    'updatedat',
    'modified',
    'last modified',
    'lastmod',
    'date modified',
  ],
  pinned: ['pinned', 'pin'],
  starred: ['favorite', 'favourite', 'starred'],
  archived: ['archived'],
  done: ['completed?', 'completed'],
  source: ['source', 'source_url', 'url', 'link'],
} as const

/** Keys that no remark counts: those of `KEYS`, and some about looks, other names and places. */
const KNOWN = new Set<string>([
  ...Object.values(KEYS).flat(),
  'cssclasses',
  'cssclass',
  'aliases',
  'alias',
  'latitude',
  'longitude',
  'altitude',
])

/** One note in Markdown with YAML front matter, as Obsidian, Joplin and many others write. */
export const markdown: Adapter = {
  id: 'markdown',
  recognises: ({ name, head }) =>
    /^\uFEFF?---[ \t]*\r?\n[\s\S]{0,60000}?\n(?:---|\.\.\.)/.test(head) ||
    /\.(?:md|markdown|mdown|mkd|txt|text)$/i.test(name) ||
    /^#{1,6} \S|^\[[^\]]+\]\(|^ {0,3}[-*+] \[[ x]\] /m.test(head),
  async *rows(file): AsyncGenerator<RawRow> {
    yield noteOf(await wholeText(file, MAX_BYTES), file.name)
  },
}

/** A Markdown document as an entry. Its title is that of the front matter, else its first heading, else the name of the file. */
export function noteOf(text: string, path: string, title = ''): Entry {
  const { matter, body } = splitFrontMatter(text)
  const document = readMarkdown(body)
  const named = title || matter.text(...KEYS.title).replace(/\s+/g, ' ')
  const ownTitle = named || document.heading || nameOf(path)
  const source = matter.text(...KEYS.source)
  const states: ItemState[] = []
  if (isYes(matter.text(...KEYS.done))) states.push('done')
  if (isYes(matter.text(...KEYS.starred))) states.push('starred')
  if (isYes(matter.text(...KEYS.archived))) states.push('archived')
  const remarks: ImportReason[] = []
  if (document.attachments > 0) remarks.push(`importAttachments:${document.attachments}`)
  const others = matter.keys.filter((key) => !KNOWN.has(key)).length
  if (others > 0) remarks.push(`importOtherFields:${others}`)
  return {
    place: {},
    title: ownTitle,
    body:
      (document.heading === ownTitle ? document.htmlWithoutHeading : document.html) +
      (source === '' ? '' : linkParagraph(source)),
    tags: [...matter.names(...KEYS.tags), ...document.tags],
    createdAt: parseDate(matter.text(...KEYS.created)),
    updatedAt: parseDate(matter.text(...KEYS.updated)),
    pinned: isYes(matter.text(...KEYS.pinned)),
    states,
    remarks,
  }
}

/** A file's name without its folders and its ending. */
const nameOf = (path: string): string => (path.split('/').at(-1) ?? '').replace(/\.[a-z\d]{1,9}$/i, '')
