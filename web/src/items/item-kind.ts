import type { Highlights, TagRef } from '@kopilka/contract/items.ts'
import type { QueryClient, UseQueryResult } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import type { ItemKindName, ListQuery } from '../api/queries.ts'
import type { Answer } from '../api/send.ts'
import type { MessageId } from '../messages/messages.ts'

/** What every item has; `url` is a link's. */
interface AnyItem {
  id: string
  title: string
  created_at: string
  tags: TagRef[]
  url?: string
}

/** An item in a list. */
export interface ItemSummary extends AnyItem {
  excerpt: string
  /** Where the words searched for stand. */
  highlights?: Highlights | undefined
}

/** One page of a list. */
export interface ListPage {
  results: ItemSummary[]
  /** On all pages. */
  count: number
  /** Nothing was found as it was typed: what was searched for instead. */
  corrected?: { query: string } | undefined
}

/** What a form holds; the kind's schema says what has to be in it. */
export type ItemValues = Record<string, string | string[] | undefined>

/** A value of a form as text, or as a list of names; what is kept of an older form may be neither. */
export const textOf = (value: ItemValues[string]): string => (typeof value === 'string' ? value : '')
export const namesOf = (value: ItemValues[string]): string[] => (Array.isArray(value) ? value : [])

/** A whole item, as screens show it whatever its kind. */
export interface Item<Values extends ItemValues = ItemValues> extends AnyItem {
  body: string
  /** What its form starts with. */
  values: Values
}

interface ItemInput {
  input: 'line' | 'address' | 'text' | 'tags'
  label: MessageId
}

/** One input of an item's form. */
export interface ItemField extends ItemInput {
  name: string
}

/** What notes and links do under the same names. */
interface Shared {
  name: ItemKindName
  /** Whether its list and its form tell of failures in alerts (specification, section 2) rather than snackbars. */
  alerts: boolean
  /** The family of sentences in the catalogues: whole sentences, because Russian inflects. */
  words: 'notes' | 'links'
  paths: {
    list: '/notes' | '/url-links'
    add: '/notes/add' | '/urllinks/add'
    item: '/notes/$id' | '/urllinks/$id'
    edit: '/notes/$id/edit' | '/urllinks/$id/edit'
  }
  useList(query: ListQuery): UseQueryResult<ListPage>
  /** Loads an item that may be opened next; a failure shows when it is. */
  loadAhead(queryClient: QueryClient, id: string): Promise<void>
  remove(id: string): Promise<undefined>
}

/** All in which notes and links differ: note-kind.ts and link-kind.ts. Nobody else asks which of the two it is. */
export interface ItemKind extends Shared {
  useOne(id: string): UseQueryResult<Answer<Item>>
  /** As it is now, for its form. */
  useForEdit(id: string): UseQueryResult<Answer<Item>>
  read(id: string): Promise<Answer<Item>>
  /** Makes one item of all the tries with one key. */
  create(values: ItemValues, idempotencyKey: string): Promise<unknown>
  /** Fails with 412 where the item no longer is what `etag` names. */
  update(id: string, values: ItemValues, etag: string | undefined): Promise<unknown>

  /** A schema for each field of the form. */
  shape: ItemShape
  fields: { add: ItemField[]; edit: ItemField[] }
  empty: ItemValues
}

type ItemShape = Record<string, z.ZodMiniType<ItemValues[string], ItemValues[string]>>
type SaveSchema = z.ZodMiniObject<ItemShape> & z.ZodMiniType<ItemValues, ItemValues>
/** Every field of what is saved: one that is missing in a kind does not compile. */
type FormOf<Schema extends SaveSchema> = {
  [Name in keyof z.input<Schema>]-?: NonNullable<z.input<Schema>[Name]>
}

interface KindFace<Schema extends SaveSchema> extends Shared {
  useOne(id: string): UseQueryResult<Answer<Item<FormOf<Schema>>>>
  useForEdit(id: string): UseQueryResult<Answer<Item<FormOf<Schema>>>>
  read(id: string): Promise<Answer<Item<FormOf<Schema>>>>
  create(body: z.output<Schema>, idempotencyKey: string): Promise<unknown>
  update(id: string, body: z.output<Schema>, etag: string | undefined): Promise<unknown>

  /** In the order of the edit form. */
  inputs: Record<keyof z.input<Schema> & string, ItemInput>
  /** The field that comes first where an item is added. */
  addFirst?: keyof z.input<Schema> & string
  empty: FormOf<Schema>
}

/** A kind of item by the schema of what is saved; beyond this line nobody needs to know its types. */
export const defineKind = <Schema extends SaveSchema>(schema: Schema, face: KindFace<Schema>): ItemKind => {
  const { inputs, addFirst, create, update, ...rest } = face
  const edit = Object.entries<ItemInput>(inputs).map(([name, input]) => ({ name, ...input }))
  const isFirst = ({ name }: ItemField): boolean => name === addFirst
  return {
    ...rest,
    create: (values, idempotencyKey) => create(schema.parse(values), idempotencyKey),
    update: (id, values, etag) => update(id, schema.parse(values), etag),
    shape: schema.shape,
    fields: { add: [...edit.filter(isFirst), ...edit.filter((field) => !isFirst(field))], edit },
  }
}

/** The page on the web an item stands for: no other schemes, from a restored backup either. */
export const addressOf = ({ url }: AnyItem): string | undefined =>
  url !== undefined && /^(?:ftp|https?):/i.test(url) ? url : undefined
