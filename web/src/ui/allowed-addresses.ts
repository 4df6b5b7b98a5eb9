import { IMAGE_SCHEMES, LINK_SCHEMES } from '@kopilka/contract/allowed-html.ts'
import { fileIdIn } from '@kopilka/contract/files.ts'

const startsWithOne = (beginnings: readonly string[]): RegExp =>
  new RegExp(`^\\s*(?:${beginnings.join('|')})`, 'i')

const link = startsWithOne(LINK_SCHEMES.map((scheme) => `${scheme}:`))
const image = startsWithOne(IMAGE_SCHEMES.map((scheme) => (scheme === 'data' ? 'data:image/' : `${scheme}:`)))

/** Whether the allow-list lets a link lead there. */
export const isAllowedLink = (href: string | null): boolean => link.test(href ?? '')
/** Whether the allow-list lets a picture come from there, or it is a file of the user. */
export const isAllowedImage = (src: string | null): boolean =>
  image.test(src ?? '') || fileIdIn(src ?? '') !== undefined
