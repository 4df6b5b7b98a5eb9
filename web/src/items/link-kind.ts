import { type Link, linkSave, links } from '@kopilka/contract/links.ts'
import { useQuery } from '@tanstack/react-query'
import { call, callWithEtag } from '../api/call.ts'
import { itemQueries } from '../api/queries.ts'
import type { Answer } from '../api/send.ts'
import { defineKind } from './item-kind.ts'

const shown = ({ answer: link, etag }: Answer<Link>) => {
  const { url, title, description } = link
  const values = { url, title, description, tags: link.tags.map(({ name }) => name) }
  return { answer: { ...link, body: description, values }, etag }
}

/** An item that is not there is its screen's to tell of. */
const toldInSnackbar = { meta: { failure: 'links.loadFailure', missing: 'screen' } } as const

export const linkKind = defineKind(linkSave, {
  name: 'urllinks',
  alerts: true,
  words: 'links',
  paths: { list: '/url-links', add: '/urllinks/add', item: '/urllinks/$id', edit: '/urllinks/$id/edit' },

  useList: (query) => useQuery(itemQueries.list(links, 'urllinks', query)),
  useOne: (id) => useQuery({ ...itemQueries.one(links, 'urllinks', id), ...toldInSnackbar, select: shown }),
  useForEdit: (id) => useQuery({ ...itemQueries.forEdit(links, 'urllinks', id), select: shown }),
  loadAhead: (queryClient, id) => queryClient.prefetchQuery(itemQueries.one(links, 'urllinks', id)),
  read: async (id) => shown(await callWithEtag(links.read, { params: { id } })),
  create: (body, idempotencyKey) => call(links.create, { body }, { idempotencyKey }),
  update: (id, body, etag) => call(links.update, { params: { id }, body }, { ifMatch: etag }),
  remove: (id) => call(links.remove, { params: { id } }),

  inputs: {
    title: { input: 'line', label: 'items.title' },
    url: { input: 'address', label: 'links.url' },
    description: { input: 'text', label: 'links.description' },
    tags: { input: 'tags', label: 'items.tags' },
  },
  addFirst: 'url',
  empty: { url: '', title: '', description: '', tags: [] },
})
