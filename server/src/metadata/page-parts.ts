import { Parser } from 'htmlparser2'
import { plainText } from './plain-text.ts'

/** The raw parts of a page from which metadata is read. */
export interface PageParts {
  /** Texts of `<meta>` by lower-case name, in order. */
  readonly metas: ReadonlyMap<string, readonly string[]>
  /** The text of `<title>`. */
  readonly title: string
  /** The scripts of type `application/ld+json`. */
  readonly jsonLd: readonly string[]
  /** The first paragraph that is longer than a label. */
  readonly paragraph: string
}

type Attributes = Readonly<Record<string, string | undefined>>

/** Characters given to the parser at a time; parsing can stop in between. */
const PIECE = 64 * 1024
/**
 * Most nested elements, the limit of browsers (Blink, WebKit); usual pages have a few dozen. For each closing tag the
 * parser scans all open elements.
 */
const MAX_DEPTH = 512
/** Most characters kept of one text, and most texts kept of one kind. */
const MAX_TEXT = 500_000
const MAX_TEXTS = 200

/** Elements whose paragraphs do not describe the page. */
const ASIDE = new Set(
  'nav header footer aside form figure noscript template dialog button select textarea svg script style'.split(
    ' ',
  ),
)
/** Characters from which a paragraph is longer than a label. */
const LABEL = 40

/** Extracts the parts of a page in one pass. */
export function partsOf(html: string): PageParts {
  const metas = new Map<string, string[]>()
  const jsonLd: string[] = []
  const paragraphs = { first: '', longest: '' }
  let title: string | undefined
  let [depth, aside, inSvg, inTemplate] = [0, 0, 0, 0]
  /** The element whose text is being collected. */
  let keeping: { element: string; text: string } | undefined

  function finish({ element, text }: { element: string; text: string }): void {
    if (element === 'title') title ??= text
    else if (element === 'script' && jsonLd.length < MAX_TEXTS) jsonLd.push(text)
    else if (element === 'p') {
      const paragraph = plainText(text)
      if (paragraphs.first === '' && paragraph.length >= LABEL) paragraphs.first = paragraph
      if (paragraph.length > paragraphs.longest.length) paragraphs.longest = paragraph
    }
  }

  function isKept(element: string, { type = '', hidden, 'aria-hidden': unread }: Attributes): boolean {
    if (inTemplate > 0) return false
    if (element === 'title') return title === undefined && inSvg === 0
    if (element === 'script') return type.trim().toLowerCase() === 'application/ld+json'
    const isShown = aside === 0 && hidden === undefined && unread !== 'true'
    return element === 'p' && isShown && paragraphs.first === ''
  }

  const parser = new Parser({
    onopentag(element, attributes) {
      depth += 1
      if (ASIDE.has(element)) aside += 1
      if (element === 'svg') inSvg += 1
      if (element === 'template') inTemplate += 1
      if (element === 'meta' && inTemplate === 0) keepMeta(metas, attributes)
      if (element === 'br' && keeping) keeping.text += ' '
      if (isKept(element, attributes)) keeping = { element, text: '' }
    },
    ontext(text) {
      if (!keeping || keeping.text.length > MAX_TEXT) return
      if (aside === 0 || keeping.element !== 'p') keeping.text += text
    },
    onclosetag(element) {
      depth -= 1
      if (ASIDE.has(element)) aside -= 1
      if (element === 'svg') inSvg -= 1
      if (element === 'template') inTemplate -= 1
      if (keeping?.element !== element) return
      finish(keeping)
      keeping = undefined
    },
  })
  for (let at = 0; at < html.length && depth < MAX_DEPTH; at += PIECE)
    parser.write(html.slice(at, at + PIECE))
  if (depth < MAX_DEPTH) parser.end()
  return {
    metas,
    title: title ?? '',
    jsonLd,
    paragraph: paragraphs.first || paragraphs.longest,
  }
}

function keepMeta(
  metas: Map<string, string[]>,
  { name, property, itemprop, content = '' }: Attributes,
): void {
  const key = (property ?? name ?? itemprop ?? '').trim().toLowerCase()
  const texts = metas.get(key) ?? []
  if (key === '' || texts.length === MAX_TEXTS || metas.size === MAX_TEXTS) return
  metas.set(key, [...texts, content])
}
