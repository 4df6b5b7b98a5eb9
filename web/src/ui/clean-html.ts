import { createCleaner } from './html-cleaner.ts'
import { replaceRemoteImage } from './remote-image.ts'

/** Stored HTML as nodes that are safe to show, without pictures of other hosts. */
export const cleanHtml = createCleaner(replaceRemoteImage)
