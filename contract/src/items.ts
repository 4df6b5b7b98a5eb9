import * as z from 'zod/mini'
import { type Endpoint, endpoint, type Schema } from './endpoint.ts'
import { flag, id, pageNumber, pinned, searchText, tagId, tagNames, time, view } from './fields.ts'
import type { MessageRef } from './messages.ts'

/** A tag of an item. */
export const tagRef = z.object({ id, name: z.string() })
export type TagRef = z.output<typeof tagRef>

/** What notes and links have in common. */
export const itemFields = {
  id,
  title: z.string(),
  created_at: time,
  updated_at: time,
  /** Pinned items stand first in lists that are no search, whatever their order. */
  pinned,
  tags: z.array(tagRef),
}

/** Replaces the whole text in summaries: its first 100 characters, or the text around a match. */
export const excerpt = z.string()

/** A range of a text in UTF-16 units: `text.slice(start, end)`. */
const range = z.tuple([z.int(), z.int()])
export type Range = z.output<typeof range>

/**
 * Highlights of a search: ranges of the matching words, in any form, in the title, in the excerpt and in the tags. Tags
 * without a match are left out.
 */
export const highlights = z.optional(
  z.object({
    title: z.array(range),
    excerpt: z.array(range),
    tags: z.array(z.object({ name: z.string(), ranges: z.array(range) })),
  }),
)
export type Highlights = NonNullable<z.output<typeof highlights>>

/** The suggestion that was searched for because the query found nothing. */
export const corrected = z.optional(z.object({ query: z.string() }))

/** No item matches the query: these have the most and rarest of its words, the closest first. */
export const partial = z.optional(z.literal(true))

/** `1`: a query that finds nothing is neither replaced by a suggestion nor matched in part. */
export const exact = flag

/**
 * What a PUT may carry in place of `tags`, so that it overwrites nobody else's change of them. A tag that is in both is
 * added.
 */
export const tagChanges = { add_tags: z.optional(tagNames), remove_tags: z.optional(tagNames) }

interface TagsOrChanges extends z.output<z.ZodMiniObject<typeof tagChanges>> {
  tags?: string[] | undefined
}

/** Refuses `tags` beside changes of them. */
export const tagsOrChanges = z.refine<TagsOrChanges>(
  ({ tags, add_tags, remove_tags }) =>
    tags === undefined || (add_tags === undefined && remove_tags === undefined),
  { error: 'tagsOrChanges' satisfies MessageRef, path: ['tags'] },
)

/** 500,000 characters of HTML, each written as `\uXXXX\uXXXX`, and the rest. */
const MAX_SAVE_BYTES = 8 * 1024 * 1024

/**
 * The order of a list: newest first, last changed first, or alphabetical with ё beside е; items that are equal in this are
 * in the order of their ids. Without it a search has the best first, and any other list the newest.
 */
export const sort = z.optional(z.enum(['created', 'updated', 'title']))
export type Sort = NonNullable<z.output<typeof sort>>

const itemParams = z.object({ id })
const versionParams = z.object({
  id,
  revision: z.pipe(z.string().check(z.regex(/^[1-9]\d{0,8}$/)), z.transform(Number)),
})

/** What an item was before a save. `tags`: their names. */
const versionFields = {
  revision: z.int(),
  saved_at: time,
  title: z.string(),
  excerpt,
  tags: z.array(z.string()),
}
const versionSummary = z.object(versionFields)
export type VersionSummary = z.output<typeof versionSummary>
const listQuery = z.object({
  page: z.optional(pageNumber),
  search: z.optional(searchText),
  exact,
  /** Only items with the tag of this id. */
  tag: z.optional(tagId),
  /** `1`: only items without any tag. */
  untagged: flag,
  sort,
  view: z.optional(view),
})

/**
 * In lists of whole items: the list is truncated, because the texts exceed {@link MAX_LIST_BYTES}. Summaries
 * (`view=summary`) are complete, and each item can be read alone.
 */
export const truncated = z.optional(z.literal(true))

const listOf = <S extends Schema>(item: S) =>
  z.object({ results: z.array(item), count: z.int(), corrected, partial })
const wholeListOf = <S extends Schema>(item: S) =>
  z.object({ results: z.array(item), count: z.int(), corrected, partial, truncated })

/** An item that is like another, of either kind. */
const similarItem = z.object({
  kind: z.enum(['note', 'urllink']),
  ...itemFields,
  url: z.optional(z.string()),
  excerpt,
})
export type SimilarItem = z.output<typeof similarItem>

interface ItemCallsShape<Whole, Summary, Save, Update, Version, Missing, OnSave> {
  whole: Whole
  summary: Summary
  /** What POST takes. */
  save: Save
  /** What PUT takes: the same, with `tags` or changes of them. */
  update: Update
  /** An earlier version; made with {@link versionOf}. */
  version: Version
  missing: Missing
  /** Further declarations of the calls that save. */
  onSave: OnSave
}

/** An earlier version of an item with the fields of its kind. */
export const versionOf = <F extends Record<string, Schema>>(fields: F) =>
  z.object({ ...versionFields, ...fields })

