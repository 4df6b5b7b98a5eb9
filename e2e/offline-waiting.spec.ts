import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { otherBuild } from './builds.ts'
import { expect, message, signIn, snackbar, test } from './fixtures.ts'
import {
  addNote,
  bar,
  cached,
  contents,
  copied,
  DATABASE,
  ownPort,
  retitle,
  SIGNED_OUT,
  serverItems,
  stored,
  versionOf,
} from './offline-page.ts'
import { ownBrowser } from './own-browser.ts'

/* Changes that wait, whatever happens to the page meanwhile. */

const rowOf = (page: Page, title: string) => page.getByRole('article').filter({ hasText: title })

test.use({ serviceWorkers: 'allow' })

test.beforeEach(({ expectedInConsole }) => {
  expectedInConsole.push(/Failed to load resource/)
  test.slow()
})

test('changes that wait are those of the next version of the page', async ({
  page,
  context,
  serve,
  register,
}) => {
  const other = await otherBuild()
  // One change is refused: it still waits when the new version opens without a server.
  const server = await serve({ ...ownPort(), ITEMS_PER_USER: '1' })
  const account = await register(server.address)
  const note = await account.addNote({ title: 'Было' })
  await signIn(page, account.session)
  await page.goto(`${server.address}/home`)
  await copied(page, 1)
  const before = await versionOf(page)
  await server.pause()
  await retitle(page, server.address, note.id, 'Стало')
  await addNote(page, server.address, 'В метро')
  await expect(bar(page)).toHaveText('Нет сети. Изменений ждёт: 2')
  await page.close()

  await server.resume(other.bundle)
  const tab = await context.newPage()
  await tab.goto(`${server.address}/home`)
  const after = await versionOf(tab)
  expect(after).not.toBe(before)
  await expect(bar(tab)).toHaveText('Нужно решить: 1', { timeout: 40_000 })
  const titles = async () =>
    (await serverItems(server.address, account, '/notes/')).results.map(({ title }) => title)
  expect(await titles()).toEqual(['Стало'])
  // Once the new version is kept nothing of the old one is.
  await expect(async () => {
    await tab.goto(`${server.address}/notes`)
    const versions = async () => Object.keys(await cached(tab))
    // The worker asks the pages that are open for their versions, 2 seconds each at most.
    await expect.poll(versions, { timeout: 5_000 }).toEqual([after])
  }).toPass()

  await server.pause()
  await tab.goto(`${server.address}/notes`)
  expect(await versionOf(tab)).toBe(after)
  await expect(bar(tab)).toHaveText('Нет сети. Изменений ждёт: 1')
  await expect(rowOf(tab, 'В метро')).toContainText('Нужно решить')
  await expect(rowOf(tab, 'Стало')).not.toContainText(/Ждёт отправки|Нужно решить/)
  await tab.goto(`${server.address}/notes?search=${encodeURIComponent('стало')}`)
  await expect(rowOf(tab, 'Стало').locator('mark')).toHaveText('Стало')
  await other.remove()
})

test('a server that says nothing while changes are being sent is lost within seconds', async ({
  page,
  serve,
  register,
}) => {
  const server = await serve(ownPort())
  const account = await register(server.address)
  await signIn(page, account.session)
  await page.goto(`${server.address}/home`)
  await copied(page, 0)
  await server.pause()
  await addNote(page, server.address, 'Первая')
  await addNote(page, server.address, 'Вторая')
  await expect(bar(page)).toHaveText('Нет сети. Изменений ждёт: 2')
  let saves = 0
  await page.route('**/api/v1/notes/', async (route) => {
    if (route.request().method() === 'POST') saves += 1
    if (saves === 2) server.freeze()
    await route.continue()
  })
  await server.resume()
  await expect(bar(page)).toHaveText('Изменений ждёт: 1', { timeout: 40_000 })
  await expect(bar(page)).toHaveText('Нет сети. Изменений ждёт: 1', { timeout: 20_000 })
  server.thaw()
  await expect(bar(page)).toBeEmpty({ timeout: 40_000 })
  const { results } = await serverItems(server.address, account, '/notes/')
  expect(results.map(({ title }) => title)).toEqual(['Вторая', 'Первая'])
})

