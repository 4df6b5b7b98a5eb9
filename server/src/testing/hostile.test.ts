import { Agent, request } from 'node:http'
import process from 'node:process'
import { isDeepStrictEqual } from 'node:util'
import { accounts } from '@kopilka/contract/accounts.ts'
import { everyCall } from '@kopilka/contract/calls.ts'
import type { Endpoint } from '@kopilka/contract/endpoint.ts'
import { failure } from '@kopilka/contract/errors.ts'
import { imports } from '@kopilka/contract/imports.ts'
import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { tokens } from '@kopilka/contract/tokens.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { failuresOf } from '../http/api-docs/error-responses.ts'
import { createTestApp, type TestApp } from './create-test-app.ts'
import { type RawRequest, requestsOf, type ValidInput } from './hostile-requests.ts'
import { type Account, newAccount } from './new-account.ts'
import { keepPicture, png } from './pictures.ts'
import { sendFile } from './send-file.ts'

/** Requests to each call; `HOSTILE_RUNS=2000` takes minutes. */
const chosenRuns = Number(process.env.HOSTILE_RUNS ?? 0)
const RUNS = chosenRuns || 250
/** Requests to calls that may hash passwords: a tenth of a second each, on purpose. */
const SLOW_RUNS = Math.min(chosenRuns, 200) || 25
const SEED = 20_250_101

let app: TestApp
let account: Account
/** The link that was created before the present one. */
let earlierLink: string | undefined
const agent = new Agent({ keepAlive: true })

/** Calls that replace or end the session; the sign-in after a hundred others ends the one unused longest. */
const ENDS_SESSION = new Set([
  'accounts.login',
  'accounts.logout',
  'accounts.refresh',
  'accounts.changePassword',
  'accounts.passwordResetConfirm',
])

/** Shorter than an access token lives: 2,000 requests to each call may take longer on a busy machine. */
const SIGNED_IN_FOR = 5 * 60_000
let signedInAt: number

async function signInAgain(): Promise<void> {
  const { email, password } = account
  signedInAt = app.now()
  const session = await app.call(accounts.login, { body: { email, password } })
  account = { ...account, session, auth: { token: session.access_token } }
}

async function staySignedIn(): Promise<void> {
  if (app.now() - signedInAt > SIGNED_IN_FOR) await signInAgain()
}

async function knownImport(): Promise<string> {
  const [imported] = (await app.call(imports.list, {}, account.auth)).results
  return imported?.id ?? (await sendFile(app, account, 'https://example.org/')).body.id
}

async function knownToken(): Promise<{ id: string }> {
  const [existing] = (await app.call(tokens.list, {}, account.auth)).results
  return existing ?? app.call(tokens.create, { body: { name: 'Телефон', scope: 'read' } }, account.auth)
}

/** Creates items and returns what is valid now: earlier requests may have deleted the last ones. */
async function refreshKnown(): Promise<ValidInput> {
  await staySignedIn()
  const tags = ['раз', 'два']
  // At once, so that they share their commits: some calls delete something in each of two thousand requests.
  const [note, link, trashed, importId, token, picture] = await Promise.all([
    app.call(notes.create, { body: { title: 'Ёж', content: '<p>x</p>', tags } }, account.auth),
    app.call(
      links.create,
      { body: { title: 'Ёж', description: 'x', url: 'https://example.org/' } },
      account.auth,
    ),
    app.call(notes.create, { body: { title: 'Корзина', content: 'x', tags } }, account.auth),
    knownImport(),
    knownToken(),
    keepPicture(app, account, png(1)),
  ])
  const [deletion] = await Promise.all([
    app.request(notes.remove, { params: { id: trashed.id } }, account.auth),
    app.call(
      notes.update,
      { params: { id: note.id }, body: { title: 'Ёж', content: 'новый' } },
      account.auth,
    ),
  ])
  const operation = deletion.headers.get('operation') ?? ''
  const merged = earlierLink ?? link.id
  earlierLink = link.id
  return {
    token: account.session.access_token,
    ids: [
      ...[note.id, link.id, ...note.tags.map(({ id }) => id), trashed.id, operation, importId, token.id],
      picture.id,
    ],
    values: {
      ids: fc.oneof(
        fc.constant([trashed.id]),
        fc.shuffledSubarray([note.id, link.id], { minLength: 1 }),
        fc.constant([note.id, trashed.id]),
      ),
      filter: fc.oneof(
        fc.constant({ search: 'корзина' }),
        fc.record(
          {
            kind: fc.constantFrom('note', 'urllink'),
            search: fc.constantFrom('ёж', 'корзина', '"новый" -слово tag:раз', 'нигде'),
            exact: fc.boolean(),
            tag: fc.constantFrom(...note.tags.map(({ id }) => id)),
            untagged: fc.boolean(),
          },
          { requiredKeys: [] },
        ),
      ),
      title: 'Ёж в тумане',
      content: '<p>Текст <b>жирный</b></p>',
      description: 'Описание',
      url: 'https://example.org/путь',
      tags: ['Работа', 'работа', 'дом'],
      delete: true,
      duplicates: 'skip',
      folders: 'ignore',
      read_pages: false,
      into: note.tags[0]?.id ?? '',
      keep: link.id,
      merge: [merged],
      add_tags: ['Новый'],
      remove_tags: ['дом'],
      name: 'Категория',
      pinned: true,
      email: fc.oneof(
        fc.constant(account.email),
        fc.uuid().map((id) => `${id}@example.org`),
      ),
      password: account.password,
      current_password: account.password,
      new_password: account.password,
      first_name: 'Анна',
      last_name: 'Каренина',
      refresh_token: account.session.refresh_token,
      uid: account.id,
      format: 'json',
      token: 'x'.repeat(43),
      scope: 'write',
      expires_at: '2999-12-31T00:00:00+03:00',
    },
  }
}

