import { textToHtml } from '@kopilka/text/text-to-html.ts'
import type { Adapter } from '../adapter.ts'
import { bookmarkDate } from '../dates.ts'
import { type ImportFile, textOf } from '../file.ts'
import { type Entry, ImportError, type ItemState, type RawRow } from '../row.ts'
import { tagEvents } from '../tag-reader.ts'
import { isYes, splitNames } from '../values.ts'

/** Folders inside one another: no person makes as many. */
const MAX_DEPTH = 500
/** UTF-16 units of a description. */
const MAX_TEXT = 4_000_000

const ELEMENTS = new Set(['a', 'br', 'dd', 'dl', 'dt', 'h1', 'h3', 'hr', 'script', 'style'])

/** linkding keeps its second text within the description, and its archive as a tag. */
const LINKDING_NOTES = /\[linkding-notes\]([\s\S]*?)\[\/linkding-notes\]/
const LINKDING_ARCHIVED = 'linkding:bookmarks.archived'

interface Bookmark {
  readonly attributes: Readonly<Record<string, string>>
  readonly folders: readonly string[]
  readonly entry: number
  title: string
  description: string
}

/**
 * The bookmark files of all browsers and of most services: `<DT><A HREF>` in nested `<DL>`, in whose front an `<H3>` names the
 * folder; `<DD>` describes the bookmark before it. Shaarli's own notes have an address relative to Shaarli.
 */
export const netscape: Adapter = {
  id: 'netscape',
  recognises: ({ head }) =>
    /<!doctype\s+netscape-bookmark-file/i.test(head) ||
    (/<dl\b/i.test(head) && /<dt>\s*<(?:a|h3)\s[^>]*\b(?:href|add_date)\s*=/i.test(head)) ||
    /<a\s[^>]*\badd_date\s*=/i.test(head),
  rows,
}

async function* rows(file: ImportFile): AsyncGenerator<RawRow> {
  const separator = await tagSeparator(file)
  /** Names of the open folders; undefined for a list without a name. */
  const open: (string | undefined)[] = []
  let bookmark: Bookmark | undefined
  let folder: string | undefined
  /** Where text belongs. */
  let into: 'title' | 'description' | 'folder' | undefined
  let [count, afterTerm] = [0, false]

  for await (const event of tagEvents(textOf(file), { only: ELEMENTS, without: ['icon', 'icon_uri'] })) {
    if (event.type === 'text') {
      if (into === 'folder') folder = `${folder ?? ''}${event.text}`.slice(0, MAX_TEXT)
      else if (bookmark && into) bookmark[into] = `${bookmark[into]}${event.text}`.slice(0, MAX_TEXT)
      continue
    }
    const { name } = event
    const isOpening = event.type === 'open'
    const begins = isOpening && name === 'a' && (afterTerm || into !== 'description')
    if (bookmark && (begins || /^(?:dt|dl|h1|h3|hr|script)$/.test(name))) {
      yield entryOf(bookmark, separator)
      bookmark = undefined
    }
    if (name === 'dt') [afterTerm, into] = [true, undefined]
    else if (begins) {
      count += 1
      const folders = open.filter((one) => one !== undefined)
      bookmark = { attributes: event.attributes, folders, entry: count, title: '', description: '' }
      ;[into, afterTerm] = ['title', false]
    } else if (name === 'a' && !isOpening && into === 'title') into = undefined
    else if (name === 'h3') {
      if (isOpening) folder = ''
      into = isOpening ? 'folder' : undefined
    } else if (name === 'dd' && isOpening) into = bookmark && 'description'
    else if (name === 'dl') {
      into = undefined
      if (!isOpening) open.pop()
      else if (open.length >= MAX_DEPTH) throw new ImportError('importTooDeep')
      else open.push(folder?.trim() || undefined)
      folder = undefined
    } else if (name === 'br' && bookmark && into === 'description') bookmark.description += '\n'
    else if (/^(?:h1|hr|script|style)$/.test(name)) into = undefined
  }
  if (bookmark) yield entryOf(bookmark, separator)
}

/** Links with several words and no comma among their tags; old Shaarli's files, which have spaces between tags, are short. */
const MANY = 50

/**
 * Tags stand between commas. In a file without any, spaces separate them, as old Shaarli wrote, unless there are so many that
 * the tool surely allowed one tag a link, of several words.
 */
async function tagSeparator(file: ImportFile): Promise<string | RegExp> {
  let [rest, spaced] = ['', 0]
  for await (const text of textOf(file)) {
    const whole = rest + text
    let end = 0
    for (const { index, 0: match, 1: value = '' } of whole.matchAll(
      /\b(?:tags|labels)\s*=\s*"([^"<>]*)"/gi,
    )) {
      if (value.includes(',')) return ','
      if (/\S\s+\S/.test(value)) spaced += 1
      end = index + match.length
    }
    if (spaced > MANY) return ','
    rest = whole.slice(Math.max(end, whole.length - 2000))
  }
  return /\s+/
}

function entryOf(
  { attributes, folders, entry, title, description }: Bookmark,
  separator: string | RegExp,
): RawRow {
  const { href = '', tags, labels = '', add_date, last_modified, toread, private: isPrivate } = attributes
  const names = splitNames(tags ?? labels, separator)
  const states: ItemState[] = []
  if (names.includes(LINKDING_ARCHIVED)) states.push('archived')
  if (isYes(toread)) states.push('unread')
  if (isYes(isPrivate)) states.push('private')
  const [, notes = ''] = LINKDING_NOTES.exec(description) ?? []
  const text = description.replace(LINKDING_NOTES, '')
  const common = {
    place: { entry },
    title,
    body: textToHtml(text) + textToHtml(notes),
    tags: names.filter((name) => name !== LINKDING_ARCHIVED),
    folders: [folders],
    createdAt: bookmarkDate(add_date),
    updatedAt: bookmarkDate(last_modified),
    states,
  } satisfies Entry
  // Shaarli's notes: '?Z-mb0g', in newer versions '/shaare/Z-mb0g'.
  const isNote = /^(?:\?|\/?shaare\/)[\w-]+$/.test(href.trim())
  return isNote ? common : { ...common, url: href }
}
