import { Parser } from 'htmlparser2'
import { guessEncoding } from './cyrillic.ts'

/** Where a page may declare its encoding: browsers look at the first kilobyte, and mend their choice further down. */
const DECLARATIONS = 64 * 1024

/** No other encoding writes so many characters above ASCII that are UTF-8 by chance, and nothing that is not. */
const NO_CHANCE = 8

/**
 * The text of a page. Encodings in the order of the HTML standard: byte order mark, `Content-Type` header, `<meta>`, XML
 * declaration. Declarations that cannot be right are passed over, and where none is left the encoding is guessed.
 */
export function decodePage(bytes: Uint8Array, contentType: string): string {
  const marked = markedEncoding(bytes)
  if (marked) return decode(bytes, marked)
  const utf8 = decode(bytes, 'utf-8')
  const { wrong, right } = countAboveAscii(utf8)
  if (wrong === 0 && right >= NO_CHANCE) return utf8
  // A stray byte among many characters may be wrong, but not one in ten.
  const isUtf8 = wrong === 0 || wrong * 10 < right
  const declared = [labelIn(contentType), ...declaredIn(bytes)].flatMap((label) => encodingOf(label) ?? [])
  const encoding = declared.find((one) => one !== 'utf-8' || isUtf8)
  if (encoding !== undefined) return decode(bytes, encoding)
  return isUtf8 ? utf8 : decode(bytes, guessEncoding(bytes))
}

/** How many characters above ASCII a text has, and how many in place of what could not be decoded. */
function countAboveAscii(text: string): { wrong: number; right: number } {
  let [wrong, right] = [0, 0]
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 0xfffd) wrong += 1
    else if (code > 0x7f) right += 1
  }
  return { wrong, right }
}

function markedEncoding([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined
}

/** What is cut off at the end is no fault: a page may be longer than what was read of it. */
const decode = (bytes: Uint8Array, encoding: string): string =>
  new TextDecoder(encoding).decode(bytes, { stream: true })

/** The encoding that a label of the Encoding standard names. */
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

/** The HTML standard, "determining the character encoding": what could be read to find this label is not in UTF-16. */
function understood(label: string | undefined): string | undefined {
  const encoding = encodingOf(label)
  if (encoding?.startsWith('utf-16')) return 'utf-8'
  return encoding === 'x-user-defined' ? 'windows-1252' : encoding
}
