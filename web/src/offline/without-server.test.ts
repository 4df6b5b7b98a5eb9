import { bulk } from '@kopilka/contract/bulk.ts'
import { everyCall } from '@kopilka/contract/calls.ts'
import type { Endpoint } from '@kopilka/contract/endpoint.ts'
import { expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { callWithEtag } from '../api/call.ts'
import { CallFailure } from '../api/failure.ts'
import { failureText } from '../api/failure-text.ts'
import { provideOffline } from '../api/offline.ts'
import { readProfile } from '../api/profile.ts'
import { isSignedIn, startSession } from '../api/session.ts'
import { signOut } from '../api/sign-out.ts'
import { currentSignIn, storeProfile } from '../api/tokens.ts'
import { isReachable } from '../lib/network.ts'
import { t } from '../messages/messages.ts'
import { canWait, entriesFor, withEntries } from './entry.ts'
import { kept } from './kept-item.ts'
import { type CallRequest, type Copy, isServedFromCopy, responseFromCopy } from './responses.ts'
import type { Finder } from './search-request.ts'

/* What each call of the contract does where no server responds. */

// What a browser has for a page, as far as a call needs it. Node knows no page whose address a path follows: nothing responds.
vi.hoisted(() => {
  const stored = new Map([
    ['access_token', 'token'],
    ['signed_in_at', '1'],
  ])
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('BroadcastChannel', EventTarget)
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
})

provideOffline(() => import('./offline.ts'))

/**
 * `copy`: the copy of the account answers. `outbox`: the change waits. `kept`: what else this browser keeps is used: the profile,
 * a picture with the text that names it, the end of the session. The others need the server. `screen`: the screen says so, and
 * loads once there is one; `action`: a message does; `silent`: nobody has asked, and it is tried again; `elsewhere`: no page makes
 * the call.
 */
type What = 'copy' | 'outbox' | 'kept' | 'screen' | 'action' | 'silent' | 'elsewhere'

const WITHOUT_SERVER: Readonly<Record<string, What>> = {
  'accounts.register': 'action',
  'accounts.login': 'action',
  'accounts.refresh': 'silent',
  'accounts.logout': 'kept',
  'accounts.passwordReset': 'action',
  'accounts.passwordResetConfirm': 'action',
  'accounts.me': 'kept',
  'accounts.remove': 'action',
  'accounts.changeProfile': 'action',
  'accounts.changePassword': 'action',
  'tokens.list': 'screen',
  'tokens.create': 'action',
  'tokens.remove': 'action',
  'notes.list': 'copy',
  'notes.create': 'outbox',
  'notes.read': 'copy',
  'notes.update': 'outbox',
  'notes.remove': 'outbox',
  'notes.similar': 'copy',
  'notes.versions': 'screen',
  'notes.version': 'screen',
  'notes.restoreVersion': 'action',
  'links.list': 'copy',
  'links.create': 'outbox',
  'links.read': 'copy',
  'links.update': 'outbox',
  'links.remove': 'outbox',
  'links.similar': 'copy',
  'links.versions': 'screen',
  'links.version': 'screen',
  'links.restoreVersion': 'action',
  'links.check': 'copy',
  'links.duplicates': 'screen',
  // Of items that are named; a filter needs the server.
  'bulk.change': 'outbox',
  'bulk.merge': 'action',
  'tags.list': 'copy',
  'tags.read': 'copy',
  'tags.update': 'outbox',
  'tags.remove': 'outbox',
  'tags.merge': 'action',
  'tags.items': 'copy',
  'operations.list': 'screen',
  'operations.undo': 'action',
  'trash.list': 'screen',
  'trash.read': 'silent',
  'trash.restore': 'action',
  'trash.remove': 'action',
  'trash.removeFound': 'action',
  'trash.clear': 'action',
  'changes.follow': 'silent',
  'files.create': 'kept',
  'files.fetch': 'action',
  // Its place stays, with the words for it.
  'files.read': 'silent',
  // Other programs call it; the page calls `exports.create`, and leaves `exports.download` to the browser.
  'exports.file': 'elsewhere',
  'exports.create': 'action',
  'exports.download': 'elsewhere',
  'imports.list': 'screen',
  'imports.create': 'action',
  'imports.read': 'screen',
  'imports.rows': 'screen',
  'imports.run': 'action',
  'imports.cancel': 'action',
  'search.latest': 'copy',
  'search.search': 'copy',
  'metadata.extract': 'action',
  'site.read': 'silent',
}

const idOf = (number: number) => `0190a000-0000-7000-8000-${String(number).padStart(12, '0')}`
const [NOTE, LINK, TAG] = [idOf(1), idOf(2), idOf(3)]

const common = {
  ...{ tags: [{ id: TAG, name: 'Лес' }], pinned: false, etag: '"1"' },
  ...{ created_at: '2026-01-31T09:30:00.000Z', updated_at: '2026-01-31T09:30:00.000Z' },
}
const url = 'https://example.org/'
const WHOLES = [
  kept({ ...common, id: NOTE, title: 'Тропа', content: '<p>Путь</p>' }),
  kept({ ...common, id: LINK, title: 'Сайт', url, description: '<p>Адрес</p>' }),
]
const COPY: Copy = {
  items: new Map(WHOLES.map(({ item }) => [item.id, item])),
  tags: new Map([[TAG, 'Лес']]),
  textsOf: async () => new Map(WHOLES.map(({ item, text }) => [item.id, text])),
}
const FINDER: Finder = {
  search: async () => ({
    ...{ counts: { note: 1, urllink: 1 }, ids: { note: [NOTE], urllink: [LINK] } },
    excerpts: new Map(),
  }),
  similarTo: async () => [NOTE],
}

const IDS: Readonly<Record<string, string>> = { notes: NOTE, links: LINK, tags: TAG }
const QUERIES: Readonly<Record<string, CallRequest['query']>> = {
  'links.check': { url },
  'search.search': { search: 'лес' },
}
const BODIES: Readonly<Record<string, unknown>> = {
  'notes.create': { title: 'Новая', content: '<p>Текст</p>' },
  'notes.update': { title: 'Другая', content: '<p>Текст</p>' },
  'links.create': { title: 'Новая', url, description: '<p>Текст</p>' },
  'links.update': { title: 'Другая', url, description: '<p>Текст</p>' },
  'bulk.change': { ids: [NOTE, LINK], pinned: true },
  'tags.update': { name: 'Роща' },
}

const requestOf = (name: string, { params, query, body }: Endpoint): CallRequest => ({
  ...(params && { params: { id: IDS[name.split('.')[0] ?? ''] ?? idOf(4), revision: '1' } }),
  ...(query && { query: QUERIES[name] ?? {} }),
  ...(body && { body: BODIES[name] ?? {} }),
})

const contentOf = ({ items, tags }: Copy) => [...items.values(), ...tags]

/** Fails as the call does where nothing responds. */
async function failureOf(call: Endpoint, request: CallRequest): Promise<CallFailure> {
  // What a request of any call may have the compiler does not know here.
  const failure = await callWithEtag(call, request as never).catch((failure: unknown) => failure)
  expect(failure).toBeInstanceOf(CallFailure)
  return failure as CallFailure
}

const PROFILE = { id: idOf(5), email: 'anna@example.org', first_name: 'Анна', last_name: 'Каренина' }

/** Uses what is kept in place of the response. A picture needs a database: e2e/offline-copy.spec.ts. */
const USES: Readonly<Record<string, () => Promise<void>>> = {
  'accounts.me': async () => {
    const signIn = currentSignIn()
    storeProfile(JSON.stringify({ signIn, user: PROFILE }))
    expect(await readProfile(new AbortController().signal)).toEqual(PROFILE)
    storeProfile(JSON.stringify({ signIn: 'another', user: PROFILE }))
    await expect(readProfile(new AbortController().signal)).rejects.toThrow()
  },
  'accounts.logout': async () => {
    signOut()
    expect(isSignedIn()).toBe(false)
    startSession({ access_token: 'token', refresh_token: 'token' })
  },
}

const expectFailure = async (call: Endpoint, request: CallRequest, what: What): Promise<void> => {
  expect(isServedFromCopy(call)).toBe(false)
  expect(canWait(call, request)).toBe(false)
  const failure = await failureOf(call, request)
  expect(failure.status).toBe('no-response')
  if (what === 'action') {
    expect(call.method).not.toBe('GET')
    expect(failureText(failure)).toBe('Нет ответа от сервера. Проверьте соединение.')
  }
  if (what !== 'screen') return
  // A query that failed loads once there is a server; until then the screen says this.
  expect([call.method, call.access]).toEqual(['GET', 'signed-in'])
  await expect.poll(isReachable).toBe(false)
  expect(t('failure.noNetwork')).toBe('Нет сети. Загрузим, как только сервер ответит.')
}

test.each(everyCall)('%s', async (name, call) => {
  const what = WITHOUT_SERVER[name]
  if (!what) throw new Error(`Say in WITHOUT_SERVER what ${name} does where no server responds.`)
  const request = requestOf(name, call)
  if (what === 'copy') {
    expect(isServedFromCopy(call)).toBe(true)
    expect(canWait(call, request)).toBe(false)
    const { value } = (await responseFromCopy(COPY, call, request, FINDER)) ?? {}
    expect(z.safeParse(call.response ?? z.never(), value)).toMatchObject({ success: true })
  } else if (what === 'outbox') {
    expect(isServedFromCopy(call)).toBe(false)
    expect(canWait(call, request)).toBe(true)
    const entries = entriesFor(COPY, call, request, {})
    expect(contentOf(withEntries(COPY, entries))).not.toEqual(contentOf(COPY))
  } else await expectFailure(call, request, what)
  if (what === 'kept') await USES[name]?.()
})

test('a change of all that a filter selects needs the server', () =>
  expectFailure(bulk.change, { body: { filter: { search: 'лес' }, pinned: true } }, 'action'))

test('no call is named that there is not', () => {
  for (const name of Object.keys(USES)) expect(WITHOUT_SERVER[name], name).toBe('kept')
  expect(Object.keys(WITHOUT_SERVER).sort()).toEqual(everyCall.map(([name]) => name).sort())
})
