/** The pictures of clean HTML. */
const PICTURE = /<img\b[^>]*>/g

const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' }

/** An attribute's value as a browser reads it; clean HTML has no other entities in it. */
const attributeOf = (tag: string, name: string): string | undefined =>
  new RegExp(`\\s${name}="([^"]*)"`)
    .exec(tag)?.[1]
    ?.replace(/&(?:lt|gt|quot|amp);/g, (entity) => ENTITIES[entity] ?? entity)

/** The `<img>` elements of clean HTML, one after the other and without the text between them. */
export const picturesIn = (clean: string): string => (clean.match(PICTURE) ?? []).join('')

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
