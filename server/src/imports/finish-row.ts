import { LINK_SCHEMES } from '@kopilka/contract/allowed-html.ts'
import { lengthOf, tagNameKey, toLine } from '@kopilka/contract/fields.ts'
import { MAX_LENGTH, MAX_TAGS_PER_ITEM } from '@kopilka/contract/limits.ts'
import { translate } from '@kopilka/contract/messages.ts'
import { htmlToText } from '@kopilka/text/html-to-text.ts'
import {
  type Entry,
  type ImportedItem,
  type ImportedVersion,
  type ImportReason,
  type ImportRow,
  isRejection,
  type RawRow,
  type Rejection,
} from './row.ts'

/** Addresses that a browser keeps for itself. */
const BROWSER_SCHEMES = new Set([
  'place',
  'about',
  'chrome',
  'edge',
  'opera',
  'browser',
  'vivaldi',
  'brave',
  'moz-extension',
  'chrome-extension',
  'view-source',
  'feed',
])
const CODE_SCHEMES = new Set(['javascript', 'data', 'vbscript'])

/** Makes an entry fit the limits of the contract: nothing is dropped without a remark. */
export function finishRow(row: RawRow): ImportRow {
  if (isRejection(row)) return row
  if ('pictureId' in row) return { ...row, state: 'picture' }
  if ('tagName' in row) {
    const [title] = fitTags([row.tagName])
    const { place } = row
    return title === undefined
      ? { place, state: 'broken', reason: 'importIncomplete' }
      : { place, state: 'tag', title }
  }
  if (row.url === undefined) return itemOf(row, 'note', null)
  const url = toLine(row.url)
  const fault = addressFault(url)
  if (fault === undefined) return itemOf(row, 'link', url)
  const title = cut(lineOf(row.title ?? ''), MAX_LENGTH.title)
  return { place: row.place, title, url: url.slice(0, MAX_LENGTH.url), ...fault }
}

/** Whether an entry with this address becomes a link. */
export const isLinkable = (url: string): boolean => addressFault(toLine(url)) === undefined

function addressFault(url: string): Pick<Rejection, 'state' | 'reason'> | undefined {
  if (url === '') return { state: 'broken', reason: 'importNoAddress' }
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(url)?.[1]?.toLowerCase() ?? ''
  if (BROWSER_SCHEMES.has(scheme)) return { state: 'ignored', reason: 'importBrowserAddress' }
  if (CODE_SCHEMES.has(scheme)) return { state: 'broken', reason: 'importCodeAddress' }
  if (scheme === 'file') return { state: 'broken', reason: 'importFileAddress' }
  if (lengthOf(url) > MAX_LENGTH.url) return { state: 'broken', reason: 'importLongAddress' }
  const isAddress = /^(?:ftp|https?):\/\//i.test(url) && URL.canParse(url)
  return isAddress ? undefined : { state: 'broken', reason: 'importBadAddress' }
}

function itemOf(entry: Entry, kind: ImportedItem['kind'], url: string | null): ImportedItem {
  const body = entry.body ?? ''
  const ownTitle = lineOf(entry.title ?? '')
  const whole = ownTitle || (url ?? firstLineOf(body))
  const title = cut(whole, MAX_LENGTH.title)
  const names = (entry.tags ?? []).map(lineOf)
  const tags = fitTags(names)
  const folders = (entry.folders ?? []).filter((path) => path.length > 0).map((path) => path.map(lineOf))
  const remarks: ImportReason[] = [...(entry.remarks ?? [])]
  // A link without a title has its address for one, which is kept beside it.
  if (title !== whole && (url === null || ownTitle !== '')) remarks.push('importTitleCut')
  // What Копилка stored is clean.
  const innerLinks = entry.isExact ? 0 : countInnerLinks(body)
  if (innerLinks > 0) remarks.push(`importInnerLinks:${innerLinks}`)
  const long = new Set([...names, ...folders.flat()].filter((name) => lengthOf(name) > MAX_LENGTH.tagName))
    .size
  if (long > 0) remarks.push(`importNamesCut:${long}`)
  if (tags.length > MAX_TAGS_PER_ITEM) remarks.push(`importManyTags:${tags.length - MAX_TAGS_PER_ITEM}`)
  const badDates = [entry.createdAt, entry.updatedAt].filter(Number.isNaN).length
  if (badDates > 0) remarks.push(`importBadDates:${badDates}`)
  const given = entry.versions ?? []
  const fitting = given.filter((version) => hasValidAddress(version, kind))
  const lost = given.length - fitting.length
  const cutVersions = fitting.filter(isCut).length
  if (lost > 0) remarks.push(`importBrokenVersions:${lost}`)
  if (cutVersions > 0) remarks.push(`importVersionsCut:${cutVersions}`)
  return {
    state: 'item',
    place: entry.place,
    kind,
    title: title || translate('importUntitled', 'ru'),
    url,
    body,
    tags: tags.slice(0, MAX_TAGS_PER_ITEM),
    folders: folders.map((path) => path.map((name) => cut(name, MAX_LENGTH.tagName))),
    isExact: entry.isExact ?? false,
    createdAt: entry.createdAt || undefined,
    updatedAt: entry.updatedAt || undefined,
    pinned: entry.pinned ?? false,
    states: entry.states ?? [],
    remarks,
    revision: entry.revision,
    deletedAt: entry.deletedAt,
    versions: fitting.map((version) => fitVersion(version, kind)),
  }
}