test('two tabs send what waits in both of them, each change once', async ({
  page,
  context,
  serve,
  register,
}) => {
  const server = await serve(ownPort())
  const account = await register(server.address)
  await signIn(page, account.session)
  await page.goto(`${server.address}/home`)
  await copied(page, 0)
  const tab = await context.newPage()
  await tab.goto(`${server.address}/home`)
  await expect(tab.getByText('Пока ни одной заметки')).toBeVisible()
  await server.pause()
  await addNote(page, server.address, 'Первая')
  await addNote(tab, server.address, 'Вторая')
  await addNote(page, server.address, 'Третья')
  for (const one of [page, tab]) await expect(bar(one)).toHaveText('Нет сети. Изменений ждёт: 3')

  const created: string[] = []
  context.on('response', (response) => {
    const request = response.request()
    if (response.status() === 201) created.push(request.headers()['idempotency-key'] ?? '')
  })
  await server.resume()
  // Both learn of the server at once.
  await Promise.all(
    [page, tab].map((one) => one.evaluate(() => void window.dispatchEvent(new Event('online')))),
  )
  for (const one of [page, tab]) {
    await expect(bar(one)).toBeEmpty({ timeout: 40_000 })
    await expect(one.getByRole('article')).toHaveText([/Третья/, /Вторая/, /Первая/])
    await expect(one.getByText('Ждёт отправки')).toHaveCount(0)
  }
  const { results } = await serverItems(server.address, account, '/notes/')
  expect(results.map(({ title }) => title)).toEqual(['Третья', 'Вторая', 'Первая'])
  expect(created.length).toBe(3)
  expect(new Set(created).size).toBe(3)
  expect((await stored(page))?.outbox).toEqual([])
})

test('what waits is not sent as somebody else who signs in while it is being sent', async ({
  page,
  serve,
  register,
  hold,
}) => {
  const server = await serve(ownPort())
  const [account, other] = [await register(server.address), await register(server.address)]
  await signIn(page, account.session)
  await page.goto(`${server.address}/home`)
  await copied(page, 0)
  await server.pause()
  for (const title of ['Первая', 'Вторая']) await addNote(page, server.address, title)
  const sent = page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        new BroadcastChannel('kopilka-offline').onmessage = ({ data }) => data === 'sent' && resolve()
      }),
  )
  const held = await hold('**/api/v1/notes/', { method: 'POST' })
  await server.resume()
  await held.requested
  // As another tab does it; this one has not heard of it yet.
  await page.evaluate(({ access_token, refresh_token }) => {
    localStorage.setItem('refresh_token', refresh_token)
    localStorage.setItem('access_token', access_token)
    localStorage.setItem('signed_in_at', String(Date.now()))
  }, other.session)
  await held.release()
  await sent
  const titles = async (of: typeof account) =>
    (await serverItems(server.address, of, '/notes/')).results.map(({ title }) => title)
  expect(await titles(account)).toEqual(['Первая'])
  expect(await titles(other)).toEqual([])
  // Nor does what is left count as theirs.
  const kept = () => [localStorage.getItem('waiting'), localStorage.getItem('signed_in_at')]
  const [waiting, signedInAt] = await page.evaluate(kept)
  expect(waiting).not.toContain(signedInAt)
})

test('a note that names a tag goes behind the renaming of that tag', async ({
  page,
  serve,
  register,
  hold,
}) => {
  const server = await serve(ownPort())
  const account = await register(server.address)
  const { tags } = await account.addNote({ title: 'Тропа', tags: ['Лес'] })
  await signIn(page, account.session)
  await page.goto(`${server.address}/home`)
  await copied(page, 1)
  await server.pause()
  await page.goto(`${server.address}/tags/${tags[0]?.id}/edit`)
  await page.getByLabel('Название Тега').fill('Роща')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(page.getByRole('heading', { name: 'Роща' })).toBeVisible()
  const held = await hold('**/api/v1/tags/*/', { method: 'PUT' })
  await server.resume()
  await held.requested
  await page.getByRole('button', { name: 'Добавить или выйти' }).click()
  await page.getByRole('menuitem', { name: 'Новая заметка' }).click()
  await page.getByLabel('Название').fill('Поляна')
  await page.getByRole('textbox', { name: 'Содержание' }).click()
  await page.keyboard.type('Текст')
  await page.getByRole('combobox', { name: 'Теги' }).fill('Роща')
  await page.getByRole('combobox', { name: 'Теги' }).press('Enter')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(page).toHaveURL(`${server.address}/notes`)
  await expect(bar(page)).toHaveText('Изменений ждёт: 2')
  await held.release()
  await expect(bar(page)).toBeEmpty({ timeout: 40_000 })
  const { results } = await serverItems(server.address, account, '/notes/?sort=title')
  expect(results.map(({ title, tags }) => [title, tags])).toMatchObject([
    ['Поляна', [{ id: tags[0]?.id, name: 'Роща' }]],
    ['Тропа', [{ id: tags[0]?.id, name: 'Роща' }]],
  ])
})

