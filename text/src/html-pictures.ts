import { unescapeHtml } from './escape-html.ts'

/** The pictures of clean HTML. */
const PICTURE = /<img\b[^>]*>/g

/** An attribute's value as a browser reads it. */
function attributeOf(tag: string, name: string): string | undefined {
  const [, value] = new RegExp(`\\s${name}="([^"]*)"`).exec(tag) ?? []
  return value === undefined ? undefined : unescapeHtml(value)
}

/** A picture of a text. */
export interface ShownPicture {
  readonly src: string
  /** Its `<img>` element. */
  readonly html: string
}

/** The pictures of clean HTML, without the text between them. */
export const picturesIn = (clean: string): ShownPicture[] =>
  (clean.match(PICTURE) ?? []).map((html) => ({ src: attributeOf(html, 'src') ?? '', html }))

/** A picture to put in the place of another. */
interface NewPicture {
  readonly url: string
  readonly width: number
  readonly height: number
}

/**
 * Clean HTML with a picture in the place of each that comes from an address. Their descriptions stay, and a size that the
 * text gives them.
 */
export const withPicture = (clean: string, src: string, { url, width, height }: NewPicture): string =>
  clean.replace(PICTURE, (tag) => {
    if (attributeOf(tag, 'src') !== src) return tag
    const isSized = attributeOf(tag, 'width') !== undefined && attributeOf(tag, 'height') !== undefined
    const size = isSized ? '' : ` width="${width}" height="${height}"`
    const unsized = isSized ? tag : tag.replace(/\s(?:width|height)="[^"]*"/g, '')
    return unsized.replace(/\ssrc="[^"]*"/, () => ` src="${url}"${size}`)
  })
