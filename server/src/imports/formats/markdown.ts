import type { Adapter } from '../adapter.ts'
import { dateOf } from '../dates.ts'
import { wholeText } from '../file.ts'
import { isLinkable, lineOf } from '../finish-row.ts'
import { type FrontMatter, splitFrontMatter } from '../front-matter.ts'
import { readMarkdown } from '../markdown.ts'
import { type Entry, type ItemState, type RawRow, remarksOn } from '../row.ts'
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

/** Keys about looks, which no remark counts. */
const LOOKS = new Set(['cssclasses', 'cssclass'])
/** Joplin writes them of every note, as zeros where it knows no place. */
const PLACES = new Set(['latitude', 'longitude', 'altitude'])

/** Keys that Копилка's own export writes (exports/formats/markdown.ts), and its times. */
const OWN_KEYS = new Set(['title', 'source', 'tags', 'created', 'updated', 'pinned', 'deleted'])
const OWN_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** When an item of Копилка's trash was deleted. */
function deletionOf({ text }: FrontMatter): number | undefined {
  const time = OWN_TIME.test(text('deleted')) ? Date.parse(text('deleted')) : Number.NaN
  return time > 0 ? time : undefined
}

/** How many values have no place here: those of other keys, and of a second key for one thing where it says something else. */
function othersIn(matter: FrontMatter): number {
  const { keys, text, names } = matter
  const said = (of: readonly string[]) => JSON.stringify([text(...of), names(...of)])
  const isUsed = (key: string) =>
    LOOKS.has(key) ||
    (key === 'deleted' && deletionOf(matter) !== undefined) ||
    (PLACES.has(key) && /^0(?:\.0+)?$/.test(text(key))) ||
    Object.values(KEYS).some((of: readonly string[]) => of.includes(key) && said([key]) === said(of))
  return keys.filter((key) => !isUsed(key)).length
}

/** Of Копилка's own export. Other tools write where a note comes from under the same key as a link: theirs stay notes. */
const isOwn = ({ keys, text }: FrontMatter): boolean =>
  keys.every((key) => OWN_KEYS.has(key)) &&
  ['created', 'updated'].every((key) => OWN_TIME.test(text(key))) &&
  text('title') !== ''

/** One note in Markdown with YAML front matter, as Obsidian, Joplin and many others write. */
export const markdown: Adapter = {
  id: 'markdown',
  recognises: ({ name, head }) =>
    /^\uFEFF?---[ \t]*\r?\n[\s\S]{0,60000}?\n(?:---|\.\.\.)/.test(head) ||
    /\.(?:md|markdown|mdown|mkd|txt|text)$/i.test(name) ||
    /^#{1,6} \S|^\[[^\]\n]+\]\(|^ {0,3}[-*+] \[[ x]\] /m.test(head),
  async *rows(file): AsyncGenerator<RawRow> {
    yield noteOf(await wholeText(file, MAX_BYTES), file.name)
  },
}

/** A Markdown document as an entry. Its title is that of the front matter, else its first heading, else the name of the file. */
export function noteOf(text: string, path: string, title = ''): Entry {
  const { matter, body } = splitFrontMatter(text)
  const document = readMarkdown(body)
  const named = title || lineOf(matter.text(...KEYS.title))
  const ownTitle = named || document.heading || nameOf(path)
  const source = matter.text(...KEYS.source)
  const isOwnItem = title === '' && isOwn(matter)
  const isLink = isOwnItem && isLinkable(source)
  const states: ItemState[] = []
  if (isYes(matter.text(...KEYS.done))) states.push('done')
  if (isYes(matter.text(...KEYS.starred))) states.push('starred')
  if (isYes(matter.text(...KEYS.archived))) states.push('archived')
  const remarks = remarksOn(document.attachments, othersIn(matter) + document.comments)
  const html = document.heading === ownTitle ? document.htmlWithoutHeading : document.html
  const tags = isOwnItem ? matter.exactNames('tags') : matter.names(...KEYS.tags)
  return {
    place: {},
    title: ownTitle,
    // All that is said of an own item stands in its front matter: neither is the first heading of a link its title, nor are words tags.
    ...(isLink
      ? { url: source, body: document.html, tags }
      : {
          body: html + (source === '' ? '' : linkParagraph(source)),
          tags: isOwnItem ? tags : [...tags, ...document.tags],
        }),
    createdAt: dateOf(matter.text(...KEYS.created)),
    updatedAt: dateOf(matter.text(...KEYS.updated)),
    pinned: isYes(matter.text(...KEYS.pinned)),
    deletedAt: deletionOf(matter),
    states,
    remarks,
  }
}

/** A file's name without its folders and its ending. */
const nameOf = (path: string): string => (path.split('/').at(-1) ?? '').replace(/\.[a-z\d]{1,9}$/i, '')
