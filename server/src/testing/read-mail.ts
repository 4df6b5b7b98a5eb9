/** A decoded message. */
export interface ReceivedMail {
  headers: ReadonlyMap<string, string>
  text: string
  html: string
  /** The first link in the text, with its query parameters below. */
  link: URL
  uid: string
  token: string
}

/** Parses the mail of this product: two parts, text and HTML, in UTF-8. */
export function readMail(bytes: Buffer): ReceivedMail {
  const [head, body] = parseEntity(bytes.toString('latin1'))
  const boundary = /boundary="([^"]+)"/.exec(head.get('content-type') ?? '')?.[1] ?? ''
  const parts = body.split(`--${boundary}`).map((part) => parseEntity(part.trimStart()))
  const partOf = (type: string): string => {
    const [headers, content] = parts.find(([headers]) => headers.get('content-type')?.startsWith(type)) ?? []
    return decode(content ?? '', headers?.get('content-transfer-encoding'))
  }
  const text = partOf('text/plain')
  const link = new URL(/https?:\S+/.exec(text)?.[0] ?? 'none:')
  const { uid = '', token = '' } = Object.fromEntries(link.searchParams)
  return { headers: head, text, html: partOf('text/html'), link, uid, token }
}

/** Headers by lower-case name, unfolded and decoded, and the content after them. */
function parseEntity(raw: string): [Map<string, string>, string] {
  const end = raw.indexOf('\r\n\r\n')
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), decodeWords(line.slice(colon + 1).trim())]
  })
  return [new Map(headers), raw.slice(end + 4)]
}

/** Decodes RFC 2047 encoded words; white space between two of them is dropped. */
const decodeWords = (value: string): string =>
  value
    .replace(/\?= =\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, way: string, coded: string) =>
      way.toLowerCase() === 'b'
        ? Buffer.from(coded, 'base64').toString('latin1')
        : decode(coded.replaceAll('_', '=20'), 'quoted-printable', 'latin1'),
    )
    .replace(/^[\s\S]*$/, (latin) => Buffer.from(latin, 'latin1').toString('utf8'))

function decode(content: string, encoding: string | undefined, into: 'utf8' | 'latin1' = 'utf8'): string {
  if (encoding === 'base64') return Buffer.from(content, 'base64').toString(into)
  if (encoding !== 'quoted-printable') return Buffer.from(content, 'latin1').toString(into)
  const bytes = content
    .replace(/=\r\n/g, '')
    .replace(/=([\dA-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString(into)
}
