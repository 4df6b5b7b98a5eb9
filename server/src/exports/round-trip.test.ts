import process from 'node:process'
import { accounts } from '@kopilka/contract/accounts.ts'
import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { tags } from '@kopilka/contract/tags.ts'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { TestApp } from '../testing/create-test-app.ts'
import { test as it } from '../testing/fixtures.ts'
import { text } from '../testing/hostile-values.ts'
import { type Account, newAccount } from '../testing/new-account.ts'
import { keepPicture, largePng, readPicture } from '../testing/pictures.ts'
import { readZip } from '../testing/read-zip.ts'
import { type Run, readFile, runImport } from '../testing/send-file.ts'

/** Random libraries; `ARCHIVE_RUNS=50` takes minutes. */
const RUNS = Number(process.env.ARCHIVE_RUNS ?? 3)

const line = fc.oneof(
  text,
  fc.constantFrom(
    'Работа',
    'работа',
    'a  b',
    'a\u00A0b',
    '<b>&amp;',
    '"',
    '=1',
    '🦔',
    '\uFFFD',
    '<meta charset=koi8-r>',
  ),
)
const item = fc.record({
  kind: fc.constantFrom('note' as const, 'link' as const),
  title: line,
  body: fc.oneof(
    text,
    fc.constantFrom(
      '<p>a  b</p>\n<pre>x\n  y</pre>',
      '<pre><code class="language-c++">x</code></pre>',
      'простой\nтекст',
      '<ul><li>x</li></ul>',
      '&amp;lt;',
      'е&#x308; a&#13;b&#1;c',
    ),
  ),
  url: fc.constantFrom('https://example.org/?a=1&b=%D0%BF#x', 'ftp://пример.рф/путь', 'HTTP://A.example/'),
  tags: fc.array(line, { maxLength: 3 }),
  pinned: fc.boolean(),
  saves: fc.array(line, { maxLength: 2 }),
  isDeleted: fc.boolean(),
  day: fc.integer({ min: 1, max: 3 }),
})
type RandomItem = typeof item extends fc.Arbitrary<infer T> ? T : never

/** Saves an item as far as the server takes it. */
async function save(
  app: TestApp,
  [auth, otherAuth]: readonly [Account['auth'], Account['auth']],
  random: RandomItem,
): Promise<void> {
  const { kind, title, body, url, tags, pinned, saves, isDeleted, day } = random
  const calls = kind === 'note' ? notes : links
  const bodyOf = (title: string) => ({ title, content: body, description: body, url, tags, pinned })
  const created = await app.request(calls.create, { body: bodyOf(title) }, auth)
  if (created.status !== 201) return
  const params = { id: String(created.body.id) }
  await app.db
    .updateTable('items')
    .set({ created_at: Date.UTC(2020, 0, day) })
    .where('id', '=', params.id)
    .execute()
  // Saves of one session that follow each other are one version.
  for (const [at, next] of saves.entries())
    await app.request(calls.update, { params, body: bodyOf(next) }, at === 0 ? otherAuth : auth)
  if (isDeleted) await app.request(calls.remove, { params }, auth)
}

/** The files of an archive with everything, without the date in it. */
async function archiveOf(app: TestApp, { auth }: Account) {
  const address = `${app.address}/api/v1/export/?format=archive&trash=1&versions=1`
  const reply = await fetch(address, { headers: { authorization: `Bearer ${auth.token}` } })
  const bytes = new Uint8Array(await reply.arrayBuffer())
  const files = [...(await readZip(bytes))].map(([name, file]) => [
    name,
    name.startsWith('files/')
      ? file.toString('base64')
      : file.toString().replace(/^\{"type":"kopilka".*\n/, ''),
  ])
  return { bytes, files }
}

it.for<Run>([{}, { duplicates: 'add' }, { duplicates: 'merge' }])(
  'an archive that is imported with %o gives the same archive',
  { timeout: 120_000 },
  async (choices, { app, folder, startApp }) => {
    // On SQLite, whatever database `app` has.
    const settings = { DATABASE_URL: '', DATA_DIR: folder }
    const second = await startApp({ database: { settings, remove: async () => {} } })
    const library = fc.tuple(
      fc.array(item, { minLength: 5, maxLength: 12 }),
      fc.array(line, { maxLength: 3 }),
    )
    await fc.assert(
      fc.asyncProperty(library, async ([items, unused]) => {
        const [from, to] = [await newAccount(app), await newAccount(second)]
        const { email, password } = from
        const { access_token } = await app.call(accounts.login, { body: { email, password } })
        const pictures = await Promise.all(
          [1, 2].map((seed) => keepPicture(app, from, largePng(300_000, seed))),
        )
        for (const { url } of pictures) {
          const shown = await app.call(
            notes.create,
            { body: { title: 'Снимок', content: `<img src="${url}">` } },
            from.auth,
          )
          // Only an earlier version names it.
          await app.call(
            notes.update,
            { params: { id: shown.id }, body: { title: 'Снимок', content: 'x' } },
            from.auth,
          )
        }
        for (const one of items) await save(app, [from.auth, { token: access_token }], one)
        const spare = await app.call(
          notes.create,
          { body: { title: 'x', content: 'x', tags: ['Лишний'] } },
          from.auth,
        )
        for (const name of unused)
          await app.request(
            tags.update,
            { params: { id: spare.tags[0]?.id ?? '' }, body: { name } },
            from.auth,
          )
        const first = await archiveOf(app, from)
        const read = await readFile(second, to, first.bytes)
        expect(read).toMatchObject({ format: 'kopilka', state: 'ready', summary: { broken: 0, ignored: 0 } })
        expect(await runImport(second, to, read.id, choices)).toMatchObject({ state: 'done' })
        for (const { id } of pictures) expect((await readPicture(second, to, id)).status).toBe(200)
        expect(first.files.filter(([name]) => name?.startsWith('files/'))).toHaveLength(2)
        const returned = await archiveOf(second, to)
        expect(returned.files).toEqual(first.files)
        // And the other way.
        const back = await newAccount(app)
        const again = await readFile(app, back, returned.bytes)
        expect(await runImport(app, back, again.id, choices)).toMatchObject({ state: 'done' })
        expect((await archiveOf(app, back)).files).toEqual(first.files)
      }),
      { numRuns: RUNS, seed: 20_261_122, endOnFailure: true },
    )
  },
)
