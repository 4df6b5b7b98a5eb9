import { type NoteSave, noteSave, notes } from '@kopilka/contract/notes.ts'
import { NoteIcon } from '../ui/icons.tsx'
import { fieldsOf, type ItemKind } from './item-kind.ts'

/** The pin is not in the form. */
const { pinned: _, ...shape } = noteSave.shape

export const noteKind = {
  name: 'notes',
  one: 'note',
  calls: notes,
  paths: {
    list: '/notes',
    add: '/notes/add',
    item: '/notes/$id',
    edit: '/notes/$id/edit',
    versions: '/notes/$id/versions',
  },
  textPrefix: 'notes',
  alerts: false,
  shape,
  fields: fieldsOf<Omit<NoteSave, 'pinned'>>({
    title: { input: 'line', label: 'items.title' },
    content: { input: 'text', label: 'notes.content' },
    tags: { input: 'tags', label: 'items.tags' },
  }),
  Icon: NoteIcon,
} as const satisfies ItemKind
