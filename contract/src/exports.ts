import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { ids, searchText, tagId, token, typeError } from './fields.ts'
import type { MessageRef } from './messages.ts'

export const EXPORT_FORMATS = ['archive', 'netscape', 'markdown', 'csv', 'json'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

interface Contents {
  readonly notes: boolean
  /** Deleted items of the trash. */
  readonly trash: boolean
  /** Earlier versions of items. */
  readonly versions: boolean
}

/** What a file of each format can hold besides links; asking for more is an error, so that nothing is left out in silence. */
export const EXPORT_CONTENTS: Readonly<Record<ExportFormat, Contents>> = {
  archive: { notes: true, trash: true, versions: true },
  netscape: { notes: false, trash: false, versions: false },
  markdown: { notes: true, trash: true, versions: false },
  csv: { notes: true, trash: true, versions: false },
  json: { notes: true, trash: true, versions: false },
}

/** `0` or `1` in a query; `true` and `false` as well in JSON. */
const choice = z.optional(
  z.pipe(
    z.union([z.boolean(), z.literal(['0', '1', 0, 1])]),
    z.transform((value) => value === true || value === 1 || value === '1'),
  ),
)

/** The conditions are those of the lists; without any, everything is exported. */
const filter = {
  format: z.enum(EXPORT_FORMATS, typeError),
  trash: choice,
  versions: choice,
  kind: z.optional(z.enum(['note', 'urllink'])),
  search: z.optional(searchText),
  exact: choice,
  /** The id of a tag. */
  tag: z.optional(tagId),
  untagged: choice,
}

interface Wanted {
  format: ExportFormat
  trash?: boolean | undefined
  versions?: boolean | undefined
  kind?: 'note' | 'urllink' | undefined
}

/** Refuses what a file of the format cannot hold. */
const holds = (
  field: 'trash' | 'versions' | 'kind',
  error: MessageRef,
  fits: (wanted: Wanted, contents: Contents) => boolean,
) => z.refine<Wanted>((wanted) => fits(wanted, EXPORT_CONTENTS[wanted.format]), { error, path: [field] })

const rules = [
  holds('trash', 'exportNoTrash', ({ trash }, contents) => !trash || contents.trash),
  holds('versions', 'exportNoVersions', ({ versions }, contents) => !versions || contents.versions),
  holds('kind', 'exportNoNotes', ({ kind }, contents) => kind !== 'note' || contents.notes),
] as const

/** Files of what an account holds. They are streamed, whatever their size. */
export const exports = {
  file: endpoint({
    method: 'GET',
    path: '/export/',
    access: 'signed-in',
    scope: 'read',
    status: 200,
    query: z.object(filter).check(...rules),
    sendsFile: true,
    errors: ['tagNotFound'],
    rateLimits: ['exports'],
  }),
  /** `ids` in place of the conditions: these items, all of which must exist; with `trash` also deleted ones. `url`: gives the file once, within a minute, without any header. */
  create: endpoint({
    method: 'POST',
    path: '/exports/',
    access: 'signed-in',
    scope: 'read',
    status: 201,
    body: z.object({ ...filter, ids: z.optional(ids) }).check(...rules),
    response: z.object({ url: z.string() }),
    errors: ['tagNotFound', 'itemNotFound', 'idsOrFilter'],
    rateLimits: ['exports'],
  }),
  /** What the `url` of `create` opens. */
  download: endpoint({
    method: 'GET',
    path: '/exports/',
    access: 'public',
    status: 200,
    query: z.object({ token }),
    sendsFile: true,
    errors: ['exportLinkDead'],
  }),
}
