import { MAX_LIST_BYTES } from '@kopilka/contract/limits.ts'
import { escapeHtml } from '@kopilka/text/escape-html.ts'
import { sql } from 'kysely'
import type { Db } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { sha256 } from '../hash.ts'
import type { ItemRow } from '../items/item.ts'
import { wholesOf, withBodies } from '../items/queries.ts'

/** Links of a feed; fewer where they exceed the size of a response. */
const ENTRIES = 50

/** Most bytes of the entries of a feed. Escaped, texts may have six times as many as the limit of a list counts. */
const MAX_BYTES = 2 * MAX_LIST_BYTES

interface Newest {
  owner_id: string
  tag_id: string
}

/** The newest links, pinned or not. Each half comes from an index in its order. */
const newestLinks = (isTagged: boolean) =>
  statement((_, value: Value<Newest>) => {
    const owner = value('owner_id')
    const tagged = sql`and id in (select item_id from item_tags
      where owner_id = ${owner} and tag_id = ${value('tag_id')} and kind = 'link')`
    const half = (pinned: 0 | 1) => sql`select * from (select id, created_at from "items"
      where owner_id = ${owner} and kind = 'link' and pinned = ${sql.lit(pinned)} ${isTagged ? tagged : sql``}
      order by created_at desc, id desc limit ${sql.lit(ENTRIES)}) as ${sql.raw(`half_${pinned}`)}`
    return sql<{ id: string }>`select id from (${half(0)} union all ${half(1)}) as newest
      order by created_at desc, id desc limit ${sql.lit(ENTRIES)}`
  })

const newestOfAll = newestLinks(false)
const newestOfTag = newestLinks(true)

export interface FeedRequest {
  owner_id: string
  /** Only links with this tag. */
  tag: { id: string; name: string } | undefined
  /** The page of the same links. */
  page: string
  /** The `If-None-Match` header. */
  known: string
  /** Only the entity tag is wanted. */
  isHead: boolean
}

interface FeedResponse {
  etag: string
  isKnown: boolean
  /** Absent where the feed is known or only its entity tag is wanted. */
  bytes?: Uint8Array
}

/** Whether an `If-None-Match` names the entity tag: weakly (RFC 9110, section 13.1.2). */
const isNamed = (etag: string, header: string): boolean =>
  header.trim() === '*' || header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)

/** The feed of the newest links, and its entity tag. Takes some 50 ms for the longest: runs in a worker thread. */
export async function feedOf(
  db: Db,
  { owner_id, tag, page, known, isHead }: FeedRequest,
): Promise<FeedResponse> {
  const rows = await (tag ? newestOfTag : newestOfAll)(db, { owner_id, tag_id: tag?.id ?? '' })
  const ids = rows.map(({ id }) => id)
  const byId = new Map((await wholesOf(db, { owner_id, ids })).map((row) => [row.id, row]))
  const inOrder = ids.flatMap((id) => byId.get(id) ?? [])
  const head = { id: tag?.id ?? owner_id, title: tag ? `Копилка: ${tag.name}` : 'Копилка', page }
  // A body does not change without its revision.
  const etag = `"${sha256(JSON.stringify([head, inOrder.map(({ body: _, ...link }) => link)]))}"`
  const isKnown = isNamed(etag, known)
  if (isKnown || isHead) return { etag, isKnown }
  const feed = atomFeed({ ...head, links: (await withBodies(db, owner_id, inOrder)).rows })
  // Bytes: the event loop would encode a text of megabytes.
  return { etag, isKnown, bytes: Buffer.from(feed) }
}

/** Characters that no XML document may hold, escaped or not (XML 1.0, section 2.2). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g

const text = (value: string): string => escapeHtml(value.toWellFormed().replace(FORBIDDEN, ''))

const iso = (time: number): string => new Date(time).toISOString()

interface Feed {
  /** A UUID that stays: of the owner, or of the tag. */
  id: string
  title: string
  page: string
  links: readonly ItemRow[]
}

/** An Atom feed (RFC 4287) of links. It names no address of its own, because that holds the token. */
function atomFeed({ id, title, page, links }: Feed): string {
  const updated = links.reduce((latest, link) => Math.max(latest, link.updated_at), 0)
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>urn:uuid:${text(id)}</id>
<title xml:lang="ru">${text(title)}</title>
<updated>${iso(updated)}</updated>
<author><name>Копилка</name></author>
<link rel="alternate" type="text/html" href="${text(page)}"/>
${firstEntries(links)}</feed>
`
}

/** The first entries, as many as {@link MAX_BYTES} allows, at least one. */
function firstEntries(links: readonly ItemRow[]): string {
  let [entries, bytes] = ['', 0]
  for (const link of links) {
    const next = entry(link)
    bytes += Buffer.byteLength(next)
    if (entries !== '' && bytes > MAX_BYTES) break
    entries += next
  }
  return entries
}

function entry({ id, title, url, body, tags, created_at, updated_at }: ItemRow): string {
  // As an ASCII address: the stored one may hold blanks. A restored backup may hold other schemes, for no reader to open.
  const isWeb = /^(?:https?|ftp):/i.test(url ?? '') && URL.canParse(url ?? '')
  const link = isWeb ? `<link rel="alternate" href="${text(new URL(url ?? '').href)}"/>\n` : ''
  return `<entry>
<id>urn:uuid:${text(id)}</id>
<title>${text(title)}</title>
${link}<published>${iso(created_at)}</published>
<updated>${iso(updated_at)}</updated>
${tags.map(({ name }) => `<category term="${text(name)}"/>\n`).join('')}<content type="html">${text(body)}</content>
</entry>
`
}
