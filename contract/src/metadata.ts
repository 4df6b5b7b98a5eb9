import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { url } from './fields.ts'
import type { MessageKey } from './messages.ts'

/** Metadata of a page as plain text, empty if missing. `keywords` are separated by commas. */
export const pageMetadata = z.object({
  title: z.string(),
  description: z.string(),
  keywords: z.string(),
})
export type PageMetadata = z.output<typeof pageMetadata>

/** Why a page cannot be read (docs/behaviour.md, section 6). */
const FETCH_ERRORS = [
  'fetchScheme',
  'fetchCredentials',
  'fetchClosedAddress',
  'fetchClosedPort',
  'fetchUnknownHost',
  'fetchRefused',
  'fetchBroken',
  'fetchTls',
  'fetchTooSlow',
  'fetchTooManyRedirects',
  'fetchMissing',
  'fetchForbidden',
  'fetchBusy',
  'fetchFailed',
  'fetchNotPage',
  'fetchDamaged',
  'fetchTooComplex',
] as const satisfies readonly MessageKey[]

export const metadata = {
  /** Reads the metadata of a page at a public address. */
  extract: endpoint({
    method: 'POST',
    path: '/extract-meta-tags/',
    access: 'signed-in',
    scope: 'read',
    status: 200,
    body: z.object({ url }),
    response: pageMetadata,
    repeatsDetailAsError: true,
    errors: FETCH_ERRORS,
    rateLimits: ['extraction'],
  }),
}
