import { fileIdIn } from '@kopilka/contract/files.ts'
import { MAX_LENGTH } from '@kopilka/contract/limits.ts'
import type { Db, FilesTable } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { namesFiles } from './references.ts'

/** The tags of images. What has a bracket in an attribute ends early, and has an odd number of quotation marks. */
const IMAGE = /<img\s[^<>]*>/gi
const ATTRIBUTE = /([^\s=<>"'/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g

interface OwnImage {
  readonly id: string
  readonly width: string | undefined
  readonly height: string | undefined
  /** The place in the tag after its address. */
  readonly end: number
}

/** An image of one of the user's own pictures. */
function ownImage(tag: string): OwnImage | undefined {
  if (tag.split('"').length % 2 === 0) return undefined
  const values = new Map<string, string>()
  let end = 0
  for (const { 0: attribute, 1: name = '', 2: a, 3: b, 4: c, index } of tag.matchAll(ATTRIBUTE)) {
    const key = name.toLowerCase()
    if (values.has(key)) continue
    values.set(key, a ?? b ?? c ?? '')
    if (key === 'src') end = index + attribute.length
  }
  const id = fileIdIn(values.get('src')?.trim() ?? '')
  return id === undefined ? undefined : { id, width: values.get('width'), height: values.get('height'), end }
}

/** An image of one of the user's own pictures that has no width, or no height. */
function unsized(tag: string): OwnImage | undefined {
  const image = ownImage(tag)
  return image?.width && image.height ? undefined : image
}

/** The images of a text that lack a size. */
const unsizedIn = (html: string): OwnImage[] =>
  namesFiles(html) ? (html.match(IMAGE) ?? []).flatMap((tag) => unsized(tag) ?? []) : []

const SPACED_ATTRIBUTE = new RegExp(`\\s?${ATTRIBUTE.source}`, 'g')

/** HTML without the sizes of own pictures: two texts that differ only in what {@link withSizes} adds become one. */
export function withoutSizes(html: string): string {
  if (!namesFiles(html)) return html
  const unlessSide = (attribute: string, name: string) => (/^(?:width|height)$/i.test(name) ? '' : attribute)
  return html.replace(IMAGE, (tag) => (ownImage(tag) ? tag.replace(SPACED_ATTRIBUTE, unlessSide) : tag))
}

type Size = Pick<FilesTable, 'id' | 'width' | 'height'>

/** The attribute that a tag lacks: of two sides one follows from the other, unless that is no number of pixels. */
function sideOf(name: 'width' | 'height', own: string | undefined, other: string | undefined, size: Size) {
  if (own) return ''
  const opposite = name === 'width' ? size.height : size.width
  const side = other ? Math.round((size[name] * Number(other)) / opposite) : size[name]
  return side > 0 && Number.isSafeInteger(side) ? ` ${name}="${side}"` : ''
}

const sizesOf = statement((db, value: Value<{ owner_id: string; ids: readonly string[] }>) =>
  db
    .selectFrom('files')
    .select(['id', 'width', 'height'])
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('id', 'ids'))
    .where('is_complete', '=', 1),
)

/**
 * Texts with the width and height of those pictures of their owner that lack them: a page must not jump when they load. A text
 * that would become too long by that stays as it is.
 */
export async function withSizes(db: Db, owner_id: string, texts: readonly string[]): Promise<string[]> {
  const ids = new Set(texts.flatMap(unsizedIn).map(({ id }) => id))
  if (ids.size === 0) return [...texts]
  const found = await sizesOf(db, { owner_id, ids: [...ids] })
  const sizes = new Map(found.map((size) => [size.id, size]))
  return texts.map((html) => {
    const sized = html.replace(IMAGE, (tag) => {
      const image = unsized(tag)
      const size = image && sizes.get(image.id)
      if (!size) return tag
      const { width, height, end } = image
      const sides = sideOf('width', width, height, size) + sideOf('height', height, width, size)
      return tag.slice(0, end) + sides + tag.slice(end)
    })
    return sized.length > MAX_LENGTH.html ? html : sized
  })
}
