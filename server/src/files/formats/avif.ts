import {
  type ByteSource,
  type CleanPicture,
  damaged,
  MAX_PARTS,
  Parts,
  PictureFault,
} from '../byte-source.ts'

/** A box (ISO/IEC 14496-12, section 4.2). */
interface Box {
  readonly type: string
  readonly start: number
  /** Where its content begins and ends. */
  readonly from: number
  readonly to: number
}

/** Brands of AVIF: a picture, and a sequence. */
const BRANDS = /^(?:avif|avis)$/
/** Most items, extents and properties of a picture; encoders write some ten, a large grid some hundred. */
const MOST = 10_000
/** The longest box `meta`, or `moov` of a sequence; it lists frames, not pixels. */
const LONGEST = 4 * 1024 * 1024

/** What a camera or an editor writes beside the pixels: the types of items, and boxes anywhere. */
const PRIVATE_ITEMS: ReadonlySet<string> = new Set(['Exif', 'mime', 'uri '])
const PRIVATE_BOXES: ReadonlySet<string> = new Set(['free', 'skip', 'uuid', 'udta', 'pdin'])
const KEPT_BOXES: ReadonlySet<string> = new Set(['ftyp', 'meta', 'mdat', 'moov', 'idat'])

export function isAvif(head: Buffer): boolean {
  if (head.length < 16 || head.toString('latin1', 4, 8) !== 'ftyp') return false
  const brands = [8]
  for (let at = 16; at + 4 <= Math.min(head.readUInt32BE(0), head.length); at += 4) brands.push(at)
  return brands.some((at) => BRANDS.test(head.toString('latin1', at, at + 4)))
}

function* boxesIn(bytes: Pick<ByteSource, 'read'>, from: number, to: number): Generator<Box> {
  for (let start = from; start < to; ) {
    if (to - start < 8) throw damaged()
    const head = bytes.read(start, Math.min(16, to - start))
    const type = head.toString('latin1', 4, 8)
    let [size, header] = [head.readUInt32BE(0), 8]
    if (size === 1) {
      if (head.length < 16) throw damaged()
      ;[size, header] = [Number(head.readBigUInt64BE(8)), 16]
    } else if (size === 0) size = to - start
    if (size < header || start + size > to) throw damaged()
    yield { type, start, from: start + header, to: start + size }
    start += size
  }
}

/** Reads numbers one after the other. */
class Cursor {
  readonly #bytes: Buffer
  at: number
  constructor(bytes: Buffer, at = 0) {
    this.#bytes = bytes
    this.at = at
  }
  /** A number of 0 to 8 bytes. */
  number(length: number): number {
    if (this.at + length > this.#bytes.length) throw damaged()
    let value = 0
    for (let end = this.at + length; this.at < end; this.at += 1)
      value = value * 256 + (this.#bytes[this.at] ?? 0)
    return value
  }
  /** The type of an item: four characters. */
  type(): string {
    const from = this.at
    this.number(4)
    return this.#bytes.toString('latin1', from, this.at)
  }
}

interface Extent {
  readonly from: number
  readonly to: number
  /** What it begins with where it is blanked. */
  readonly head?: Buffer | undefined
}

/** Where the items of a box `meta` are. Places are those of the file. */
interface Items {
  readonly extents: Map<number, Extent[]>
  /** How many extents all items have. */
  places: number
}

/** What `meta` says. */
interface Meta extends Items {
  primary: number
  readonly types: Map<number, string>
  readonly properties: { type: string; bytes: Buffer }[]
  /** The properties of each item, by their numbers from 1. */
  readonly owned: Map<number, number[]>
}

/** Exif without any entry: readers refuse a picture whose Exif has no header. */
const EMPTY_EXIF = Buffer.from('000000004d4d002a00000008000000000000', 'hex')
/** The type of a box that readers skip. */
const FREE = Buffer.from('free', 'latin1')

/**
 * The boxes stay where they are, because others name their places: private ones are filled with zeros, as is what items of
 * Exif and XMP hold.
 */
export function cleanAvif(source: ByteSource): CleanPicture {
  const blanks = new Blanks()
  const trackItems: Items = { extents: new Map(), places: 0 }
  let meta: Meta | undefined
  for (const box of boxesIn(source, 0, source.size)) {
    if (!KEPT_BOXES.has(box.type)) blanks.add(box)
    if ((box.type === 'meta' || box.type === 'moov') && box.to - box.from > LONGEST) throw damaged()
    if (box.type === 'meta') {
      // A reader may take either, and one of them would be left as it is.
      if (meta) throw damaged()
      meta = metaOf(source, box)
    }
    if (box.type === 'moov') addPrivateBoxes({ blanks, source, trackItems }, box)
  }
  if (!meta) throw new PictureFault('fileNotPicture')
  const size = sizeOf(meta)
  for (const [item, extents] of meta.extents) {
    if (extents.some((extent) => !isWithin(source, extent))) throw damaged()
    const type = meta.types.get(item) ?? ''
    if (PRIVATE_ITEMS.has(type))
      for (const { from, to } of extents)
        blanks.add({ from, to, head: type === 'Exif' ? EMPTY_EXIF : undefined })
  }
  return { ...size, parts: blanked(source, blanks.list) }
}

const isWithin = ({ size }: ByteSource, { from, to }: Extent): boolean => from <= to && to <= size

/** The places that are filled with zeros. */
class Blanks {
  readonly list: Extent[] = []

  /** Throws {@link PictureFault} beyond {@link MAX_PARTS}. */
  add({ from, to, head }: Extent): void {
    if (to <= from) return
    if (this.list.length >= MAX_PARTS) throw damaged()
    this.list.push({ from, to, head })
  }
}

/** Boxes of a sequence that hold boxes. */
const HOLDERS: ReadonlySet<string> = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'edts', 'dinf'])

