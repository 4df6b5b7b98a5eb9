import { tagNameKey } from '@kopilka/contract/fields.ts'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import type { Database } from '../db/open.ts'
import { AppError } from '../errors.ts'
import { sha256 } from '../hash.ts'
import type { Access } from '../http/access.ts'
import type { LinkPageRequest, linkPage } from '../items/link-page.ts'
import { wholesOf, withBodies } from '../items/queries.ts'
import type { TagStore } from '../tags/store.ts'
import { createConcurrencyLimit } from '../threads/concurrency-limit.ts'
import type { Pool } from '../threads/pool.ts'
import { atomFeed } from './atom.ts'

/** Links of a feed; fewer where their texts exceed the size of a response. */
const ENTRIES = 50

const FEEDS = { total: 1, perOwner: 1, waiting: 100, timeout: 30_000 }

interface Parts {
  access: Access
  db: Database
  pool: Pool
  tags: TagStore
  config: Pick<Config, 'PUBLIC_URL'>
}

interface FeedQuery {
  token?: string | string[]
  tag?: string | string[]
}

const first = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value

/** Serves /feed.xml, the newest links, to a token of the scope `feed`. `tag`: the id of a tag, or its name. */
export function serveFeed(app: FastifyInstance, { access, db, pool, tags, config }: Parts): void {
  const feeds = createConcurrencyLimit(FEEDS)

  async function newest(owner_id: string, tag_id: string | undefined) {
    const request: LinkPageRequest = {
      ...{ owner_id, sort: 'added_desc', ids: undefined, without: [], untagged: false },
      within: tag_id === undefined ? [] : [[tag_id]],
      ...{ added_since: -1, modified_since: -1, limit: ENTRIES, offset: 0 },
    }
    const task = () => pool.run<Awaited<ReturnType<typeof linkPage>>>('linkPage', request, { owner_id })
    const { ids } = await feeds.run(owner_id, task)
    const listed = ids.length > 0 ? await wholesOf(db, { owner_id, ids }) : []
    const byId = new Map(listed.map((row) => [row.id, row]))
    const inOrder = ids.flatMap((id) => byId.get(id) ?? [])
    return (await withBodies(db, owner_id, inOrder)).rows
  }

  async function tagOf(owner_id: string, wanted: string) {
    const all = await tags.list(owner_id)
    const key = tagNameKey(wanted.trim())
    const tag = all.find(({ id }) => id === wanted) ?? all.find(({ name }) => tagNameKey(name) === key)
    if (!tag) throw new AppError('tagNotFound')
    return tag
  }

  app.get<{ Querystring: FeedQuery }>('/feed.xml', async (request, reply) => {
    const { owner_id } = await access.admit(request, {
      scope: 'feed',
      token: first(request.query.token) ?? '',
    })
    const wanted = first(request.query.tag)
    const tag = wanted ? await tagOf(owner_id, wanted) : undefined
    const feed = atomFeed({
      id: tag?.id ?? owner_id,
      title: tag ? `Копилка: ${tag.name}` : 'Копилка',
      page: new URL(tag ? `/tags/${tag.id}` : '/url-links', config.PUBLIC_URL).href,
      links: await newest(owner_id, tag?.id),
    })
    const etag = `"${sha256(feed)}"`
    reply.header('etag', etag).header('cache-control', 'private, no-cache')
    const known = request.headers['if-none-match'] ?? ''
    const isKnown =
      known.trim() === '*' || known.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
    if (isKnown) return reply.status(304).send()
    return reply.type('application/atom+xml; charset=utf-8').send(feed)
  })
}
