import { type Note, noteSave, notes } from '@kopilka/contract/notes.ts'
import { useQuery } from '@tanstack/react-query'
import { call, callWithEtag } from '../api/call.ts'
import { itemQueries } from '../api/queries.ts'
import type { Answer } from '../api/send.ts'
import { defineKind } from './item-kind.ts'

const shown = ({ answer: note, etag }: Answer<Note>) => {
  const { title, content } = note
  const values = { title, content, tags: note.tags.map(({ name }) => name) }
  return { answer: { ...note, body: content, values }, etag }
}

/** An item that is not there is its screen's to tell of. */
const toldInSnackbar = { meta: { failure: 'notes.loadFailure', missing: 'screen' } } as const

export const noteKind = defineKind(noteSave, {
  name: 'notes',
  alerts: false,
  words: 'notes',
  paths: { list: '/notes', add: '/notes/add', item: '/notes/$id', edit: '/notes/$id/edit' },

  useList: (query) =>
    useQuery({ ...itemQueries.list(notes, 'notes', query), meta: { failure: 'notes.listFailure' } }),
  useOne: (id) => useQuery({ ...itemQueries.one(notes, 'notes', id), ...toldInSnackbar, select: shown }),
  useForEdit: (id) =>
    useQuery({ ...itemQueries.forEdit(notes, 'notes', id), ...toldInSnackbar, select: shown }),
  loadAhead: (queryClient, id) => queryClient.prefetchQuery(itemQueries.one(notes, 'notes', id)),
  read: async (id) => shown(await callWithEtag(notes.read, { params: { id } })),
  create: (body, idempotencyKey) => call(notes.create, { body }, { idempotencyKey }),
  update: (id, body, etag) => call(notes.update, { params: { id }, body }, { ifMatch: etag }),
  remove: (id) => call(notes.remove, { params: { id } }),

  inputs: {
    title: { input: 'line', label: 'items.title' },
    content: { input: 'text', label: 'notes.content' },
    tags: { input: 'tags', label: 'items.tags' },
  },
  empty: { title: '', content: '', tags: [] },
})