/** Whether an earlier version could ever have been an item: a link has the address of one. */
const hasValidAddress = ({ url }: ImportedVersion, kind: ImportedItem['kind']): boolean =>
  kind === 'note' || addressFault(toLine(url ?? '')) === undefined

/** An earlier version as an item may be. */
function fitVersion(version: ImportedVersion, kind: ImportedItem['kind']): ImportedVersion {
  const url = kind === 'link' ? toLine(version.url ?? '') : null
  const title = cut(toLine(version.title), MAX_LENGTH.title) || (url ?? translate('importUntitled', 'ru'))
  const tags = fitTags(version.tags).slice(0, MAX_TAGS_PER_ITEM)
  return { ...version, title: cut(title, MAX_LENGTH.title), url, tags }
}

/** Whether a version has more than an item may: a longer title, longer names of tags, or more of them. */
const isCut = ({ title, tags }: ImportedVersion): boolean =>
  lengthOf(toLine(title)) > MAX_LENGTH.title ||
  tags.some((name) => lengthOf(toLine(name)) > MAX_LENGTH.tagName) ||
  fitTags(tags).length > MAX_TAGS_PER_ITEM

const LINK = /<a(?=\s)[^<>]*?\shref\s*=\s*["']?\s*([^"'\s<>]*)/gi

/** Links without a whole address, or with one that only another program opens: cleaning leaves their text. */
function countInnerLinks(html: string): number {
  let count = 0
  for (const [, address = ''] of html.matchAll(LINK)) {
    const scheme = /^([a-z][a-z\d+.-]*):/i.exec(address)?.[1]?.toLowerCase()
    const isKept = scheme !== undefined && (LINK_SCHEMES as readonly string[]).includes(scheme)
    if (!isKept && address !== '' && !address.startsWith('#')) count += 1
  }
  return count
}

const SPACES = /[\s\u0085]+/g
/** White space that a line has no place for. */
const BREAK = /[\t\n\v\f\r\u0085]/

/**
 * A title or name in one line: files break long titles, and indent what follows. Other spaces stay as they are written: one that does
 * not break is none that may break.
 */
export const lineOf = (text: string): string =>
  toLine(text.replace(SPACES, (run) => (BREAK.test(run) ? ' ' : run)))

function firstLineOf(body: string): string {
  const text = htmlToText(body.slice(0, 20_000)).trim()
  // The box of a task is none of its words.
  const lines = text.split('\n').map((line) => line.replace(/^\s*[☐☑]\s*/, ''))
  return lineOf(lines.find((line) => line.trim() !== '') ?? '')
}

/** At most so many code points. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text
  return [...text.slice(0, max * 2)].slice(0, max).join('').trim()
}

/** How many tags an item has no room for, with its folders as tags. */
export const countTagsBeyond = ({ tags, folders }: Pick<ImportedItem, 'tags' | 'folders'>): number =>
  Math.max(0, fitTags([...tags, ...folders.flat()]).length - MAX_TAGS_PER_ITEM)

/** Distinct names, the first spelling of each; too long ones are cut. */
export function fitTags(names: readonly string[]): string[] {
  const byKey = new Map<string, string>()
  for (const name of names) {
    const line = cut(toLine(name), MAX_LENGTH.tagName)
    if (line !== '' && !byKey.has(tagNameKey(line))) byKey.set(tagNameKey(line), line)
  }
  return [...byKey.values()]
}