test('tags and pins that are changed without a server wait, and are sent', async ({
  page,
  serve,
  register,
}) => {
  const server = await serve(ownPort())
  const account = await register(server.address)
  await account.addNote({ title: 'Первая', tags: ['дом'] })
  await account.addNote({ title: 'Вторая' })
  await account.addNote({ title: 'Третья' })
  await signIn(page, account.session)
  await page.goto(`${server.address}/home`)
  await copied(page, 3)
  await server.pause()
  await page.goto(`${server.address}/notes`)
  const selected = page.getByRole('region', { name: 'Выбранное' })
  const select = (title: string) => page.getByRole('checkbox', { name: `Выбрать «${title}»` }).check()
  for (const title of ['Первая', 'Третья']) await select(title)
  await selected.getByRole('button', { name: 'Теги' }).click()
  const dialog = page.getByRole('dialog', { name: 'Теги выбранного' })
  const fill = async (name: string, tag: string) => {
    const field = dialog.getByRole('combobox', { name })
    await field.fill(tag)
    await field.press('Enter')
  }
  await fill('Добавить теги', 'лес')
  await fill('Убрать теги', 'дом')
  await dialog.getByRole('button', { name: 'Применить' }).press('Enter')
  await expect(dialog).toBeHidden()
  await expect(bar(page)).toHaveText('Нет сети. Изменений ждёт: 2')
  await expect(selected).toBeHidden()
  await select('Первая')
  await selected.getByRole('button', { name: 'Закрепить' }).click()
  await expect(bar(page)).toHaveText('Нет сети. Изменений ждёт: 3')

  await page.reload()
  await expect(page.getByRole('article')).toHaveText([/Первая/, /Третья/, /Вторая/])
  const tags = (title: string) => rowOf(page, title).getByRole('list', { name: 'Теги' }).getByRole('link')
  for (const title of ['Первая', 'Третья']) {
    await expect(tags(title)).toHaveText(['лес'])
    await expect(rowOf(page, title)).toContainText('Ждёт отправки')
  }
  await expect(rowOf(page, 'Первая').getByRole('img', { name: 'Закреплено' })).toBeVisible()
  await page.goto(`${server.address}/tags`)
  const row = (name: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: name })
  await expect(row('лес')).toContainText('Всего заметок: 2')
  await expect(row('дом')).toContainText('Всего заметок: 0')

  await server.resume()
  await expect(bar(page)).toBeEmpty({ timeout: 40_000 })
  const { results } = await serverItems(server.address, account, '/notes/')
  expect(results.map(({ title, pinned, tags }) => [title, pinned, tags.map(({ name }) => name)])).toEqual([
    ['Первая', true, ['лес']],
    ['Третья', false, ['лес']],
    ['Вторая', false, []],
  ])
})

test('ticks made without a server wait, and so does the undo of one', async ({ page, serve, register }) => {
  const server = await serve(ownPort())
  const account = await register(server.address)
  const list = (bread: boolean, tea: boolean) =>
    `<ul data-type="taskList"><li data-checked="${bread}"><p>хлеб</p></li><li data-checked="${tea}"><p>чай</p></li></ul>`
  const { id } = await account.addNote({ content: list(false, false) })
  await signIn(page, account.session)
  await page.goto(`${server.address}/notes/${id}`)
  await copied(page, 1)
  await server.pause()
  const tick = async (name: string, waiting: number) => {
    await page.getByRole('checkbox', { name }).click()
    await expect(bar(page)).toHaveText(`Нет сети. Изменений ждёт: ${waiting}`)
    await expect(message(page, 'Пункт отмечен.')).toBeVisible()
    await expect(
      message(page, 'Нет сети. Изменение сохранено в этом браузере и отправится само.'),
    ).toBeVisible()
  }
  await tick('хлеб', 1)
  await tick('чай', 2)
  await snackbar(page).getByRole('button', { name: 'Отменить' }).click()
  await expect(message(page, 'Отменено.')).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'хлеб' })).toBeChecked()
  await expect(page.getByRole('checkbox', { name: 'чай' })).not.toBeChecked()

  await server.resume()
  await expect(bar(page)).toBeEmpty({ timeout: 40_000 })
  const now = await page.request.get(`${server.address}/api/v1/notes/${id}/`, {
    headers: { authorization: `Bearer ${account.session.access_token}` },
  })
  expect((await now.json()).content).toBe(list(true, false))
})

