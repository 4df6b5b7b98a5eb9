import { textToHtml } from '@kopilka/text/text-to-html.ts'
import type { Adapter } from '../adapter.ts'
import { between } from '../between.ts'
import { bookmarkDate } from '../dates.ts'
import { type ImportFile, textOf } from '../file.ts'
import { isLinkable } from '../finish-row.ts'
import {
  describedFolder,
  type Entry,
  ImportError,
  type ItemState,
  type RawRow,
  remarkOnOthers,
} from '../row.ts'
import { tagEvents } from '../tag-reader.ts'
import { isYes, listOf, textOf as plainTextOf, splitNames } from '../values.ts'

/** Folders inside one another: no person makes as many. */
const MAX_DEPTH = 500
/** UTF-16 units of a description. */
const MAX_TEXT = 4_000_000

/** Elements of a description that stand on lines of their own. */
const LINES = new Set(['blockquote', 'div', 'li', 'ol', 'p', 'ul'])
const ELEMENTS = new Set(['a', 'br', 'dd', 'dl', 'dt', 'h1', 'h3', 'hr', 'script', 'style', ...LINES])

/** linkding keeps its second text within the description, and its archive as a tag. */
const LINKDING_NOTES = ['[linkding-notes]', '[/linkding-notes]'] as const
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
    (/<dl\b/i.test(head) && /<dt>\s*<(?:a|h3)\s[^<>]*\b(?:href|add_date)\s*=/i.test(head)) ||
    /<a\s[^<>]*\badd_date\s*=/i.test(head),
  rows,
}

async function* rows(file: ImportFile): AsyncGenerator<RawRow> {
  const separator = await tagSeparator(file)
  /** Names of the open folders; undefined for a list without a name. */
  const open: (string | undefined)[] = []
  let bookmark: Bookmark | undefined
  let folder: string | undefined
  /** Where text belongs. */
  let into: 'title' | 'description' | 'folder' | 'folder text' | undefined
  /** Open folders that have a description, which is not imported and which no row has mentioned yet; the innermost last. */
  const described: { readonly name: string; readonly depth: number }[] = []
  let [count, afterTerm] = [0, false]
  /** A list was closed after the last bookmark and folder. */
  let hasClosed = false
  /** The address of the link that a description is in. */
  let linked = ''

  /** Mentions the described folders deeper than this, which end without a bookmark. */
  function* ended(depth: number): Generator<RawRow> {
    for (let last = described.at(-1); last && last.depth > depth; last = described.at(-1)) {
      described.pop()
      count += 1
      yield describedFolder(count, last.name)
    }
  }
  /** The first bookmark that is kept mentions all described folders that it is in. */
  const rowOf = (one: Bookmark): RawRow => {
    const { href = '' } = one.attributes
    const isKept = isNote(href) || isLinkable(href)
    return entryOf(one, separator, isKept ? described.splice(0).length : 0)
  }

  for await (const event of tagEvents(textOf(file), { only: ELEMENTS, without: ['icon', 'icon_uri'] })) {
    if (event.type === 'text') {
      if (into === 'folder') folder = joined(folder ?? '', event.text)
      else if (into === 'folder text') {
        if (event.text.trim() === '') continue
        const depth = open.length + 1
        // A folder may have several descriptions.
        if (described.at(-1)?.depth !== depth) described.push({ name: folder ?? '', depth })
        into = undefined
      } else if (bookmark && into) bookmark[into] = joined(bookmark[into], event.text)
      continue
    }
    const { name } = event
    const isOpening = event.type === 'open'
    const begins = isOpening && name === 'a' && (afterTerm || into !== 'description')
    if (bookmark && (begins || /^(?:dt|dl|h1|h3|hr|script)$/.test(name))) {
      yield rowOf(bookmark)
      bookmark = undefined
    }
    if (begins || (name === 'h3' && isOpening)) yield* ended(open.length)
    else if (name === 'dl' && !isOpening) yield* ended(open.length - 1)
    if (name === 'dl') hasClosed ||= !isOpening
    else if (begins || name === 'h3') hasClosed = false
    if (name === 'dt') [afterTerm, into] = [true, undefined]
    else if (begins) {
      count += 1
      const folders = open.filter((one) => one !== undefined)
      const { attributes } = event
      bookmark = { attributes, folders, entry: count, title: '', description: '' }
      ;[into, afterTerm, linked] = ['title', false, '']
    } else if (name === 'a' && !isOpening && into === 'title') into = undefined
    else if (name === 'a' && bookmark && into === 'description') {
      // A description is a text: the address stands behind the words of the link, where they are not the address.
      if (!isOpening && !bookmark.description.endsWith(linked))
        bookmark.description = joined(bookmark.description, ` (${linked})`)
      const address = isOpening ? (event.attributes.href?.trim() ?? '') : ''
      linked = isLinkable(address) ? address : ''
    } else if (name === 'h3') {
      if (isOpening) folder = ''
      into = isOpening ? 'folder' : undefined
    } else if (name === 'dd' && isOpening)
      into = bookmark ? 'description' : folder === undefined ? undefined : 'folder text'
    else if (name === 'dl') {
      into = undefined
      if (!isOpening) open.pop()
      else if (open.length >= MAX_DEPTH) throw new ImportError('importTooDeep')
      else open.push(folder?.trim() || undefined)
      folder = undefined
    } else if (name === 'br' && bookmark && into === 'description') bookmark.description += '\n'
    else if (LINES.has(name) && bookmark && into === 'description') {
      const { description } = bookmark
      if (description !== '' && !description.endsWith('\n')) bookmark.description += '\n'
    } else if (/^(?:h1|hr|script|style)$/.test(name)) into = undefined
  }
  if (bookmark) yield rowOf(bookmark)
  yield* ended(0)
  // Some files do not close all lists that they open, and titles may hold `<dl>`: only the end tells of a cut.
  if (open.length > 0 && !hasClosed)
    yield { place: { entry: count + 1 }, state: 'broken', reason: 'importCutFile' }
}

