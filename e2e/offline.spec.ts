import { createServer } from 'node:http'
import { errors, type Page, type Request } from '@playwright/test'
import { otherBuild } from './builds.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, signIn, storedDrafts, test } from './fixtures.ts'
import { cached, ownPort, versionOf } from './offline-page.ts'
import { png } from './picture-files.ts'

/** Resolves once the page would open without a server as well. */
const kept = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    await navigator.serviceWorker.ready
    if (!navigator.serviceWorker.controller)
      await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve))
    // And knows who is signed in.
    while (localStorage.getItem('profile') === null) await new Promise((resolve) => setTimeout(resolve, 50))
  })

/**
 * Reloads a tab, or opens the address in another one. Under a debugger, as here, Chromium never ends some reloads after a worker was
 * replaced (13 of fewer than 3,200, of a document of one line as well; none of 2,320 without a debugger), and the tab responds to nothing any more.
 */
const reloaded = async (tab: Page): Promise<Page> => {
  try {
    await tab.reload({ timeout: 20_000 })
    return tab
  } catch (error) {
    if (!(error instanceof errors.TimeoutError)) throw error
    const other = await tab.context().newPage()
    await other.goto(tab.url())
    await tab.close()
    return other
  }
}

const noNetwork = (page: Page) => page.getByRole('banner').getByText('Нет сети', { exact: true })
const COMES = 'Нет сети. Загрузим, как только сервер ответит.'

test.use({ serviceWorkers: 'allow' })

test.beforeEach(({ expectedInConsole }) => void expectedInConsole.push(/Failed to load resource/))

for (const viewport of [
  { width: 1280, height: 800 },
  { width: 320, height: 568 },
]) {
  test(`a new tab opens signed in without a server, and goes on by itself once there is one, ${viewport.width} wide`, async ({
    page,
    context,
    serve,
    register,
  }) => {
    test.slow()
    const server = await serve(ownPort())
    const account = await register(server.address)
    await account.addNote({ title: 'Сохранённое' })
    await signIn(page, account.session)
    await page.goto(`${server.address}/home`)
    await expect(page.getByRole('article')).toContainText('Сохранённое')
    await expect(noNetwork(page)).toBeHidden()
    await kept(page)
    await server.pause()

    const tab = await context.newPage()
    await tab.setViewportSize(viewport)
    // What the copy of the account has not (offline-copy.spec.ts).
    for (const path of ['/trash', '/profile/history', '/profile/duplicates']) {
      await tab.goto(server.address + path)
      await expect(noNetwork(tab)).toBeVisible()
      await expect(tab.getByText(COMES)).toBeVisible()
    }
    await expectAccessible(tab)
    await expectNoSidewaysScroll(tab)
    await tab.getByRole('button', { name: 'Открыть меню' }).click()
    await expect(tab.getByRole('dialog').getByText(account.email)).toBeVisible()

    await tab.goto(`${server.address}/notes`)
    await expect(noNetwork(tab)).toBeVisible()
    await server.resume()
    await expect(tab.getByRole('article')).toContainText('Сохранённое', { timeout: 20_000 })
    await expect(noNetwork(tab)).toBeHidden()
  })
}

test('every screen opens without a server', async ({ page, context, serve, register }) => {
  test.slow()
  const server = await serve(ownPort())
  await signIn(page, (await register(server.address)).session)
  await page.goto(`${server.address}/home`)
  await kept(page)
  await server.pause()
  const tab = await context.newPage()
  for (const [path, role, name] of [
    ['/notes/add', 'textbox', 'Содержание'],
    ['/urllinks/add', 'textbox', 'Описание'],
    ['/profile/data', 'heading', 'Данные'],
    ['/profile/programs', 'heading', 'Программы'],
    ['/trash', 'heading', 'Корзина'],
    ['/privacy', 'heading', 'Политика конфиденциальности'],
    ['/unknown', 'heading', 'Главная'],
  ] as const) {
    await tab.goto(server.address + path)
    await expect(tab.getByRole(role, { name }).first()).toBeVisible()
    if (path === '/profile/data')
      await expect(
        tab.getByText('Нет сети. Импорт, экспорт и удаление учётной записи работают только с сервером.'),
      ).toBeVisible()
  }
  // What is typed is a draft, here as well.
  await tab.goto(`${server.address}/notes/add`)
  await tab.getByLabel('Название').fill('В метро')
  tab.once('dialog', (dialog) => dialog.accept())
  await tab.reload()
  await expect(tab.getByLabel('Название')).toHaveValue('В метро')
  tab.once('dialog', (dialog) => dialog.accept())
  await tab.goto(`${server.address}/home`)
  await tab.getByRole('button', { name: 'Открыть меню' }).click()
  await expect(tab.getByRole('dialog').getByRole('link', { name: 'Категории' })).toBeVisible()
})

