import {
  ALLOWED_ATTRIBUTES,
  ALLOWED_TAGS,
  ALLOWED_VALUES,
  IMAGE_ATTRIBUTES,
  LINK_ATTRIBUTES,
} from '@kopilka/contract/allowed-html.ts'
import createPurifier from 'dompurify'
import { isAllowedImage, isAllowedLink } from './allowed-addresses.ts'

const attributesOf = new Map<string, readonly string[]>(Object.entries(ALLOWED_ATTRIBUTES))

/**
 * Makes a cleaner of stored HTML: its result is nodes that are safe to show, by the server's allow-list once more. They
 * belong to a document in which nothing loads.
 */
export function createCleaner(): (html: string) => DocumentFragment {
  // An instance of its own: hooks on the shared one would reach every other user of the library.
  const purifier = createPurifier(window)

  purifier.addHook('uponSanitizeAttribute', (element, attribute) => {
    const { attrName, attrValue } = attribute
    const known = attributesOf.get(element.nodeName.toLowerCase())?.includes(attrName) ?? false
    if (!known || ALLOWED_VALUES[attrName]?.test(attrValue) === false) attribute.keepAttr = false
    else if (attrName === 'href') attribute.keepAttr = isAllowedLink(attrValue)
    else if (attrName === 'src') attribute.keepAttr = isAllowedImage(attrValue)
  })

  purifier.addHook('afterSanitizeAttributes', (element) => {
    if (element.nodeName === 'A' && element.hasAttribute('href')) setAll(element, LINK_ATTRIBUTES)
    if (element.nodeName !== 'IMG') return
    if (element.hasAttribute('src')) setAll(element, IMAGE_ATTRIBUTES)
    else element.remove()
  })

  return (html) =>
    purifier.sanitize(html, {
      ALLOWED_TAGS: [...ALLOWED_TAGS],
      ALLOWED_ATTR: [...new Set([...attributesOf.values()].flat())],
      ALLOW_DATA_ATTR: false,
      ALLOW_ARIA_ATTR: false,
      RETURN_DOM_FRAGMENT: true,
    })
}

function setAll(element: Element, attributes: Record<string, string>): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
}
