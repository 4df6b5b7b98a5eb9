import {
  ALLOWED_ATTRIBUTES,
  ALLOWED_TAGS,
  ALLOWED_VALUES,
  IMAGE_ATTRIBUTES,
  IMAGE_SCHEMES,
  LINK_ATTRIBUTES,
  LINK_SCHEMES,
} from '@kopilka/contract/allowed-html.ts'
import { fileIdIn } from '@kopilka/contract/files.ts'
import sanitize from 'sanitize-html'

const schemeOf = (address: string): string | undefined =>
  /^([a-z][a-z\d+.-]*):/i.exec(address)?.[1]?.toLowerCase()
const hasScheme = (address: string | undefined, schemes: readonly string[]): boolean =>
  address !== undefined && schemes.includes(schemeOf(address) ?? '')

/** An address as browsers read it: without surrounding white space. */
const trimmed = (attributes: sanitize.Attributes, name: string): sanitize.Attributes => ({
  ...attributes,
  [name]: attributes[name]?.trim() ?? '',
})

const without = (attributes: sanitize.Attributes, name: string): sanitize.Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([key]) => key !== name))

/** Drops the attributes whose value is not allowed: sanitize-html itself would leave them without a value. */
const withAllowedValues = (tagName: string, attributes: sanitize.Attributes): sanitize.Tag => ({
  tagName,
  attribs: Object.fromEntries(
    Object.entries(attributes).filter(
      // `constructor` too may be the name of an attribute.
      ([name, value]) => !Object.hasOwn(ALLOWED_VALUES, name) || ALLOWED_VALUES[name]?.test(value),
    ),
  ),
})

const isPicture = (address = ''): boolean =>
  fileIdIn(address) !== undefined ||
  (hasScheme(address, IMAGE_SCHEMES) && (schemeOf(address) !== 'data' || /^data:image\//i.test(address)))

/** No text needs more nesting; a browser takes minutes to lay out twenty thousand nested lists. */
const MAX_NESTING = 100

const RULES: sanitize.IOptions = {
  nestingLimit: MAX_NESTING,
  allowedTags: [...ALLOWED_TAGS],
  allowedAttributes: {
    ...Object.fromEntries(Object.entries(ALLOWED_ATTRIBUTES).map(([tag, names]) => [tag, [...names]])),
    a: [...ALLOWED_ATTRIBUTES.a, ...Object.keys(LINK_ATTRIBUTES)],
    img: [...ALLOWED_ATTRIBUTES.img, ...Object.keys(IMAGE_ATTRIBUTES)],
  },
  allowedSchemes: [...LINK_SCHEMES],
  allowedSchemesByTag: { img: [...IMAGE_SCHEMES] },
  allowProtocolRelative: false,
  transformTags: {
    ul: withAllowedValues,
    li: withAllowedValues,
    code: withAllowedValues,
    // A relative address would point to a page of Копилка itself: only the text of such a link stays.
    a: (tagName, attribs) => ({
      tagName,
      attribs: hasScheme(attribs.href?.trim(), LINK_SCHEMES)
        ? { ...trimmed(attribs, 'href'), ...LINK_ATTRIBUTES }
        : without(without(attribs, 'href'), 'target'),
    }),
    img: (tagName, attribs) => ({
      tagName,
      attribs: isPicture(attribs.src?.trim()) ? { ...trimmed(attribs, 'src'), ...IMAGE_ATTRIBUTES } : {},
    }),
  },
}

/**
 * What sanitize-html leaves of an image without a source. Its `exclusiveFilter` could drop it, but copies all text before it
 * each time: half a minute for the longest note.
 */
const NO_PICTURE = '<img />'

/** Most elements that may be open at once: the depth limit of browsers (Blink, WebKit). */
const MAX_OPEN = 512

/** Thrown when more than {@link MAX_OPEN} elements are open: parsing such HTML takes time quadratic in its length. */
class TooDeep extends Error {}

/** Most rounds of cleaning; no real text needs more. */
const MAX_ROUNDS = 5

/** Cleans until nothing changes: without the dropped elements, the remaining ones may parse into another tree. */
function settled(html: string, rounds = MAX_ROUNDS): string {
  let [opened, depth] = [0, 0]
  const onOpenTag = () => {
    opened += 1
    depth += 1
    if (depth > MAX_OPEN) throw new TooDeep()
  }
  const onCloseTag = () => {
    depth -= 1
  }
  const clean = sanitize(html, { ...RULES, onOpenTag, onCloseTag })
    .replaceAll(NO_PICTURE, '')
    .trim()
  const kept = clean.match(/<[a-z]/g)?.length ?? 0
  return opened === kept || rounds === 1 ? clean : settled(clean, rounds - 1)
}

/** The text between the elements. */
const withoutElements = (html: string): string => html.replace(/<[^<>]*>/g, ' ').replaceAll('<', '&lt;')

function settledAtAnyDepth(html: string): string {
  try {
    return settled(html)
  } catch (error) {
    if (error instanceof TooDeep) return settled(withoutElements(html))
    throw error
  }
}

/**
 * Keeps only elements and attributes of the contract's allow-list. Text without markup keeps its line breaks. Idempotent.
 * Takes some 100 ms for the longest body, so long bodies are cleaned in a worker thread.
 */
export function cleanHtml(html: string): string {
  const clean = settledAtAnyDepth(html)
  return clean.includes('<') ? clean : clean.replaceAll('\n', '<br />')
}
