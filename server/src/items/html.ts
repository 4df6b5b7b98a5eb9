import {
  ALLOWED_ATTRIBUTES,
  ALLOWED_TAGS,
  IMAGE_ATTRIBUTES,
  IMAGE_SCHEMES,
  LINK_ATTRIBUTES,
  LINK_SCHEMES,
} from '@kopilka/contract/allowed-html.ts'
import sanitize from 'sanitize-html'
import { createPauses } from './pauses.ts'

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
 * What is left of a picture that shows nothing. sanitize-html's `exclusiveFilter` would leave it out itself, and copy all
 * that stands before it each time: half a minute for what one note may hold.
 */
const NO_PICTURE = '<img />'

/** Elements that stand on lines of their own: what is before, in and after them are different words. */
const BLOCKS =
  /<(?:br|hr|\/?(?:p|div|h[1-6]|ul|ol|li|dl|dt|dd|table|caption|tr|th|td|pre|blockquote|figure|figcaption))\b[^>]*>/g

/** Elements that may be open at once: as many as browsers themselves put inside one another (Blink, WebKit). */
const MAX_OPEN = 512

/** More elements are open than {@link MAX_OPEN}: reading such HTML takes time with the square of its length. */
class TooDeep extends Error {}

/** Each changes how what is left nests; more rounds than this are for nobody's text. */
const MAX_ROUNDS = 5

/**
 * Elements that are dropped have kept others apart: those may close one another once it is read without them. Others get
 * their turn between the rounds.
 */
async function settled(html: string, pause = createPauses(), rounds = MAX_ROUNDS): Promise<string> {
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
  await pause()
  return opened === kept || rounds === 1 ? clean : settled(clean, pause, rounds - 1)
}

/** What is between the elements. */
const withoutElements = (html: string): string => html.replace(/<[^<>]*>/g, ' ').replaceAll('<', '&lt;')

async function settledAtAnyDepth(html: string): Promise<string> {
  try {
    return await settled(html)
  } catch (error) {
    if (error instanceof TooDeep) return settled(withoutElements(html))
    throw error
  }
}

/** Only what the allow-list of the contract holds. Text without any markup keeps its line breaks. Cleaning twice changes nothing. */
export async function cleanHtml(html: string): Promise<string> {
  const clean = await settledAtAnyDepth(html)
  return clean.includes('<') ? clean : clean.replaceAll('\n', '<br />')
}

/** The text a reader sees in clean HTML, one line a block. Exact for what {@link cleanHtml} wrote, and only for that. */
export function plainText(clean: string): string {
  return (
    clean
      .replace(BLOCKS, '\n')
      .replace(/<[^>]*>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      // Last: '&amp;lt;' is the text '&lt;'.
      .replaceAll('&amp;', '&')
      .replaceAll('\u00A0', ' ')
      .replace(/\n[ \n]*\n/g, '\n')
      .trim()
  )
}

/** The first character between elements that a reader sees. */
const VISIBLE = /(?:^|>)[\s\u200B\uFEFF]*[^\s\u200B\uFEFF<]/

/** Whether clean HTML shows a reader nothing: no text and no picture. */
export const isBlank = (clean: string): boolean => !/<img\b/.test(clean) && !VISIBLE.test(clean)
