import { fileIdIn } from '@kopilka/contract/files.ts'

const SIDE = /^[1-9]\d{0,5}$/

/** The address of an empty picture of a size: it takes the room of one that has not loaded. */
export function emptyPicture(width: unknown, height: unknown): string {
  const isKnown = SIDE.test(String(width)) && SIDE.test(String(height))
  const size = isKnown ? ` width='${width}' height='${height}'` : " width='1' height='1'"
  return `data:image/svg+xml,${encodeURIComponent(`<svg xmlns='http://www.w3.org/2000/svg'${size}/>`)}`
}

/** The id in the address of a picture of the user, which may name the host of this page; undefined for any other address. */
export function storedIdIn(src: string): string | undefined {
  const url = URL.parse(src, location.origin)
  return url?.origin === location.origin ? fileIdIn(url.pathname) : undefined
}

/**
 * Leaves the room of an `<img>` that shows a file of the user, and its id as `data-file`: the browser itself has no token to
 * load it with (pictures/view-pictures.ts does). Any other image stays.
 */
export function holdBackStoredImage(image: Element): void {
  const id = storedIdIn(image.getAttribute('src') ?? '')
  if (id === undefined) return
  // Else the browser would hold back the picture itself once more.
  image.removeAttribute('loading')
  image.setAttribute('data-file', id)
  image.setAttribute('src', emptyPicture(image.getAttribute('width'), image.getAttribute('height')))
}
