import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { id, time, tokenName, typeError } from './fields.ts'

/** `write` includes `read`. `feed` opens /feed.xml and nothing else, because its token stands in an address. */
export const TOKEN_SCOPES = ['read', 'write', 'feed'] as const
export type TokenScope = (typeof TOKEN_SCOPES)[number]

/** What API tokens begin with, so that people and scanners of leaked secrets know one when they see it. */
export const TOKEN_PREFIX = 'kop_'

/** A personal API token of the account. `last_used_from`: the IP address of its last use, exact to the minute. */
export const apiToken = z.object({
  id,
  name: z.string(),
  scope: z.enum(TOKEN_SCOPES),
  created_at: time,
  expires_at: z.nullable(time),
  last_used_at: z.nullable(time),
  last_used_from: z.nullable(z.string()),
})
export type ApiToken = z.output<typeof apiToken>

/** Personal API tokens, with which other programs reach the items of the account. */
export const tokens = {
  /** The newest first; those that have expired as well. */
  list: endpoint({
    method: 'GET',
    path: '/tokens/',
    access: 'signed-in',
    scope: 'account',
    status: 200,
    response: z.object({ count: z.int(), results: z.array(apiToken) }),
  }),
  /** `token` is the secret, shown this once. Without `expires_at` it works until it is revoked. */
  create: endpoint({
    method: 'POST',
    path: '/tokens/',
    access: 'signed-in',
    scope: 'account',
    status: 201,
    body: z.object({
      name: tokenName,
      scope: z.enum(TOKEN_SCOPES, typeError),
      expires_at: z.optional(z.nullable(z.iso.datetime({ offset: true, error: 'wrongType' }))),
    }),
    response: z.extend(apiToken, { token: z.string() }),
    errors: ['apiTokenQuota'],
  }),
  /** Revokes a token: it works no more from this moment. */
  remove: endpoint({
    method: 'DELETE',
    path: '/tokens/:id/',
    access: 'signed-in',
    scope: 'account',
    status: 204,
    params: z.object({ id }),
    missing: 'apiTokenNotFound',
  }),
}