interface Cleaning {
  readonly blanks: Blanks
  readonly source: ByteSource
  readonly trackItems: Items
}

/** Blanks the boxes within a sequence that describe it to people: of tracks `meta` is one as well. */
function addPrivateBoxes(cleaning: Cleaning, { from, to }: Box, depth = 0): void {
  const { blanks, source } = cleaning
  for (const box of boxesIn(source, from, to)) {
    if (box.type === 'meta') blankMeta(cleaning, box)
    if (PRIVATE_BOXES.has(box.type) || box.type === 'meta') blanks.add(box)
    else if (HOLDERS.has(box.type) && depth < 8) addPrivateBoxes(cleaning, box, depth + 1)
  }
}

/** Blanks what the items of a track hold, in whatever box. Readers would refuse an empty `meta`, and skip another box. */
function blankMeta({ blanks, source, trackItems }: Cleaning, box: Box): void {
  const { bytes, boxes, data } = contentOf(source, box)
  for (const { type, from, to } of boxes)
    if (type === 'iloc') readPlaces(trackItems, bytes.subarray(from, to), data)
  for (const extent of [...trackItems.extents.values()].flat()) {
    if (!isWithin(source, extent)) throw damaged()
    blanks.add(extent)
  }
  trackItems.extents.clear()
  blanks.add({ from: box.start + 4, to: box.start + 8, head: FREE })
}

/** The boxes in a `meta`, by their places in its bytes, and the place of its box `idat` in the file. */
function contentOf(source: ByteSource, box: Box): { bytes: Buffer; boxes: Box[]; data: Extent | undefined } {
  const bytes = Buffer.from(source.read(box.from, box.to - box.from))
  const inside = { read: (at: number, length: number) => bytes.subarray(at, at + length) }
  // A full box: four bytes of version and flags come first.
  const boxes = [...boxesIn(inside, 4, bytes.length)]
  const data = boxes.find(({ type }) => type === 'idat')
  return { bytes, boxes, data: data && { from: box.from + data.from, to: box.from + data.to } }
}

function metaOf(source: ByteSource, box: Box): Meta {
  const { bytes, boxes, data } = contentOf(source, box)
  const meta: Meta = {
    primary: 0,
    types: new Map(),
    extents: new Map(),
    places: 0,
    properties: [],
    owned: new Map(),
  }
  for (const { type, from, to } of boxes) {
    const content = bytes.subarray(from, to)
    if (type === 'pitm') meta.primary = new Cursor(content, 4).number(content[0] === 0 ? 2 : 4)
    if (type === 'iinf') readTypes(meta, content)
    if (type === 'iloc') readPlaces(meta, content, data)
    if (type === 'iprp') readProperties(meta, content)
  }
  return meta
}

