import type { TagRef } from '@kopilka/contract/items.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import type { ItemKindName, ListQuery } from '../api/queries.ts'
import type { Answer } from '../api/send.ts'
import type { TextId } from '../text/text.ts'

/** What every item has. */
export interface AnyItem {
  id: string
  title: string
  created_at: string
  tags: TagRef[]
}

export interface AnySummary extends AnyItem {
  excerpt: string
}

/** What the forms of both kinds hold between them; a kind's schema says which of it there has to be. */
export interface ItemValues {
  url?: string | undefined
  title: string
  content?: string | undefined
  description?: string | undefined
  tags?: string[] | undefined
}

/** One input of an item's form. */
export type ItemField =
  | { input: 'line'; name: 'title'; label: TextId }
  | { input: 'address'; name: 'url'; label: TextId }
  | { input: 'text'; name: 'content' | 'description'; label: TextId }
  | { input: 'tags'; name: 'tags'; label: TextId }

/** All in which notes and links differ: note-kind.ts and link-kind.ts. Nobody else asks which of the two it is. */
export interface ItemKind<Whole extends AnyItem, Summary extends AnySummary, Save> {
  name: ItemKindName
  /** The family of sentences in the catalogues: whole sentences, because Russian inflects. */
  words: 'notes' | 'links'
  paths: {
    list: '/notes' | '/url-links'
    add: '/notes/add' | '/urllinks/add'
    item: '/notes/$id' | '/urllinks/$id'
    edit: '/notes/$id/edit' | '/urllinks/$id/edit'
  }

  useList(query: ListQuery): UseQueryResult<{ results: Summary[]; count: number }>
  useOne(id: string): UseQueryResult<Answer<Whole>>
  read(id: string): Promise<Answer<Whole>>
  create(body: Save): Promise<Whole>
  /** Fails with 412 where the item no longer is what `etag` names. */
  update(id: string, body: Save, etag: string | undefined): Promise<Whole>
  remove(id: string): Promise<undefined>

  /** The page on the web the item stands for. */
  addressOf(item: Whole | Summary): string | undefined
  bodyOf(item: Whole): string

  schema: z.ZodMiniType<Save, ItemValues>
  fields: { add: ItemField[]; edit: ItemField[] }
  empty: ItemValues
  valuesOf(item: Whole): ItemValues
}
