import type { Link, LinkSummary } from '@kopilka/contract/links.ts'
import type { Note, NoteSummary } from '@kopilka/contract/notes.ts'
import type { ComponentType } from 'react'
import type * as z from 'zod/mini'
import type { QueriedKind } from '../api/queries.ts'
import type { MainMessageId } from '../messages/main-messages.ts'
import type { IconProps } from '../ui/icons.tsx'

/** A whole item, whatever its kind. */
export type Item = Note | Link
/** An item in a list. */
export type ItemSummary = NoteSummary | LinkSummary

/** Values of a form; the kind's schema validates them. */
export type ItemValues = Record<string, string | string[] | undefined>

/** A value of a form as text, or as a list of names; a draft of an older form may hold neither. */
export const textOf = (value: ItemValues[string]): string => (typeof value === 'string' ? value : '')
export const namesOf = (value: ItemValues[string]): string[] => (Array.isArray(value) ? value : [])

interface ItemInput {
  input: 'line' | 'address' | 'text' | 'tags'
  label: MainMessageId
}

/** One input of an item's form. */
export interface ItemField extends ItemInput {
  name: string
}

/** All differences of notes and links, as data: note-kind.ts and link-kind.ts. No other module tests the kind's name. */
export interface ItemKind extends QueriedKind {
  readonly paths: {
    readonly list: '/notes' | '/url-links'
    readonly add: '/notes/add' | '/urllinks/add'
    readonly item: '/notes/$id' | '/urllinks/$id'
    readonly edit: '/notes/$id/edit' | '/urllinks/$id/edit'
    readonly versions: '/notes/$id/versions' | '/urllinks/$id/versions'
  }
  /** A schema for each field of its forms. */
  readonly shape: Record<string, z.ZodMiniType<ItemValues[string], ItemValues[string]>>
  /** In the order of the edit form. */
  readonly fields: readonly ItemField[]
  /** The field that comes first where an item is added. */
  readonly addFirst?: string
  readonly Icon: ComponentType<IconProps>
}

/** The fields of a kind in the order of its edit form: a missing field of `Saved` does not compile. */
export const fieldsOf = <Saved>(inputs: Record<keyof Saved & string, ItemInput>): ItemField[] =>
  Object.entries<ItemInput>(inputs).map(([name, input]) => ({ name, ...input }))

/** The fields in the order of the add form. */
export const addFields = ({ fields, addFirst }: ItemKind): ItemField[] =>
  fields.toSorted((one, other) => Number(other.name === addFirst) - Number(one.name === addFirst))

/** What the add form starts with. */
export const emptyForm = ({ fields }: ItemKind): ItemValues =>
  Object.fromEntries(fields.map(({ name, input }) => [name, input === 'tags' ? [] : '']))

/** What the edit form starts with. */
export const toForm = ({ fields }: ItemKind, item: Item): ItemValues => {
  const { tags, pinned: _, ...texts } = item
  const values: Record<string, string> = texts
  return Object.fromEntries(
    fields.map(({ name, input }) => [name, input === 'tags' ? tags.map((tag) => tag.name) : values[name]]),
  )
}

/** A note's content or a link's description, as HTML. */
export const bodyOf = (item: Item): string => ('content' in item ? item.content : item.description)

/** The item with another body. */
export const withBody = (item: Item, body: string): Item =>
  'content' in item ? { ...item, content: body } : { ...item, description: body }

/** The web address of a link; undefined for other schemes, which a restored backup may hold. */
export const addressOf = (item: Item | ItemSummary): string | undefined =>
  'url' in item && /^(?:ftp|https?):/i.test(item.url) ? item.url : undefined
