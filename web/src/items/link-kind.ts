import { type LinkSave, linkSave, links } from '@kopilka/contract/links.ts'
import { LinkIcon } from '../ui/icons.tsx'
import { fieldsOf, type ItemKind } from './item-kind.ts'

/** The pin is not in the form. */
const { pinned: _, ...shape } = linkSave.shape

export const linkKind = {
  name: 'urllinks',
  one: 'urllink',
  calls: links,
  paths: {
    list: '/url-links',
    add: '/urllinks/add',
    item: '/urllinks/$id',
    edit: '/urllinks/$id/edit',
    versions: '/urllinks/$id/versions',
  },
  textPrefix: 'links',
  alerts: true,
  shape,
  fields: fieldsOf<Omit<LinkSave, 'pinned'>>({
    title: { input: 'line', label: 'items.title' },
    url: { input: 'address', label: 'links.url' },
    description: { input: 'text', label: 'links.description' },
    tags: { input: 'tags', label: 'items.tags' },
  }),
  addFirst: 'url',
  Icon: LinkIcon,
} as const satisfies ItemKind