/** At most so long. What is long enough is not copied for each piece. */
const joined = (text: string, more: string): string =>
  text.length < MAX_TEXT ? (text + more).slice(0, MAX_TEXT) : text

const TAGS = /\b(?:tags|labels)\s*=\s*"([^"<>]*)"/gi
const PRIVATE = /<a\s[^<>]*\bprivate\s*=/i

/** Links with several words and no comma among their tags; old Shaarli's files, which have spaces between tags, are short. */
const MANY = 50

/**
 * Tags stand between commas. Old Shaarli wrote spaces between them, and of each link whether it is private: only in a file
 * that says this, and has no comma in any tags, spaces separate them, unless there are so many that the tool surely allowed
 * one tag a link, of several words.
 */
async function tagSeparator(file: ImportFile): Promise<string | RegExp> {
  let [rest, spaced, saysPrivate] = ['', 0, false]
  for await (const text of textOf(file)) {
    const whole = rest + text
    let end = 0
    for (const { index, 0: match, 1: value = '' } of whole.matchAll(TAGS)) {
      if (value.includes(',')) return ','
      if (/\S\s+\S/.test(value)) spaced += 1
      end = index + match.length
    }
    if (spaced > MANY) return ','
    saysPrivate ||= PRIVATE.test(whole)
    rest = whole.slice(Math.max(end, whole.length - 2000))
  }
  return saysPrivate ? /\s+/ : ','
}

/** The tags as Копилка's own export has them beside the others, where one has a comma (exports/formats/netscape.ts). */
function ownTags(json: string | undefined): string[] | undefined {
  if (json === undefined) return undefined
  try {
    return listOf(JSON.parse(json)).map(plainTextOf)
  } catch {
    return undefined
  }
}

/** Shaarli's notes: '?Z-mb0g', in newer versions '/shaare/Z-mb0g'. */
const isNote = (href: string): boolean => /^(?:\?|\/?shaare\/)[\w-]+$/.test(href.trim())

/** Attributes that say something to people, and have no place here. */
const OTHERS = ['shortcuturl', 'feedurl', 'post_data']

/** `described`: the number of folders whose description this row says is not imported. */
function entryOf(
  { attributes, folders, entry, title, description }: Bookmark,
  separator: string | RegExp,
  described: number,
): RawRow {
  const { href = '', tags, labels = '', add_date, last_modified, toread, private: isPrivate } = attributes
  const names = ownTags(attributes['data-tags']) ?? splitNames(tags ?? labels, separator)
  const states: ItemState[] = []
  // Raindrop's favourites.
  if (isYes(attributes['data-important'])) states.push('starred')
  if (names.includes(LINKDING_ARCHIVED)) states.push('archived')
  if (isYes(toread)) states.push('unread')
  if (isYes(isPrivate)) states.push('private')
  const notes = between(description, ...LINKDING_NOTES)
  const text = notes ? description.slice(0, notes.start) + description.slice(notes.end) : description
  const others = OTHERS.filter((name) => (attributes[name]?.trim() ?? '') !== '').length + described
  const common = {
    place: { entry },
    title,
    body: textToHtml(text) + textToHtml(notes?.inner ?? ''),
    tags: names.filter((name) => name !== LINKDING_ARCHIVED),
    folders: [folders],
    createdAt: bookmarkDate(add_date),
    updatedAt: bookmarkDate(last_modified),
    states,
    remarks: remarkOnOthers(others),
  } satisfies Entry
  return isNote(href) ? common : { ...common, url: href }
}
