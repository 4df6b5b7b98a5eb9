import { fileIdIn } from '@kopilka/contract/files.ts'
import { translate } from '@kopilka/contract/messages.ts'
import { htmlToMarkdown, MAX_TURNED } from '@kopilka/text/html-to-markdown.ts'
import { stringify } from 'yaml'
import { replaceImageAddresses } from '../../files/references.ts'
import { isoTime } from '../format.ts'
import type { ExportedItem } from '../records.ts'

const bodyOf = (html: string): string => (html.length > MAX_TURNED ? html : htmlToMarkdown(html))

/** Signs that Windows forbids in names, and Obsidian in names that are linked to. */
const FORBIDDEN = /[\\/:*?"<>|#^[\]%\p{Cc}\p{Cf}]+/gu
/** Names of devices in Windows, whatever follows a point. */
const DEVICES = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(?=\s*(?:\.|$))/i
/** Bytes of a name: with a number and an ending it stays below the 255 of file systems. */
const MAX_NAME = 200

/** A name that every system takes, without its ending. */
function fileName(title: string): string {
  const safe = title.normalize('NFC').replace(FORBIDDEN, ' ').replace(/\s+/g, ' ')
  const short = new TextDecoder().decode(Buffer.from(safe).subarray(0, MAX_NAME)).replace(/\uFFFD$/, '')
  const name = short.replace(/^[\s.]+|[\s.]+$/g, '')
  if (name === '') return translate('importUntitled', 'ru')
  return name.replace(DEVICES, '$&_')
}

/** The folder of deleted items. */
const TRASH = 'Корзина'

/** Where a picture is that an image of the HTML shows, seen from the folder of the zip; undefined where it is in none. */
export type PlaceOfPicture = (id: string) => string | undefined

const withPlaces = (html: string, placeOf: PlaceOfPicture, toRoot: string): string =>
  replaceImageAddresses(html, (address) => {
    const id = fileIdIn(address)
    const place = id === undefined ? undefined : placeOf(id)
    return place === undefined ? address : `${toRoot}${place}`
  })

export interface MarkdownFile {
  /** Without its ending; several files may want the same. */
  readonly name: string
  readonly text: string
}

/** An item as a file of Obsidian: YAML in front, then Markdown. A link has its address as `source`; its import knows it again by all keys. */
export function markdownFile(item: ExportedItem, placeOf: PlaceOfPicture): MarkdownFile {
  const { title, url, tags, pinned, created_at, updated_at, deleted_at } = item
  const matter = {
    title,
    ...(url !== null && { source: url }),
    ...(tags.length > 0 && { tags }),
    created: isoTime(created_at),
    updated: isoTime(updated_at),
    ...(pinned && { pinned }),
    ...(deleted_at !== undefined && { deleted: isoTime(deleted_at) }),
  }
  const name = fileName(title)
  const isTrashed = deleted_at !== undefined
  const body = bodyOf(withPlaces(item.body, placeOf, isTrashed ? '../' : ''))
  return {
    name: isTrashed ? `${TRASH}/${name}` : name,
    text: `---\n${stringify(matter, { lineWidth: 0 })}---\n\n${body}\n`,
  }
}
