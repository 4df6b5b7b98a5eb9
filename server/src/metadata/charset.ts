import { Parser } from 'htmlparser2'
import { guessEncoding } from './cyrillic.ts'

/**
 * Bytes in which declarations of the encoding are searched: browsers read the first kilobyte, and correct their choice
 * further down.
 */
const DECLARATIONS = 64 * 1024

/**
 * Number of valid UTF-8 sequences above ASCII from which a text is UTF-8: other encodings do not produce so many by
 * chance.
 */
const NO_CHANCE = 8

/** The text of a page, in the encoding that {@link detectEncoding} finds. */
export const decodePage = (bytes: Uint8Array, contentType: string): string =>
  decode(bytes, detectEncoding(bytes, contentType))

/**
 * The encoding of a page. In the order of the HTML standard: byte order mark, `Content-Type` header, `<meta>`, XML
 * declaration. Impossible declarations are skipped; without a possible one the encoding is guessed.
 */
const detectEncoding = (bytes: Uint8Array, contentType: string): string =>
  encodingFrom(bytes, () => [labelIn(contentType), ...declaredIn(bytes)])

/** The encoding of a text: as that of a page where it is HTML or XML; others may speak of declarations, but have none. */
export const encodingOfText = (bytes: Uint8Array): string =>
  encodingFrom(bytes, () => (/^\s*</.test(decode(bytes.subarray(0, 1000), 'utf-8')) ? declaredIn(bytes) : []))

function encodingFrom(bytes: Uint8Array, labels: () => (string | undefined)[]): string {
  const marked = markedEncoding(bytes)
  if (marked) return marked
  const { wrong, right } = countAboveAscii(bytes)
  if (wrong === 0 && right >= NO_CHANCE) return 'utf-8'
  // A few invalid bytes among many characters are tolerated, but not one in ten.
  const isUtf8 = wrong === 0 || wrong * 10 < right
  const declared = labels().flatMap((label) => encodingOf(label) ?? [])
  const encoding = declared.find((one) => one !== 'utf-8' || isUtf8)
  return encoding ?? (isUtf8 ? 'utf-8' : guessEncoding(bytes))
}

const REPLACEMENT = Buffer.from('\uFFFD')

/** Counts characters above ASCII, and replacement characters that stand for bytes that could not be decoded. */
function countAboveAscii(bytes: Uint8Array): { wrong: number; right: number } {
  const text = decode(bytes, 'utf-8')
  let [wrong, right] = [0, 0]
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 0xfffd) wrong += 1
    else if (code > 0x7f) right += 1
  }
  if (wrong === 0) return { wrong, right }
  const written = countReplacementsIn(bytes)
  return { wrong: wrong - written, right: right + written }
}

/** Counts the replacement characters that were encoded as such. */
function countReplacementsIn(bytes: Uint8Array): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  let count = 0
  for (let at = buffer.indexOf(REPLACEMENT); at >= 0; at = buffer.indexOf(REPLACEMENT, at + 3)) count += 1
  return count
}

function markedEncoding([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined
}

/** Decodes bytes. A sequence cut off at the end is no error, because only the start of a long page is read. */
const decode = (bytes: Uint8Array, encoding: string): string =>
  new TextDecoder(encoding).decode(bytes, { stream: true })

/** The encoding of a label of the Encoding standard. */
function encodingOf(label: string | undefined): string | undefined {
  try {
    return label === undefined ? undefined : new TextDecoder(label).encoding
  } catch {
    return undefined
  }
}

const labelIn = (contentType: string): string | undefined =>
  /charset\s*=\s*["']?\s*([^\s"';,]+)/i.exec(contentType)?.[1]

/** Labels in the page itself: those of `<meta>`, then that of an XML declaration. */
function declaredIn(bytes: Uint8Array): (string | undefined)[] {
  const start = new TextDecoder('windows-1252').decode(bytes.subarray(0, DECLARATIONS))
  const labels: (string | undefined)[] = []
  const parser = new Parser({
    onopentag(name, { charset, content = '', 'http-equiv': header = '' }) {
      if (name !== 'meta') return
      const isHeader = header.trim().toLowerCase() === 'content-type'
      labels.push(charset ?? (isHeader ? labelIn(content) : undefined))
    },
  })
  parser.write(start)
  const [, xml] = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([^"'>]+)/i.exec(start) ?? []
  return [...labels.map(understood), xml]
}

/** HTML standard, "determining the character encoding": a label that could be read byte by byte does not mean UTF-16. */
function understood(label: string | undefined): string | undefined {
  const encoding = encodingOf(label)
  if (encoding?.startsWith('utf-16')) return 'utf-8'
  return encoding === 'x-user-defined' ? 'windows-1252' : encoding
}
