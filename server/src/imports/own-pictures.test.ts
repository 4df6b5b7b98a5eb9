import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { expect } from 'vitest'
import type { TestApp } from '../testing/create-test-app.ts'
import { test } from '../testing/fixtures.ts'
import { type Account, newAccount } from '../testing/new-account.ts'
import { keepPicture, largePng } from '../testing/pictures.ts'
import { readZip } from '../testing/read-zip.ts'
import { readFile, runImport } from '../testing/send-file.ts'
import { writeZip } from '../testing/write-zip.ts'

const BYTES = largePng(2_000)

const it = test.extend('download', ({ app }) => async ({ auth }: Account, format: 'archive' | 'csv') => {
  const address = `${app.address}/api/v1/export/?format=${format}`
  const reply = await fetch(address, { headers: { authorization: `Bearer ${auth.token}` } })
  return new Uint8Array(await reply.arrayBuffer())
})

const linesOf = async (archive: Uint8Array): Promise<string | undefined> =>
  (await readZip(archive))
    .get('kopilka.json')
    ?.toString()
    .replace(/^\{"type":"kopilka".*\n/, '')

/** Keeps texts with a picture whose size was not known when they were saved. */
async function fillUnsized(app: TestApp, account: Account) {
  const { url } = await keepPicture(app, await newAccount(app), BYTES)
  const html = `<p><img src="${url}">x</p>`
  const { content } = await app.call(notes.create, { body: { title: 'Снимок', content: html } }, account.auth)
  expect(content).not.toContain('width=')
  const body = { title: 'Сайт', url: 'https://example.org/', description: html }
  await app.call(links.create, { body }, account.auth)
  await keepPicture(app, account, BYTES)
  return { content }
}

it('a note of Markdown with a picture is the same the second time, as the dry run says', async ({
  app,
  account,
}) => {
  const { id } = await keepPicture(app, account, BYTES)
  const file = new Uint8Array(
    writeZip([
      { name: 'Снимок.md', data: `До ![](files/${id}.png) после` },
      { name: `files/${id}.png`, data: BYTES },
    ]),
  )
  const first = await readFile(app, account, file)
  expect(first.summary).toMatchObject({ new: 1, same: 0 })
  expect((await runImport(app, account, first.id)).result).toMatchObject({ added: 1, skipped: 0 })
  const { results } = await app.call(notes.list, { query: {} }, account.auth)
  expect(results.map(({ content }) => content)).toEqual([expect.stringMatching(/width="\d+" height="\d+"/)])
  const second = await readFile(app, account, file)
  expect(second.summary).toMatchObject({ new: 0, same: 1 })
  expect((await runImport(app, account, second.id)).result).toMatchObject({ added: 0, skipped: 1 })
})

for (const format of ['archive', 'csv'] as const)
  for (const duplicates of ['skip', 'merge'] as const)
    it(`a text without the size of its picture is the same in ${format}: ${duplicates}`, async ({
      app,
      account,
      download,
    }) => {
      const { content } = await fillUnsized(app, account)
      const read = await readFile(app, account, await download(account, format))
      expect(read).toMatchObject({ state: 'ready', summary: { new: 0, same: 2 } })
      const { result } = await runImport(app, account, read.id, { duplicates })
      expect(result).toMatchObject({ added: 0, merged: 0, skipped: 2 })
      const { results } = await app.call(links.list, { query: {} }, account.auth)
      expect(results.map(({ description }) => description)).toEqual([content])
    })

it('an archive keeps texts as they are, in an empty account as well', async ({ app, account, download }) => {
  await fillUnsized(app, account)
  const archive = await download(account, 'archive')
  const other = await newAccount(app)
  const read = await readFile(app, other, archive)
  expect((await runImport(app, other, read.id)).result).toMatchObject({ added: 2 })
  expect(await linesOf(await download(other, 'archive'))).toBe(await linesOf(archive))
})