function readTypes({ types }: Meta, content: Buffer): void {
  const isShort = content[0] === 0
  const inside = { read: (at: number, length: number) => content.subarray(at, at + length) }
  for (const { type, from, to } of boxesIn(inside, isShort ? 6 : 8, content.length)) {
    if (type !== 'infe' || types.size > MOST) throw damaged()
    const version = content[from] ?? 0
    if (version < 2) throw damaged()
    const cursor = new Cursor(content.subarray(0, to), from + 4)
    const id = cursor.number(version === 2 ? 2 : 4)
    cursor.number(2)
    types.set(id, cursor.type())
  }
}

/** `data`: the box `idat`, in which some items lie. */
function readPlaces(items: Items, content: Buffer, data: Extent | undefined): void {
  const version = content[0] ?? 0
  if (version > 2) throw damaged()
  const cursor = new Cursor(content, 4)
  const sizes = cursor.number(2)
  const [offsetSize, lengthSize, baseSize] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15]
  const indexSize = version === 0 ? 0 : sizes & 15
  const count = cursor.number(version < 2 ? 2 : 4)
  if (count > MOST) throw damaged()
  for (let item = 0; item < count; item += 1) {
    const id = cursor.number(version < 2 ? 2 : 4)
    const method = version === 0 ? 0 : cursor.number(2) & 15
    cursor.number(2)
    const base = cursor.number(baseSize)
    const extents = cursor.number(2)
    // Extents of no bytes take none in the file: their number is all that bounds them.
    items.places += extents
    if (items.places > MOST) throw damaged()
    const places: Extent[] = []
    for (let extent = 0; extent < extents; extent += 1) {
      cursor.number(indexSize)
      const from = base + cursor.number(offsetSize)
      const length = cursor.number(lengthSize)
      if (method === 0) places.push({ from, to: from + length })
      else if (method === 1 && data) {
        if (data.from + from + length > data.to) throw damaged()
        places.push({ from: data.from + from, to: data.from + from + length })
      } else throw damaged()
    }
    // A reader may take either.
    if (items.extents.size > MOST || items.extents.has(id)) throw damaged()
    items.extents.set(id, places)
  }
}

function readProperties({ properties, owned }: Meta, content: Buffer): void {
  const inside = { read: (at: number, length: number) => content.subarray(at, at + length) }
  for (const box of boxesIn(inside, 0, content.length)) {
    if (box.type === 'ipco')
      for (const { type, from, to } of boxesIn(inside, box.from, box.to)) {
        if (properties.length > MOST) throw damaged()
        properties.push({ type, bytes: content.subarray(from, to) })
      }
    if (box.type !== 'ipma') continue
    const cursor = new Cursor(content.subarray(0, box.to), box.from)
    const version = cursor.number(1)
    const isWide = (cursor.number(3) & 1) === 1
    const items = cursor.number(4)
    if (items > MOST) throw damaged()
    for (let item = 0; item < items; item += 1) {
      const id = cursor.number(version < 1 ? 2 : 4)
      const count = cursor.number(1)
      const numbers = Array.from({ length: count }, () =>
        isWide ? cursor.number(2) & 0x7fff : cursor.number(1) & 0x7f,
      )
      owned.set(id, numbers)
    }
  }
}

/** The size of the primary item as it is shown: turned by its `irot`. */
function sizeOf({ primary, properties, owned, extents, types }: Meta): { width: number; height: number } {
  const own = (owned.get(primary) ?? []).map((number) => properties[number - 1])
  const spatial = own.find((property) => property?.type === 'ispe')?.bytes
  if (!spatial || spatial.length < 12 || !extents.get(primary)?.length) throw damaged()
  if (!/^(?:av01|grid|iovl)$/.test(types.get(primary) ?? '')) throw new PictureFault('fileNotPicture')
  const [width, height] = [spatial.readUInt32BE(4), spatial.readUInt32BE(8)]
  const rotation = own.find((property) => property?.type === 'irot')?.bytes[0] ?? 0
  return rotation & 1 ? { width: height, height: width } : { width, height }
}

/** The bytes of the source with zeros in these places. */
function blanked(source: ByteSource, blanks: readonly Extent[]): Parts {
  const parts = new Parts()
  let at = 0
  for (const { from, to, head } of blanks.toSorted((one, other) => one.from - other.from)) {
    const start = Math.max(at, from)
    if (to <= start) continue
    parts.keep(at, start)
    const zeros = Buffer.alloc(to - start)
    if (head && start === from && zeros.length >= head.length) head.copy(zeros)
    parts.add(zeros)
    at = to
  }
  parts.keep(at, source.size)
  return parts
}
