import { everyCall } from '@kopilka/contract/calls.ts'
import { imports } from '@kopilka/contract/imports.ts'
import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { operations } from '@kopilka/contract/operations.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { tokens } from '@kopilka/contract/tokens.ts'
import { trash } from '@kopilka/contract/trash.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from './create-test-app.ts'
import { type Account, newAccount } from './new-account.ts'
import { keepPicture, png } from './pictures.ts'
import { readFile } from './send-file.ts'

/** Occurs in every text of the owner and in nobody else's. */
const CANARY = 'канарейка'
const SENT_KEY = { 'idempotency-key': 'sent-by-the-owner' }

let app: TestApp
let owner: Account
let owned: Record<string, string>
let before: unknown
beforeAll(async () => {
  app = await createTestApp()
  owner = await newAccount(app)
  const common = { title: `${CANARY} в заголовке`, tags: [`${CANARY} в теге`] }
  const note = await app.call(
    notes.create,
    { body: { ...common, content: `<p>${CANARY} в тексте</p>` } },
    { ...owner.auth, headers: SENT_KEY },
  )
  const link = await app.call(
    links.create,
    { body: { ...common, description: `${CANARY} в описании`, url: `https://example.org/${CANARY}` } },
    owner.auth,
  )
  const params = { id: link.id }
  await app.call(
    links.update,
    { params, body: { ...common, description: `${CANARY} снова`, url: 'https://example.org' } },
    owner.auth,
  )
  const trashed = await app.call(notes.create, { body: { ...common, content: CANARY } }, owner.auth)
  const deletion = await app.request(notes.remove, { params: { id: trashed.id } }, owner.auth)
  const token = await app.call(tokens.create, { body: { name: CANARY, scope: 'write' } }, owner.auth)
  owned = {
    files: (await keepPicture(app, owner, png(1))).id,
    tokens: token.id,
    ...{ notes: note.id, links: link.id, tags: note.tags[0]?.id ?? '' },
    ...{ trash: trashed.id, operations: deletion.headers.get('operation') ?? '' },
    imports: (await readFile(app, owner, `https://example.org/${CANARY} ${CANARY}`)).id,
  }
  before = await everything()
})
afterAll(() => app.close())

const everything = async () => [
  await app.call(notes.list, { query: {} }, owner.auth),
  await app.call(links.list, { query: {} }, owner.auth),
  await app.call(tags.list, { query: {} }, owner.auth),
  await app.call(trash.list, { query: {} }, owner.auth),
  await app.call(operations.list, { query: {} }, owner.auth),
  await app.call(tokens.list, {}, owner.auth),
  await app.call(imports.list, {}, owner.auth),
  await app.call(imports.rows, { params: { id: owned.imports ?? '' }, query: {} }, owner.auth),
  await app.call(links.versions, { params: { id: owned.links ?? '' } }, owner.auth),
]

/** Queries of a stranger who knows every id and the email of the owner. */
const queries = () => [
  {},
  { view: 'summary' },
  ...[CANARY, CANARY.slice(0, 4), `${CANARY} в`, 'example', owned.notes ?? ''].map((search) => ({ search })),
  { tag: owned.tags ?? '' },
  { tag: owned.tags ?? '', search: CANARY },
  { page: '2' },
  ...['json', 'csv', 'netscape'].map((format) => ({ format })),
  { format: 'json', trash: '1', tag: owned.tags ?? '' },
  { url: 'https://example.org' },
  { untagged: '1', sort: 'title' },
  { untagged: '1', sort: 'updated', search: CANARY },
]
const body = (name: string, group: string) => ({
  ...{ title: 'Чужое', content: 'чужое', description: 'чужое', url: 'https://example.com', tags: ['чужое'] },
  ...{ name: 'чужое', first_name: 'Чужой', last_name: 'Чужой' },
  ...{
    email: owner.email,
    password: 'a wrong one',
    current_password: 'a wrong one',
    new_password: 'another one',
  },
  ...{ format: 'json', scope: 'read' },
  ids: [group === 'trash' ? owned.trash : owned.notes],
  ...(name === 'trash.removeFound' && { filter: { search: CANARY } }),
  ...{ into: owned.tags, pinned: true },
  ...{ keep: owned.links, merge: [owned.notes] },
  ...{ refresh_token: 'x', uid: owner.id, token: 'x' },
})

describe.each(everyCall)('%s', (name, call) => {
  it("never returns a word, id or count of the owner's to a stranger", async () => {
    const stranger = await newAccount(app)
    const [group = ''] = name.split('.')
    const params = call.params && { id: owned[group] ?? owned.tags, revision: '1' }
    for (const query of call.query ? queries() : [{}]) {
      const request = { ...(params && { params }), query, ...(call.body && { body: body(name, group) }) }
      const reply = await app.request(call, request, { ...stranger.auth, headers: SENT_KEY })
      const text = JSON.stringify(reply.body)
      expect(text.toLowerCase()).not.toContain(CANARY)
      for (const secret of [...Object.values(owned), owner.id, owner.email])
        expect(text).not.toContain(secret)
      // The messages of a refusal are a list as well.
      const counts = !call.body && reply.status === call.status ? countsIn(reply.body) : []
      expect(counts.filter((count) => count !== 0)).toEqual([])
    }
  })
})

it("leaves the owner's data unchanged", async () => {
  expect(await everything()).toEqual(before)
})

it('returns the canary to the owner, so that the checks above can fail', async () => {
  const text = JSON.stringify(await everything())
  expect(text.match(new RegExp(CANARY, 'g'))?.length).toBeGreaterThan(6)
})

/** Every number in a response body, and the length of its lists. */
function countsIn(value: unknown): number[] {
  if (typeof value === 'number') return [value]
  if (Array.isArray(value)) return [value.length, ...value.flatMap(countsIn)]
  if (value === null || typeof value !== 'object') return []
  // A setting of the server, the same for everybody.
  return Object.entries(value).flatMap(([name, inside]) => (name === 'kept_days' ? [] : countsIn(inside)))
}