/** The calls of a kind of item. */
export const itemCalls = <
  const Path extends `/${string}/`,
  Whole extends Schema,
  Summary extends Schema,
  Save extends Schema,
  Update extends Schema,
  Version extends Schema,
  const Missing extends 'noteNotFound' | 'linkNotFound',
  const OnSave extends { repeatsDetailAsError?: true },
>(
  path: Path,
  {
    whole,
    summary,
    save,
    update,
    version,
    missing,
    onSave,
  }: ItemCallsShape<Whole, Summary, Save, Update, Version, Missing, OnSave>,
) => ({
  list: endpoint({
    method: 'GET',
    path,
    access: 'signed-in',
    scope: 'read',
    status: 200,
    query: listQuery,
    response: wholeListOf(whole),
    summary: listOf(summary),
    errors: ['tagNotFound'],
  }),
  create: endpoint({
    method: 'POST',
    path,
    access: 'signed-in',
    scope: 'write',
    status: 201,
    body: save,
    maxBodyBytes: MAX_SAVE_BYTES,
    response: whole,
    takesIdempotencyKey: true,
    sendsEtag: true,
    errors: [missing, 'itemQuota', 'tagQuota', 'textQuota'],
    ...onSave,
  }),
  read: endpoint({
    method: 'GET',
    path: `${path}:id/`,
    access: 'signed-in',
    scope: 'read',
    status: 200,
    params: itemParams,
    missing,
    response: whole,
    mayBeLong: true,
    sendsEtag: true,
  }),
  update: endpoint({
    method: 'PUT',
    path: `${path}:id/`,
    access: 'signed-in',
    scope: 'write',
    status: 200,
    params: itemParams,
    missing,
    body: update,
    maxBodyBytes: MAX_SAVE_BYTES,
    response: whole,
    sendsEtag: true,
    supportsIfMatch: true,
    errors: ['tagQuota', 'textQuota'],
    ...onSave,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: `${path}:id/`,
    access: 'signed-in',
    scope: 'write',
    status: 204,
    params: itemParams,
    missing,
    supportsIfMatch: true,
    sendsOperation: true,
  }),
  /** At most six items of both kinds with the rarest words and tags in common; none where nothing is alike. */
  similar: endpoint({
    method: 'GET',
    path: `${path}:id/similar/`,
    access: 'signed-in',
    scope: 'read',
    status: 200,
    params: itemParams,
    missing,
    response: z.object({ results: z.array(similarItem) }),
  }),
  /** What the item was before each save, the newest first: at most 100 of the last 90 days. */
  versions: endpoint({
    method: 'GET',
    path: `${path}:id/versions/`,
    access: 'signed-in',
    scope: 'read',
    status: 200,
    params: itemParams,
    missing,
    response: z.object({ count: z.int(), results: z.array(versionSummary) }),
    mayBeLong: true,
  }),
  version: endpoint({
    method: 'GET',
    path: `${path}:id/versions/:revision/`,
    access: 'signed-in',
    scope: 'read',
    status: 200,
    params: versionParams,
    missing: 'versionNotFound',
    response: version,
    mayBeLong: true,
  }),
  /** Saves the item as it was, as a new revision. */
  restoreVersion: endpoint({
    method: 'POST',
    path: `${path}:id/versions/:revision/restore/`,
    access: 'signed-in',
    scope: 'write',
    status: 200,
    params: versionParams,
    missing: 'versionNotFound',
    response: whole,
    mayBeLong: true,
    sendsEtag: true,
    sendsOperation: true,
    supportsIfMatch: true,
    errors: ['tagQuota', 'textQuota'],
  }),
})

interface Instead {
  corrected?: z.output<typeof corrected>
  partial?: z.output<typeof partial>
}

type Typed<T> = z.ZodMiniType<T>

/** The calls of either kind, for code that serves or makes them without asking which kind it is. */
export interface ItemCalls<Save, Whole, Summary, Version = VersionSummary> {
  list: Endpoint & {
    access: 'signed-in'
    query: typeof listQuery
    response: Typed<{ results: Whole[]; count: number; truncated?: true | undefined } & Instead>
    summary: Typed<{ results: Summary[]; count: number } & Instead>
  }
  create: Endpoint & { access: 'signed-in'; body: Typed<Save>; response: Typed<Whole> }
  read: Endpoint & ItemCall & { response: Typed<Whole> }
  update: Endpoint & ItemCall & { body: Typed<Save & Omit<TagsOrChanges, 'tags'>>; response: Typed<Whole> }
  remove: Endpoint & ItemCall & { response?: never }
  similar: Endpoint & ItemCall & { response: Typed<{ results: SimilarItem[] }> }
  versions: Endpoint & ItemCall & { response: Typed<{ count: number; results: VersionSummary[] }> }
  version: Endpoint & VersionCall & { response: Typed<Version> }
  restoreVersion: Endpoint & VersionCall & { response: Typed<Whole> }
}

interface VersionCall {
  access: 'signed-in'
  params: typeof versionParams
  missing: 'versionNotFound'
}

interface ItemCall {
  access: 'signed-in'
  params: typeof itemParams
  missing: 'noteNotFound' | 'linkNotFound'
}