test('English says it too', async ({ page, context, serve, register }) => {
  const server = await serve(ownPort())
  await signIn(page, (await register(server.address)).session)
  await page.goto(`${server.address}/home`)
  await page.evaluate(() => localStorage.setItem('language', 'en'))
  await kept(page)
  await server.pause()
  const tab = await context.newPage()
  await tab.goto(`${server.address}/trash`)
  await expect(tab.getByRole('banner').getByText('No network', { exact: true })).toBeVisible()
  await expect(tab.getByText('No network. This loads as soon as the server responds.')).toBeVisible()
})

test('tokens that ran out without a server are renewed once there is one', async ({
  page,
  context,
  serve,
  register,
}) => {
  const server = await serve(ownPort())
  const account = await register(server.address)
  await account.addNote({ title: 'Сохранённое' })
  await signIn(page, account.session)
  await page.goto(`${server.address}/home`)
  await kept(page)
  // As far as the server knows, this one has run out.
  await page.evaluate(() => localStorage.setItem('access_token', 'dead'))
  await server.pause()
  const tab = await context.newPage()
  await tab.goto(`${server.address}/trash`)
  await expect(tab.getByText(COMES)).toBeVisible()
  await server.resume()
  await expect(tab.getByText('В корзине пусто')).toBeVisible({ timeout: 20_000 })
  expect(await tab.evaluate(() => localStorage.getItem('access_token'))).not.toBe('dead')
})

for (const [name, status] of [
  ['a server that does not respond in time', undefined],
  ['a proxy whose server is asleep', 502],
  ['a proxy that knows no server by this name while it is stopped', 404],
] as const) {
  test(`${name} opens the page, and signs nobody out`, async ({ page, context, serve, register }) => {
    const server = await serve(ownPort())
    const account = await register(server.address)
    await signIn(page, account.session)
    await page.goto(`${server.address}/home`)
    await kept(page)
    // The profile is then asked for four times, and given up: nobody is signed out for that.
    await page.evaluate(() => localStorage.removeItem('profile'))
    await server.pause()
    let asked = 0
    const other = createServer((request, response) => {
      if (request.url?.endsWith('/users/me/')) asked += 1
      if (status !== undefined)
        response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Away</h1>')
    })
    await new Promise<void>((done) => other.listen(Number(new URL(server.address).port), '127.0.0.1', done))
    const tab = await context.newPage()
    await tab.goto(`${server.address}/notes`)
    await expect(tab.getByRole('heading', { name: 'Заметки' })).toBeVisible()
    if (status !== undefined) {
      await expect(noNetwork(tab)).toBeVisible()
      await expect.poll(() => asked, { timeout: 30_000 }).toBe(4)
      await expect(tab).toHaveURL(`${server.address}/notes`)
    }
    await tab.close()
    await page.close()
    other.closeAllConnections()
    await new Promise((done) => other.close(done))
  })
}

