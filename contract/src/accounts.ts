import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { anyName, email, id, newPassword, password, personName, token } from './fields.ts'

export const user = z.object({ id, email: z.string(), first_name: z.string(), last_name: z.string() })
export type User = z.output<typeof user>

/** The token pair of a session: the access token lives 15 minutes, the refresh token 30 days (docs/behaviour.md, section 3). */
export const session = z.object({ access_token: z.string(), refresh_token: z.string() })
export type Session = z.output<typeof session>

export const accounts = {
  register: endpoint({
    method: 'POST',
    path: '/auth/register/',
    access: 'public',
    status: 201,
    body: z.object({ first_name: personName, last_name: personName, email, password: newPassword }),
    response: user,
    rateLimits: ['registration'],
    errors: ['registrationClosed'],
  }),
  login: endpoint({
    method: 'POST',
    path: '/auth/login/',
    access: 'public',
    status: 200,
    body: z.object({ email, password }),
    response: session,
    rateLimits: ['signInToAccount', 'signInFromAddress', 'signInFromKnownBrowser'],
    errors: ['wrongCredentials'],
  }),
  /** Returns a new pair and retires the old one. */
  refresh: endpoint({
    method: 'POST',
    path: '/auth/token/refresh/',
    access: 'public',
    status: 200,
    body: z.object({ refresh_token: token }),
    response: session,
    errors: ['unauthorized'],
  }),
  /** Ends the session of the access token. */
  logout: endpoint({
    method: 'POST',
    path: '/auth/logout/',
    access: 'signed-in',
    scope: 'account',
    status: 200,
    response: z.object({}),
  }),
  /** Sends mail with a reset link; responds the same whether or not the email is known. */
  passwordReset: endpoint({
    method: 'POST',
    path: '/auth/password-reset/',
    access: 'public',
    status: 200,
    body: z.object({ email }),
    response: z.object({}),
    rateLimits: ['passwordReset', 'passwordResetFromAddress'],
  }),
  /** `uid` and `token` come from the link in the mail. Ends every session of the user. */
  passwordResetConfirm: endpoint({
    method: 'POST',
    path: '/auth/password-reset-confirm/',
    access: 'public',
    status: 200,
    body: z.object({ uid: token, token, new_password: newPassword }),
    response: z.object({}),
  }),
  me: endpoint({
    method: 'GET',
    path: '/users/me/',
    access: 'signed-in',
    scope: 'account',
    status: 200,
    response: user,
  }),
  /** Deletes the account and all that it holds, at once and for ever. */
  remove: endpoint({
    method: 'DELETE',
    path: '/users/me/',
    access: 'signed-in',
    scope: 'account',
    status: 204,
    body: z.object({ password }),
    rateLimits: ['passwordChange'],
  }),
  /** A name that is missing stays as it is. */
  changeProfile: endpoint({
    method: 'PUT',
    path: '/users/change-profile/',
    access: 'signed-in',
    scope: 'account',
    status: 200,
    body: z.object({ first_name: z.optional(anyName), last_name: z.optional(anyName) }),
    response: user,
  }),
  /** Ends every other session of the user. */
  changePassword: endpoint({
    method: 'PUT',
    path: '/users/change-password/',
    access: 'signed-in',
    scope: 'account',
    status: 200,
    body: z.object({ current_password: password, new_password: newPassword }),
    response: z.object({}),
    rateLimits: ['passwordChange'],
  }),
}
