import { type Link, type LinkSave, type LinkSummary, linkSave, links } from '@kopilka/contract/links.ts'
import { useQuery } from '@tanstack/react-query'
import { call, callWithEtag } from '../api/call.ts'
import { itemQueries } from '../api/queries.ts'
import type { ItemField, ItemKind } from './item-kind.ts'

const url: ItemField = { input: 'address', name: 'url', label: 'links.url' }
const title: ItemField = { input: 'line', name: 'title', label: 'items.title' }
const rest: ItemField[] = [
  { input: 'text', name: 'description', label: 'links.description' },
  { input: 'tags', name: 'tags', label: 'items.tags' },
]

export const linkKind: ItemKind<Link, LinkSummary, LinkSave> = {
  name: 'urllinks',
  words: 'links',
  paths: { list: '/url-links', add: '/urllinks/add', item: '/urllinks/$id', edit: '/urllinks/$id/edit' },

  useList: (query) => useQuery(itemQueries.list(links, 'urllinks', query)),
  useOne: (id) => useQuery(itemQueries.one(links, 'urllinks', id)),
  read: (id) => callWithEtag(links.read, { params: { id } }),
  create: (body) => call(links.create, { body }),
  update: (id, body, etag) => call(links.update, { params: { id }, body }, { ifMatch: etag }),
  remove: (id) => call(links.remove, { params: { id } }),

  // The server takes no other schemes; a link that runs script must not come from a restored backup either.
  addressOf: ({ url }) => (/^(?:ftp|https?):/i.test(url) ? url : undefined),
  bodyOf: ({ description }) => description,

  schema: linkSave,
  fields: { add: [url, title, ...rest], edit: [title, url, ...rest] },
  empty: { url: '', title: '', description: '', tags: [] },
  valuesOf: ({ url, title, description, tags }) => ({
    url,
    title,
    description,
    tags: tags.map(({ name }) => name),
  }),
}