test('two tabs that edit one note without a server meet in the usual choice', async ({
  page,
  context,
  serve,
  register,
}) => {
  const server = await serve(ownPort())
  const account = await register(server.address)
  const note = await account.addNote({ title: 'Было' })
  await signIn(page, account.session)
  await page.goto(`${server.address}/home`)
  await copied(page, 1)
  const tab = await context.newPage()
  await tab.goto(`${server.address}/notes/${note.id}/edit`)
  await expect(tab.getByLabel('Название')).toHaveValue('Было')
  await server.pause()
  await retitle(page, server.address, note.id, 'Из первой')
  await tab.getByLabel('Название').fill('Из второй')
  await tab.getByRole('button', { name: 'Сохранить' }).click()
  const choice = tab.getByRole('dialog').filter({ hasText: 'Сохранить мой' })
  await expect(choice.getByText('Из первой', { exact: true }).first()).toBeVisible()
  await choice.getByRole('button', { name: 'Сохранить мой' }).click()
  await expect(tab.getByRole('heading', { name: 'Из второй' })).toBeVisible()
  await expect(bar(tab)).toHaveText('Нет сети. Изменений ждёт: 2')
  await server.resume()
  await expect(bar(tab)).toBeEmpty({ timeout: 40_000 })
  const { results } = await serverItems(server.address, account, '/notes/')
  expect(results.map(({ title }) => title)).toEqual(['Из второй'])
})

test('a change that waits asks before it goes over what a server restored from a backup has at the same version', async ({
  page,
  serve,
  register,
}) => {
  const server = await serve(ownPort())
  const account = await register(server.address)
  const note = await account.addNote({ title: 'Первая' })
  const headers = {
    authorization: `Bearer ${account.session.access_token}`,
    'content-type': 'application/json',
  }
  const saveElsewhere = async (title: string): Promise<string | null> => {
    const body = JSON.stringify({ title, content: `<p>${title}</p>` })
    const address = `${server.address}/api/v1/notes/${note.id}/`
    const saved = await fetch(address, { method: 'PUT', headers, body })
    expect(saved.status).toBe(200)
    return saved.headers.get('etag')
  }
  await server.pause()
  const backup = await mkdtemp(join(tmpdir(), 'kopilka-backup-'))
  await cp(server.dataDir, backup, { recursive: true })
  await server.resume()
  const seen = await saveElsewhere('Вторая')
  await signIn(page, account.session)
  await page.goto(`${server.address}/home`)
  await copied(page, 1)
  await server.pause()
  await retitle(page, server.address, note.id, 'Моя')
  await expect(bar(page)).toHaveText('Нет сети. Изменений ждёт: 1')

  for (const name of await readdir(server.dataDir)) await rm(join(server.dataDir, name), { recursive: true })
  await cp(backup, server.dataDir, { recursive: true })
  await rm(backup, { recursive: true })
  await page.context().setOffline(true)
  await server.resume()
  expect(await saveElsewhere('Чужая')).toBe(seen)
  await page.context().setOffline(false)
  await expect(bar(page)).toHaveText('Нужно решить: 1', { timeout: 40_000 })
  const titles = async () =>
    (await serverItems(server.address, account, '/notes/')).results.map(({ title }) => title)
  expect(await titles()).toEqual(['Чужая'])
  await bar(page).getByRole('button').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Выбрать' }).click()
  const choice = page.getByRole('dialog').filter({ hasText: 'Сохранить мой' })
  await expect(choice.getByText('Чужая', { exact: true }).first()).toBeVisible()
  await choice.getByRole('button', { name: 'Сохранить мой' }).click()
  await expect(bar(page)).toBeEmpty({ timeout: 40_000 })
  expect(await titles()).toEqual(['Моя'])
})

