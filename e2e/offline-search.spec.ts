import type { Page } from '@playwright/test'
import { expect, message, signIn, test } from './fixtures.ts'
import { ownPort } from './offline-page.ts'

/** How many items the index of the copy knows; undefined before it was kept. */
const indexed = (page: Page): Promise<number | undefined> =>
  page.evaluate(async () => {
    await navigator.serviceWorker.ready
    // To open it would create it.
    if (!(await indexedDB.databases()).some(({ name }) => name === 'kopilka-offline')) return undefined
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('kopilka-offline')
      opening.onsuccess = () => resolve(opening.result)
      opening.onerror = () => reject(opening.error)
    })
    const reading = database.transaction('keptIndex').objectStore('keptIndex').get('index')
    await new Promise((resolve) => {
      reading.onsuccess = resolve
    })
    database.close()
    return reading.result?.items.length
  })

/** What a search shows: the items, and the words in them that are marked. */
async function read(page: Page, address: string, text: string) {
  await page.goto(`${address}/notes?search=${encodeURIComponent(text)}`)
  const items = page.getByRole('article')
  await expect(items.first()).toBeVisible()
  return { items: await items.allTextContents(), marked: await items.locator('mark').allTextContents() }
}

/** Keeps searches from the worker until they are let go, and counts on the document those that were given up. */
const holdSearches = (): void => {
  const { postMessage } = Worker.prototype
  const held: (() => void)[] = []
  let isHeld = true
  Worker.prototype.postMessage = function (this: Worker, ...[message, transfer]: unknown[]) {
    const send = () => Reflect.apply(postMessage, this, [message, transfer])
    const isSearch =
      typeof message === 'object' && message && 'method' in message && message.method === 'search'
    if (!isSearch || !isHeld) return send()
    held.push(send)
    document.documentElement.dataset.searches = `${held.length}`
  }
  addEventListener('let-go', () => {
    isHeld = false
    for (const send of held) send()
  })
  const post = MessagePort.prototype.postMessage
  MessagePort.prototype.postMessage = function (this: MessagePort, ...what: unknown[]) {
    const { dataset } = document.documentElement
    if (what[0] === 'abort') dataset.aborted = `${Number(dataset.aborted ?? 0) + 1}`
    return Reflect.apply(post, this, what)
  }
}

const QUERIES = ['записками', 'запис', '"о тесте"', 'tag:кухня', 'pfgbcrf', 'запсика', 'мука неведомое']

test.use({ serviceWorkers: 'allow' })

test('a search without a server finds what the server finds, and what was written since', async ({
  page,
  context,
  serve,
  register,
  expectedInConsole,
}) => {
  test.slow()
  expectedInConsole.push(/Failed to load resource/)
  const server = await serve(ownPort())
  const account = await register(server.address)
  const note = await account.addNote({
    title: 'Пироги',
    content: '<p>Записки о тесте и начинках</p>',
    tags: ['Кухня'],
  })
  await account.addNote({ title: 'Записка', content: '<p>Купить муку</p>', tags: ['Кухня'] })
  await account.addLink({ title: 'Running notes', description: '<p>Бег по утрам</p>' })
  await signIn(page, account.session)
  await page.goto(`${server.address}/home`)
  await expect.poll(() => indexed(page), { timeout: 40_000 }).toBe(3)
  const byServer = new Map<string, Awaited<ReturnType<typeof read>>>()
  for (const text of QUERIES) byServer.set(text, await read(page, server.address, text))
  expect(byServer.get('записками')?.marked).toEqual(['Записка', 'Записки'])
  await page.close()
  await server.pause()

  const tab = await context.newPage()
  for (const [text, shown] of byServer)
    expect([text, await read(tab, server.address, text)]).toEqual([text, shown])
  await tab.goto(`${server.address}/url-links?search=run`)
  await expect(tab.getByRole('article')).toHaveText(/Running notes/)
  await tab.goto(`${server.address}/notes/${note.id}`)
  await expect(tab.getByRole('region', { name: 'Похожее' }).getByRole('link')).toHaveText(['Записка'])

  await tab.goto(`${server.address}/notes/add`)
  await tab.getByLabel('Название').fill('Новая записка')
  await tab.getByRole('textbox', { name: 'Содержание' }).click()
  await tab.keyboard.type('О мёде')
  await tab.getByRole('button', { name: 'Сохранить' }).click()
  await expect(tab).toHaveURL(`${server.address}/notes`)
  expect((await read(tab, server.address, 'мед')).marked).toEqual(['мёде'])
})

test('a search without a server is given up once another one is wanted', async ({
  page,
  context,
  serve,
  register,
  expectedInConsole,
}) => {
  test.slow()
  expectedInConsole.push(/Failed to load resource/)
  const server = await serve(ownPort())
  const account = await register(server.address)
  await account.addNote({ title: 'Пироги' })
  await account.addNote({ title: 'Записка' })
  await signIn(page, account.session)
  await page.goto(`${server.address}/home`)
  await expect.poll(() => indexed(page), { timeout: 40_000 }).toBe(2)
  await page.close()
  await server.pause()

  const tab = await context.newPage()
  await tab.addInitScript(holdSearches)
  await tab.goto(`${server.address}/notes`)
  await expect(tab.getByRole('article')).toHaveCount(2)
  const field = tab.getByLabel('Поиск по заметкам')
  const search = async (text: string) => {
    await field.fill(text)
    await field.press('Enter')
  }
  await search('пир')
  const root = tab.locator('html')
  await expect(root).toHaveAttribute('data-searches', '1')
  await search('записки')
  await expect(root).toHaveAttribute('data-searches', '2')
  await expect(root).toHaveAttribute('data-aborted', '1')
  // The screen is left.
  await tab.getByRole('link', { name: 'Копилка' }).first().click()
  await expect(root).toHaveAttribute('data-aborted', '2')
  await tab.evaluate(() => dispatchEvent(new Event('let-go')))
  await tab.goBack()
  await expect(tab.getByRole('article')).toHaveText(/Записка/)
  await expect(tab.getByRole('article')).toHaveCount(1)
})

test('a search that fails without a server says so as its screen does', async ({
  page,
  context,
  serve,
  register,
  expectedInConsole,
}) => {
  expectedInConsole.push(/Failed to load resource/)
  const server = await serve(ownPort())
  const account = await register(server.address)
  await account.addNote({ title: 'Пироги' })
  await signIn(page, account.session)
  await page.goto(`${server.address}/home`)
  await expect.poll(() => indexed(page), { timeout: 40_000 }).toBe(1)
  await page.close()
  await server.pause()

  const tab = await context.newPage()
  // The worker that searches does not start.
  await tab.addInitScript(() => Object.assign(window, { Worker: undefined }))
  await tab.goto(`${server.address}/home?search=пирог`)
  await expect(message(tab, 'Произошла ошибка при поиске.')).toBeVisible()
  await tab.goto(`${server.address}/notes?search=пирог`)
  await expect(message(tab, 'Ошибка при загрузке заметок.')).toBeVisible()
  await tab.goto(`${server.address}/url-links?search=пирог`)
  await expect(tab.getByRole('main').getByRole('alert')).toContainText('Ошибка при загрузке ссылок.')
})