async function renewAccount(): Promise<void> {
  account = await newAccount(app)
  signedInAt = app.now()
  earlierLink = undefined
}

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(async () => {
  agent.destroy()
  await app.close()
})

interface Received {
  status: number
  type: string
  text: string
}

const send = ({ method, path, headers, body }: RawRequest): Promise<Received> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(app.address)
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
    const sent = request(
      { hostname, port, agent, method, path, headers: { ...headers, ...length } },
      (reply) => {
        let text = ''
        reply.setEncoding('utf8').on('data', (part) => {
          text += part
        })
        reply.on('end', () =>
          resolve({ status: reply.statusCode ?? 0, type: String(reply.headers['content-type']), text }),
        )
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })

/** Describes what is wrong with a response; undefined where nothing is. */
function faultOf(call: Endpoint, { status, type, text }: Received): string | undefined {
  if (status === 204) return call.status === 204 && text === '' ? undefined : 'an unexpected 204'
  if (call.sendsFile && status === call.status) return undefined
  if (!type.startsWith('application/json')) return 'no JSON'
  const body: unknown = JSON.parse(text)
  if (status === call.status) {
    const fits = [call.response, call.summary].some((schema) => {
      const parsed = schema?.safeParse(body)
      return parsed?.success && isDeepStrictEqual(parsed.data, body)
    })
    return fits ? undefined : 'a success body that does not match the contract'
  }
  const parsed = failure.safeParse(body)
  if (!parsed.success || !/[а-яё]/i.test(parsed.data.detail)) return 'an error without a Russian message'
  // A malformed path may match no call, a malformed header may make the request invalid, and a long one too large.
  return failuresOf(call).has(status) || [400, 404, 431].includes(status)
    ? undefined
    : 'a status that the API documentation does not list'
}

/** Changes of many items after which a call gets new ones: each time takes a while. */
const RENEWED = 50

/** Whether later requests would not find what a valid one has deleted, changed, or put back. */
const usesUp = ({ method, params, sendsOperation, goesInSteps }: Endpoint, changes: number): boolean =>
  (method === 'DELETE' && params !== undefined) ||
  (changes <= RENEWED && (sendsOperation ?? goesInSteps ?? false))

/** The response of a change of many items that found none. */
const NOTHING_CHANGED = /^{"(changed|restored)":0[,}]/

it.each(everyCall)(
  '%s responds as the contract says to any request',
  { timeout: 120_000 + RUNS * 500 },
  async (name, call) => {
    const hashes =
      call.path.startsWith('/auth/') || call.path.includes('password') || name === 'accounts.remove'
    // What the calls before kept would make each response longer.
    await renewAccount()
    let input = await refreshKnown()
    let changes = 0
    await fc.assert(
      fc.asyncProperty(
        requestsOf(call, () => input),
        async (sent) => {
          const received = await send(sent)
          const fault = received.status >= 500 ? 'a server error' : faultOf(call, received)
          if (fault) throw new Error(`${fault}: ${received.status} ${received.text.slice(0, 300)}`)
          if (received.status !== call.status) return
          if (!NOTHING_CHANGED.test(received.text)) changes += 1
          // The generated password, in some runs.
          if (name === 'accounts.remove') await renewAccount()
          if (name === 'accounts.changePassword')
            account = { ...account, password: JSON.parse(String(sent.body)).new_password }
          if (ENDS_SESSION.has(name)) await signInAgain()
          else if (!usesUp(call, changes)) return
          input = await refreshKnown()
        },
      ),
      { numRuns: hashes ? SLOW_RUNS : RUNS, seed: SEED, endOnFailure: true },
    )
    if (call.goesInSteps) expect(changes, 'requests that changed something').toBeGreaterThan(0)
  },
)

it('leaves the server ready and stored items readable', async () => {
  await staySignedIn()
  const list = await app.call(notes.list, { query: {} }, account.auth)
  expect(list.count).toBeGreaterThan(0)
  expect((await app.send('GET', '/readyz')).status).toBe(200)
})
