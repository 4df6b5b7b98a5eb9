import { createCleaner } from './html-cleaner.ts'
import { replaceRemoteImage } from './remote-image.ts'
import { holdBackStoredImage } from './stored-image.ts'

const clean = createCleaner()

/** Stored HTML as nodes that are safe to show; in them no picture loads but those that are part of the text (`data:`). */
export const cleanHtml = (html: string): DocumentFragment => {
  const content = clean(html)
  // Not by a hook of the cleaner, which would take off again what is set.
  for (const image of content.querySelectorAll('img'))
    if (!replaceRemoteImage(image)) holdBackStoredImage(image)
  return content
}
