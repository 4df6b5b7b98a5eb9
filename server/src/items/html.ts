import {
  ALLOWED_ATTRIBUTES,
  ALLOWED_TAGS,
  IMAGE_ATTRIBUTES,
  IMAGE_SCHEMES,
  LINK_ATTRIBUTES,
  LINK_SCHEMES,
} from '@kopilka/contract/allowed-html.ts'
import sanitize from 'sanitize-html'

const schemeOf = (address: string): string | undefined =>
  /^([a-z][a-z\d+.-]*):/i.exec(address)?.[1]?.toLowerCase()
const hasScheme = (address: string | undefined, schemes: readonly string[]): boolean =>
  address !== undefined && schemes.includes(schemeOf(address) ?? '')

/** An address as browsers take it: without the white space around it. */
const trimmed = (attributes: sanitize.Attributes, name: string): sanitize.Attributes => ({
  ...attributes,
  [name]: attributes[name]?.trim() ?? '',
})

const without = (attributes: sanitize.Attributes, name: string): sanitize.Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([key]) => key !== name))

const isPicture = (address: string | undefined): boolean =>
  hasScheme(address, IMAGE_SCHEMES) &&
  (schemeOf(address ?? '') !== 'data' || /^data:image\//i.test(address ?? ''))

/** No text needs more; a browser takes minutes to lay out twenty thousand lists inside one another. */
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
    // A relative address would lead to a page of Копилка itself: such a link keeps its text only.
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
 * What remains of an image without a source. sanitize-html's `exclusiveFilter` could drop it, but copies all the text before
 * it each time: half a minute for what one note may hold.
 */
const NO_PICTURE = '<img />'

/** Elements that may be open at once: as many as browsers nest (Blink, WebKit). */
const MAX_OPEN = 512

/** More elements are open than {@link MAX_OPEN}: parsing such HTML takes time quadratic in its length. */
class TooDeep extends Error {}

/** Each round changes how the rest nests; no real text needs more rounds. */
const MAX_ROUNDS = 5

/** Dropped elements kept others apart, which may close one another when the rest is parsed without them: cleans until nothing changes. */
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
 * Keeps only what the allow-list of the contract has. Text without any markup keeps its line breaks. Cleaning twice changes
 * nothing. Some 100 ms for the longest body: not for the event loop.
 */
export function cleanHtml(html: string): string {
  const clean = settledAtAnyDepth(html)
  return clean.includes('<') ? clean : clean.replaceAll('\n', '<br />')
}

/** The first character between elements that a reader sees. */
const VISIBLE = /(?:^|>)[\s\u200B\uFEFF]*[^\s\u200B\uFEFF<]/

/** Whether clean HTML shows a reader nothing: no text and no picture. */
export const isBlank = (clean: string): boolean => !/<img\b/.test(clean) && !VISIBLE.test(clean)