test('a pin that the server refuses is given up without the text that was saved after it', async ({
  page,
  serve,
  register,
}) => {
  const server = await serve(ownPort())
  const account = await register(server.address)
  const note = await account.addNote({ title: 'Было', tags: ['два', 'один'] })
  await signIn(page, account.session)
  await page.goto(`${server.address}/home`)
  await copied(page, 1)
  await server.pause()
  await page.goto(`${server.address}/notes`)
  await page.getByRole('checkbox', { name: 'Выбрать «Было»' }).check()
  await page.getByRole('region', { name: 'Выбранное' }).getByRole('button', { name: 'Закрепить' }).click()
  await expect(bar(page)).toHaveText('Нет сети. Изменений ждёт: 1')
  await retitle(page, server.address, note.id, 'Моё длинное')
  await page.context().setOffline(true)
  await server.resume()
  const headers = { authorization: `Bearer ${account.session.access_token}` }
  const removal = await fetch(`${server.address}/api/v1/notes/${note.id}/`, { method: 'DELETE', headers })
  expect(removal.status).toBe(204)
  await page.context().setOffline(false)
  await expect(bar(page)).toHaveText('Нужно решить: 1', { timeout: 40_000 })
  await bar(page).getByRole('button').click()
  const rows = page.getByRole('dialog').getByRole('listitem')
  await expect(rows.last()).toContainText('Ждёт решения о другом изменении.')
  await rows.first().getByRole('button', { name: 'Отказаться' }).click()
  const question = page.getByRole('dialog', { name: 'Отказаться от изменения?' })
  await question.getByRole('button', { name: 'Отказаться' }).click()
  await expect(rows).toHaveCount(1)
  await expect(rows).not.toContainText('Ждёт решения')
  await rows.getByRole('button', { name: 'Исправить' }).click()
  await expect(page).toHaveURL(`${server.address}/notes/add`)
  await expect(page.getByLabel('Название')).toHaveValue('Моё длинное')
  // Its tags too, which nothing else tells any more.
  await page.getByRole('button', { name: 'Сохранить', exact: true }).click()
  await expect(rowOf(page, 'Моё длинное')).toContainText('два')
  await expect(rowOf(page, 'Моё длинное')).toContainText('один')
})

/** Leaves of local storage what a browser does that is killed: what came in the last seconds is not on the disk yet. */
const forgetLate = (page: Page) =>
  page.evaluate(() => {
    for (const key of ['waiting', 'offline']) localStorage.removeItem(key)
  })

test('what waits is there after the browser was killed: in the top bar, at its item, and for the question of a sign-out', async ({
  page,
  serve,
  register,
}) => {
  const server = await serve(ownPort())
  const account = await register(server.address)
  await signIn(page, account.session)
  await page.goto(`${server.address}/home`)
  await copied(page, 0)
  await server.pause()
  await addNote(page, server.address, 'В метро')
  await rowOf(page, 'В метро').getByRole('link', { name: 'Открыть заметку «В метро»' }).click()
  const article = page.getByRole('article').first()
  await expect(article).toContainText('Ждёт отправки')
  await forgetLate(page)
  await page.reload()
  // Sooner than the copy would begin to follow the server.
  await expect(bar(page)).toHaveText('Нет сети. Изменений ждёт: 1', { timeout: 5_000 })
  await expect(article).toContainText('Ждёт отправки')

  await forgetLate(page)
  await page.getByRole('button', { name: 'Добавить или выйти' }).click()
  await page.getByRole('menuitem', { name: 'Выйти' }).click()
  const question = page.getByText('Не отправлено изменений: 1. Если выйти сейчас, они пропадут.')
  await expect(question).toBeVisible()
  await page.getByRole('region', { name: 'Сообщения' }).getByRole('button', { name: 'Выйти' }).click()
  await expect(page.getByRole('button', { name: 'Войти' })).toBeVisible()
  await expect.poll(() => contents(page)).toEqual([SIGNED_OUT])
})

/** Has local storage know that something waits only between a request for a note and the server's response. */
const holdNotes = (): void => {
  for (const key of ['waiting', 'offline']) localStorage.removeItem(key)
  const { fetch } = window
  window.fetch = async (...asked) => {
    const response = await fetch(...asked)
    if (/\/notes\/[\da-f-]{36}\/$/.test(response.url))
      while (localStorage.getItem('waiting') === null) await new Promise((resolve) => setTimeout(resolve, 20))
    return response
  }
}

