import { type Note, type NoteSave, type NoteSummary, noteSave, notes } from '@kopilka/contract/notes.ts'
import { useQuery } from '@tanstack/react-query'
import { call, callWithEtag } from '../api/call.ts'
import { itemQueries } from '../api/queries.ts'
import type { ItemField, ItemKind } from './item-kind.ts'

const fields: ItemField[] = [
  { input: 'line', name: 'title', label: 'items.title' },
  { input: 'text', name: 'content', label: 'notes.content' },
  { input: 'tags', name: 'tags', label: 'items.tags' },
]

export const noteKind: ItemKind<Note, NoteSummary, NoteSave> = {
  name: 'notes',
  words: 'notes',
  paths: { list: '/notes', add: '/notes/add', item: '/notes/$id', edit: '/notes/$id/edit' },

  useList: (query) => useQuery(itemQueries.list(notes, 'notes', query)),
  useOne: (id) => useQuery(itemQueries.one(notes, 'notes', id)),
  read: (id) => callWithEtag(notes.read, { params: { id } }),
  create: (body) => call(notes.create, { body }),
  update: (id, body, etag) => call(notes.update, { params: { id }, body }, { ifMatch: etag }),
  remove: (id) => call(notes.remove, { params: { id } }),

  addressOf: () => undefined,
  bodyOf: ({ content }) => content,

  schema: noteSave,
  fields: { add: fields, edit: fields },
  empty: { title: '', content: '', tags: [] },
  valuesOf: ({ title, content, tags }) => ({ title, content, tags: tags.map(({ name }) => name) }),
}
