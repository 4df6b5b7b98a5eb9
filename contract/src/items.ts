import * as z from 'zod/mini'
import { endpoint, type Schema } from './endpoint.ts'
import { id, pageNumber, searchText, time, view } from './fields.ts'

/** A tag as items carry it. */
export const tagRef = z.object({ id, name: z.string() })
export type TagRef = z.output<typeof tagRef>

/** What notes and links have in common. */
export const itemFields = {
  id,
  title: z.string(),
  created_at: time,
  updated_at: time,
  tags: z.array(tagRef),
}

/** Stands in summaries for the whole text: its first 100 characters, or the piece around a match. */
export const excerpt = z.string()

const itemParams = z.object({ id })
const listQuery = z.object({
  page: z.optional(pageNumber),
  search: z.optional(searchText),
  /** Only items with the tag of this id. */
  tag: z.optional(z.string()),
  view: z.optional(view),
})

const listOf = <S extends Schema>(item: S) => z.object({ results: z.array(item), count: z.int() })

/** The five calls of a kind of item; `save` is what both POST and PUT take. */
export const itemCalls = <
  const Path extends `/${string}/`,
  Whole extends Schema,
  Summary extends Schema,
  Save extends Schema,
  const Extra extends { repeatsDetailAsError?: true },
>(
  path: Path,
  { whole, summary, save }: { whole: Whole; summary: Summary; save: Save },
  onSave: Extra,
) => ({
  list: endpoint({
    method: 'GET',
    path,
    access: 'signed-in',
    status: 200,
    query: listQuery,
    answer: listOf(whole),
    summary: listOf(summary),
  }),
  create: endpoint({
    method: 'POST',
    path,
    access: 'signed-in',
    status: 201,
    body: save,
    answer: whole,
    ...onSave,
  }),
  read: endpoint({
    method: 'GET',
    path: `${path}:id/`,
    access: 'signed-in',
    status: 200,
    params: itemParams,
    answer: whole,
  }),
  update: endpoint({
    method: 'PUT',
    path: `${path}:id/`,
    access: 'signed-in',
    status: 200,
    params: itemParams,
    body: save,
    answer: whole,
    ...onSave,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: `${path}:id/`,
    access: 'signed-in',
    status: 204,
    params: itemParams,
  }),
})