test('an open page keeps its version and what is typed; the next one that opens is of the new version', async ({
  page,
  context,
  serve,
  register,
}) => {
  test.setTimeout(600_000)
  const other = await otherBuild()
  const server = await serve(ownPort())
  await signIn(page, (await register(server.address)).session)
  await page.goto(`${server.address}/notes/add`)
  await kept(page)
  const before = await versionOf(page)
  const document = await page.evaluate(() => performance.timeOrigin)
  await page.getByLabel('Название').fill('Недописанное')

  await server.pause()
  await server.resume(other.bundle)
  let tab = await context.newPage()
  await tab.goto(`${server.address}/home`)
  await expect(tab.getByText('Пока ни одной заметки')).toBeVisible()
  const after = await versionOf(tab)
  expect(after).not.toBe(before)
  // The new version is kept beside the old one, of which a page is open.
  await expect.poll(async () => (await cached(tab))[after]?.length).toBe((await cached(tab))[before]?.length)
  // The active worker is the new one only once no other is on its way. It takes over when the old one has nothing to do, which each
  // try gives it an occasion to see, or after five minutes (kMaxLameDuckTime in Chromium's service_worker_registration.cc). A response
  // of the old one of which nobody reads the body is something to do.
  const workers = () =>
    tab.evaluate(async () => {
      await (await fetch('/favicon.svg')).text()
      const { installing, waiting, active } = (await navigator.serviceWorker.getRegistration()) ?? {}
      return [installing, waiting, active].map((worker) => worker?.state)
    })
  await expect.poll(workers, { timeout: 330_000 }).toEqual([undefined, undefined, 'activated'])
  tab = await reloaded(tab)
  await expect(tab.getByText('Пока ни одной заметки')).toBeVisible()

  // Chunks that only the old version has, and that its page has not loaded so far.
  await page.bringToFront()
  await page.getByRole('textbox', { name: 'Содержание' }).click()
  await page.keyboard.type('Текст')
  await page.getByRole('button', { name: 'Добавить или выйти' }).click()
  await expect(page.getByRole('menuitem', { name: 'Выйти' })).toBeVisible()
  await page.keyboard.press('Escape')
  expect(await page.evaluate(() => performance.timeOrigin)).toBe(document)
  expect(await versionOf(page)).toBe(before)
  await expect(page.getByLabel('Название')).toHaveValue('Недописанное')

  page.once('dialog', (dialog) => dialog.accept())
  await page.reload()
  expect(await versionOf(page)).toBe(after)
  await expect(page.getByLabel('Название')).toHaveValue('Недописанное')

  // No page has the old version any more, and the new one opens without a server.
  // A page that does not say in time of what version it is keeps all of them until the next opening.
  await expect(async () => {
    await tab.goto(`${server.address}/notes`)
    expect(Object.keys(await cached(tab))).toEqual([after])
  }).toPass()
  await server.pause()
  await tab.goto(`${server.address}/notes`)
  await expect(noNetwork(tab)).toBeVisible()
  expect(await versionOf(tab)).toBe(after)
  await other.remove()
})

