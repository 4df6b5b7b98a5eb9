import { escapeHtml } from '@kopilka/text/escape-html.ts'
import type { ItemRow } from '../items/item.ts'

/** Characters that no XML document may hold, escaped or not (XML 1.0, section 2.2). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g

const text = (value: string): string => escapeHtml(value.toWellFormed().replace(FORBIDDEN, ''))

const iso = (time: number): string => new Date(time).toISOString()

interface Feed {
  /** A UUID that stays: of the owner, or of the tag. */
  id: string
  title: string
  /** The page of the same links. */
  page: string
  links: readonly ItemRow[]
}

/** An Atom feed (RFC 4287) of links. It names no address of its own, because that holds the token. */
export function atomFeed({ id, title, page, links }: Feed): string {
  const updated = links.reduce((latest, link) => Math.max(latest, link.updated_at), 0)
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>urn:uuid:${text(id)}</id>
<title>${text(title)}</title>
<updated>${iso(updated)}</updated>
<author><name>Копилка</name></author>
<link rel="alternate" type="text/html" href="${text(page)}"/>
${links.map(entry).join('')}</feed>
`
}

function entry({ id, title, url, body, tags, created_at, updated_at }: ItemRow): string {
  // As an ASCII address: the stored one may hold blanks.
  const href = URL.canParse(url ?? '') ? new URL(url ?? '').href : ''
  return `<entry>
<id>urn:uuid:${text(id)}</id>
<title>${text(title)}</title>
<link rel="alternate" href="${text(href)}"/>
<published>${iso(created_at)}</published>
<updated>${iso(updated_at)}</updated>
${tags.map(({ name }) => `<category term="${text(name)}"/>\n`).join('')}<content type="html">${text(body)}</content>
</entry>
`
}