for (const isLate of [false, true])
  test(`the form of a note that waits is not called that of a deleted one after the browser was killed${isLate ? ', however late the server says so' : ''}`, async ({
    page,
    serve,
    register,
  }) => {
    const server = await serve(ownPort())
    const account = await register(server.address)
    await signIn(page, account.session)
    await page.goto(`${server.address}/home`)
    await copied(page, 0)
    await server.pause()
    await addNote(page, server.address, 'В метро')
    await rowOf(page, 'В метро').getByRole('link', { name: 'Открыть заметку «В метро»' }).click()
    await page.getByRole('link', { name: 'Редактировать' }).click()
    await expect(page.getByLabel('Название')).toHaveValue('В метро')
    await forgetLate(page)
    await server.resume()
    if (isLate) await page.addInitScript(holdNotes)
    await page.reload()
    await expect(page.getByLabel('Название')).toHaveValue('В метро')
    await expect(page.getByText('Заметка не найдена')).toHaveCount(0)
    await page.getByLabel('Название').fill('В метро и дома')
    await page.getByRole('button', { name: 'Сохранить' }).click()
    await expect(page.getByRole('heading', { name: 'В метро и дома' })).toBeVisible()
    const titles = async () =>
      (await serverItems(server.address, account, '/notes/')).results.map(({ title }) => title)
    await expect.poll(titles, { timeout: 40_000 }).toEqual(['В метро и дома'])
  })

test('a change that waits is sent after the process of the browser was killed as soon as it was saved', async ({
  serve,
  register,
}) => {
  const server = await serve(ownPort())
  const account = await register(server.address)
  const browser = await ownBrowser()
  try {
    const first = await browser.start()
    await signIn(first, account.session)
    await first.goto(`${server.address}/home`)
    await copied(first, 0)
    // The sign-in is on the disk then, as it is a few seconds later.
    await browser.close()

    const page = await browser.start()
    await page.goto(`${server.address}/home`)
    await server.pause()
    await addNote(page, server.address, 'В метро')
    await expect(rowOf(page, 'В метро')).toContainText('Ждёт отправки')
    await browser.kill()

    const restarted = await browser.start()
    await restarted.goto(`${server.address}/notes`)
    await expect(bar(restarted)).toHaveText('Нет сети. Изменений ждёт: 1')
    await expect(rowOf(restarted, 'В метро')).toContainText('Ждёт отправки')
    await browser.kill()

    await server.resume()
    await (await browser.start()).goto(`${server.address}/notes`)
    const titles = async () =>
      (await serverItems(server.address, account, '/notes/')).results.map(({ title }) => title)
    await expect.poll(titles, { timeout: 40_000 }).toEqual(['В метро'])
  } finally {
    await browser.remove()
  }
})

test('a change that cannot be read holds no other up, and shows what is left of it until it is given up', async ({
  page,
  serve,
  register,
}) => {
  const server = await serve(ownPort())
  const account = await register(server.address)
  await signIn(page, account.session)
  await page.goto(`${server.address}/home`)
  await copied(page, 0)
  await server.pause()
  for (const title of ['Первая', 'Вторая']) await addNote(page, server.address, title)
  // As a newer version of the page may have kept it, or a disk that fails.
  await page.evaluate(async (name) => {
    const opening = indexedDB.open(name)
    await new Promise((resolve) => opening.addEventListener('success', resolve))
    const transaction = opening.result.transaction('outbox', 'readwrite')
    transaction.objectStore('outbox').put({ title: 'Сломанная', change: { action: 'create' } }, 0)
    await new Promise((resolve) => transaction.addEventListener('complete', resolve))
    opening.result.close()
  }, DATABASE)
  await page.reload()
  await expect(bar(page)).toHaveText('Нет сети. Изменений ждёт: 3')
  await server.resume()
  await expect(bar(page)).toHaveText('Нужно решить: 1', { timeout: 40_000 })
  const titles = async () =>
    (await serverItems(server.address, account, '/notes/?sort=title')).results.map(({ title }) => title)
  expect(await titles()).toEqual(['Вторая', 'Первая'])

  await bar(page).getByRole('button').click()
  const row = page.getByRole('dialog', { name: 'Нужно решить' }).getByRole('listitem')
  await expect(row).toContainText('Изменение, которое не читается')
  await expect(row).toContainText('Сломанная')
  await row.getByRole('button', { name: 'Отказаться' }).click()
  const question = page.getByRole('dialog', { name: 'Отказаться от изменения?' })
  await question.getByRole('button', { name: 'Отказаться' }).click()
  await expect(row).toHaveCount(0)
  await page.getByRole('button', { name: 'Закрыть' }).click()
  await expect(bar(page)).toBeEmpty()
  expect((await stored(page))?.outbox).toEqual([])
})

