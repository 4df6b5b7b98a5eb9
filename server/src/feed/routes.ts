import { tagNameKey } from '@kopilka/contract/fields.ts'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import type { Access } from '../http/access.ts'
import { type LargeTransfers, signalOf } from '../http/large-transfers.ts'
import type { TagStore } from '../tags/store.ts'
import type { Pool } from '../threads/pool.ts'
import type { FeedRequest, feedOf } from './atom.ts'

const FEEDS = { name: 'feeds', total: 1 }

interface Dependencies {
  access: Access
  transfers: LargeTransfers
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
export function serveFeed(
  app: FastifyInstance,
  { access, transfers, pool, tags, config }: Dependencies,
): void {
  async function tagOf(owner_id: string, wanted: string) {
    const all = await tags.list(owner_id)
    const key = tagNameKey(wanted.trim())
    const tag = all.find(({ id }) => id === wanted) ?? all.find(({ name }) => tagNameKey(name) === key)
    if (!tag) throw new AppError('tagNotFound')
    return tag
  }

  app.get<{ Querystring: FeedQuery }>('/feed.xml', async (request, reply) => {
    const { owner_id } = await access.admit(request, reply, {
      scope: 'feed',
      token: first(request.query.token) ?? '',
    })
    const wanted = first(request.query.tag)
    const tag = wanted ? await tagOf(owner_id, wanted) : undefined
    const page = new URL(tag ? `/tags/${tag.id}` : '/url-links', config.PUBLIC_URL).href
    // A feed that nobody reads has megabytes.
    await transfers.waitToRespond(owner_id, reply)
    const asked: FeedRequest = {
      ...{ owner_id, tag: tag && { id: tag.id, name: tag.name }, page },
      known: request.headers['if-none-match'] ?? '',
      isHead: request.method === 'HEAD',
    }
    const { etag, isKnown, bytes } = await pool.run<Awaited<ReturnType<typeof feedOf>>>('feedOf', asked, {
      owner_id,
      signal: signalOf(reply),
      group: FEEDS,
    })
    reply.header('etag', etag).header('cache-control', 'private, no-cache')
    if (isKnown) return reply.status(304).send()
    if (bytes) transfers.keepBytes(owner_id, bytes, { request, reply })
    return reply.type('application/atom+xml; charset=utf-8').send(bytes)
  })
}