test('of whoever signed out nothing is left in this browser', async ({
  page,
  context,
  serve,
  register,
  logOut,
  logIn,
}) => {
  const server = await serve(ownPort())
  const account = await register(server.address)
  const drawn = `<img src="data:image/png;base64,${png(40, 30).toString('base64')}" alt="Лицо Анны">`
  const note = await account.addNote({ title: 'Дневник Анны', content: `<p>Тайна</p><p>${drawn}</p>` })
  const [, picture = 'not a file'] = /\/api\/v1\/files\/([^/]+)\//.exec(note.content) ?? []
  const other = await register(server.address)
  await signIn(page, account.session)
  await page.goto(`${server.address}/home`)
  await kept(page)
  await page.goto(`${server.address}/notes/${note.id}`)
  await expect(page.getByText('Тайна')).toBeVisible()
  await expect(page.locator('img[src^="blob:"]')).toBeVisible()

  // What is typed and not saved is kept for her, also after a sign-out: a draft.
  await page.goto(`${server.address}/notes/add`)
  await page.getByLabel('Название').fill('Набросок Анны')
  await expect.poll(() => storedDrafts(page)).toContain('Набросок Анны')
  page.once('dialog', (dialog) => dialog.accept())
  await page.goto(`${server.address}/home`)

  /** Everything that the browser keeps for the page, as text. */
  const remains = () =>
    page.evaluate(async () => {
      const found: string[] = [JSON.stringify({ ...localStorage })]
      for (const name of await caches.keys()) {
        const cache = await caches.open(name)
        for (const request of await cache.keys()) {
          const response = await cache.match(request)
          found.push(`${request.url} ${await response?.text()}`)
        }
      }
      for (const { name = '' } of await indexedDB.databases()) {
        const database = await new Promise<IDBDatabase>((resolve, reject) => {
          const opening = indexedDB.open(name)
          opening.onsuccess = () => resolve(opening.result)
          opening.onerror = () => reject(opening.error)
        })
        for (const store of database.objectStoreNames) {
          const reading = database.transaction(store).objectStore(store).getAll()
          await new Promise((resolve) => {
            reading.onsuccess = resolve
          })
          found.push(JSON.stringify(reading.result))
        }
        database.close()
      }
      return found.join('\n')
    })
  const OF_ANNA = ['Дневник Анны', 'Тайна', account.email, note.id, picture, account.session.access_token]
  /** Whether the browser's own cache has the picture. */
  const hasPicture = () =>
    page.evaluate(
      (address) =>
        fetch(address, { cache: 'only-if-cached', mode: 'same-origin' }).then(
          ({ ok }) => ok,
          () => false,
        ),
      `/api/v1/files/${picture}/`,
    )
  const expectNothing = async () => {
    const found = async () => {
      const text = await remains()
      return OF_ANNA.filter((secret) => text.includes(secret))
    }
    expect(await hasPicture()).toBe(false)
    // The copy of the account goes in moments.
    await expect.poll(found).toEqual([])
    for (const paths of Object.values(await cached(page)))
      expect(paths.filter((path) => !/^\/(?:$|assets\/|icons\/|favicon|manifest)/.test(path))).toEqual([])
  }
  await expect.poll(remains).toContain(picture)
  await logOut()
  await expectNothing()
  const hasDraft = async () => (await remains()).includes('Набросок Анны')
  expect(await hasDraft()).toBe(true)

  await logIn(other)
  await expect(page.getByText('Пока ни одной заметки')).toBeVisible()
  await expectNothing()
  // Another user's sign-in ends that.
  await expect.poll(hasDraft, { timeout: 20_000 }).toBe(false)
  await server.pause()
  const tab = await context.newPage()
  await tab.goto(`${server.address}/notes/${note.id}`)
  await expect(noNetwork(tab)).toBeVisible()
  await expect(tab.getByText(COMES)).toBeVisible()
  await expect(tab.getByText('Тайна')).toBeHidden()

  await logOut(tab)
  await tab.goto(`${server.address}/home`)
  await expect(tab).toHaveURL(/\/auth\/login/)
  await expect(tab.getByLabel('Email')).toBeVisible()
})

test('a live server keeps doing everything itself but for files of the build', async ({
  signedIn: page,
  account,
  baseURL,
}) => {
  await account.addNote({ title: 'Сохранённое' })
  await page.goto('/home')
  await kept(page)
  const requests: Request[] = []
  page.on('request', (request) => requests.push(request))
  const response = await page.reload()
  await expect(page.getByRole('article')).toContainText('Сохранённое')
  const alone = await fetch(`${baseURL}/home`)
  expect(response?.headers()['content-security-policy']).toBe(alone.headers.get('content-security-policy'))
  // The copy of the account follows in the background.
  const calls = () => requests.filter((request) => /\/api\/(?!v1\/changes\/)/.test(request.url()))
  await expect
    .poll(() =>
      calls()
        .map((call) => new URL(call.url()).pathname)
        .sort(),
    )
    .toEqual(['/api/v1/latest/', '/api/v1/users/me/'])
  for (const call of calls()) expect((await call.response())?.fromServiceWorker()).toBe(false)

  for (const path of ['/api/docs', '/healthz', '/robots.txt', '/.well-known/security.txt']) {
    const answer = await page.goto(path)
    expect(answer?.fromServiceWorker(), path).toBe(false)
    expect(answer?.status()).toBe(200)
  }
})