test('a change whose file the disk has lost holds no other up', async ({ serve, register }) => {
  const server = await serve(ownPort())
  const account = await register(server.address)
  const browser = await ownBrowser()
  try {
    const page = await browser.start()
    await signIn(page, account.session)
    await page.goto(`${server.address}/home`)
    await copied(page, 0)
    await server.pause()
    // Chromium keeps in a file of its own what is so long, also when it is compressed.
    const text =
      randomBytes(100_000)
        .toString('base64')
        .match(/.{1,9}/g)
        ?.join(' ') ?? ''
    await page.goto(`${server.address}/notes/add`)
    await page.getByLabel('Название').fill('Длинная')
    await page.getByRole('textbox', { name: 'Содержание' }).fill(text)
    await page.getByRole('button', { name: 'Сохранить' }).click()
    await expect(page).toHaveURL(`${server.address}/notes`)
    await addNote(page, server.address, 'Короткая')
    await browser.close()
    await browser.loseFiles()

    const restarted = await browser.start()
    await restarted.goto(`${server.address}/notes`)
    await expect(bar(restarted)).toHaveText('Нет сети. Изменений ждёт: 2')
    await server.resume()
    await expect(bar(restarted)).toHaveText('Нужно решить: 1', { timeout: 40_000 })
    const { results } = await serverItems(server.address, account, '/notes/')
    expect(results.map(({ title }) => title)).toEqual(['Короткая'])
    await bar(restarted).getByRole('button').click()
    const dialog = restarted.getByRole('dialog', { name: 'Нужно решить' })
    await expect(dialog.getByRole('listitem')).toContainText('Изменение, которое не читается')
  } finally {
    await browser.remove()
  }
})

/** Has the page count how often it reads all that waits. */
const countReadings = (): void => {
  const { getAll } = IDBObjectStore.prototype
  const { dataset } = document.documentElement
  IDBObjectStore.prototype.getAll = function (...what) {
    if (this.name === 'outbox') dataset.readings = String(Number(dataset.readings ?? 0) + 1)
    return getAll.apply(this, what)
  }
}

test('the list of what waits reads it once, and keeps the focus when a change is given up', async ({
  page,
  serve,
  register,
}) => {
  const server = await serve(ownPort())
  const account = await register(server.address)
  await signIn(page, account.session)
  await page.goto(`${server.address}/home`)
  await copied(page, 0)
  await server.pause()
  for (const title of ['Первая', 'Вторая', 'Третья']) await addNote(page, server.address, title)
  await page.evaluate(countReadings)
  await bar(page).getByRole('button').click()
  const dialog = page.getByRole('dialog', { name: 'Ждут отправки' })
  const rows = dialog.getByRole('listitem')
  await expect(rows).toHaveText([/Первая/, /Вторая/, /Третья/])
  expect(await page.evaluate(() => document.documentElement.dataset.readings)).toBe('1')

  const giveUp = async (title: string) => {
    await rows.filter({ hasText: title }).getByRole('button', { name: 'Отказаться' }).press('Enter')
    const question = page.getByRole('dialog', { name: 'Отказаться от изменения?' })
    await question.getByRole('button', { name: 'Отказаться' }).press('Enter')
    await expect(rows.filter({ hasText: title })).toHaveCount(0)
  }
  const discardOf = (title: string) =>
    rows.filter({ hasText: title }).getByRole('button', { name: 'Отказаться' })
  await giveUp('Первая')
  await expect(discardOf('Вторая')).toBeFocused()
  await giveUp('Третья')
  await expect(discardOf('Вторая')).toBeFocused()
  await giveUp('Вторая')
  await expect(dialog.getByRole('button', { name: 'Закрыть' })).toBeFocused()
})
