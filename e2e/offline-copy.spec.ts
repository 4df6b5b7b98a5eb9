import { randomBytes } from 'node:crypto'
import { accounts } from '@kopilka/contract/accounts.ts'
import { API_PREFIX } from '@kopilka/contract/endpoint.ts'
import type { Page } from '@playwright/test'
import {
  type Account,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  message,
  signIn,
  snackbar,
  storedDrafts,
  test,
} from './fixtures.ts'
import { nthMessage } from './mail.ts'
import {
  addNote,
  bar,
  contents,
  copied,
  DATABASE,
  ownPort,
  retitle,
  SIGNED_OUT,
  serverItems,
  stored,
} from './offline-page.ts'
import { png } from './picture-files.ts'
import { startSilencedLine } from './silenced-line.ts'

/** Changes what the database says of its copy. */
const changeOwner = (page: Page, changed: { isWhole: boolean }): Promise<void> =>
  page.evaluate(
    async ([name, changed]) => {
      const opening = indexedDB.open(name)
      await new Promise((resolve) => {
        opening.onsuccess = resolve
      })
      const database = opening.result
      const owners = database.transaction('owner', 'readwrite').objectStore('owner')
      const reading = owners.get('owner')
      await new Promise((resolve) => {
        reading.onsuccess = resolve
      })
      const writing = owners.put({ ...reading.result, ...changed }, 'owner')
      await new Promise((resolve) => {
        writing.transaction?.addEventListener('complete', resolve)
      })
      database.close()
    },
    [DATABASE, changed] as const,
  )

/** Has the page hear of no changes. */
const holdChanges = (): void => {
  const { fetch } = window
  window.fetch = (...asked) =>
    String(asked[0]).includes('/changes/') ? new Promise(() => {}) : fetch(...asked)
}

/** Has the tab be hidden, where timers hardly run, once it asks for what its copy is to have. */
const hideCopying = (): void => {
  const { fetch } = window
  window.fetch = (...asked) => {
    if (String(asked[0]).includes('/changes/')) {
      Object.defineProperty(document, 'hidden', { value: true, configurable: true })
      Object.assign(window, { setTimeout: () => 0 })
    }
    return fetch(...asked)
  }
}

/** Has the server say that it cannot take new notes now. */
const putOffCreations = (): void => {
  const { fetch } = window
  window.fetch = async (...asked) =>
    asked[1]?.method === 'POST' && String(asked[0]).endsWith('/notes/')
      ? new Response('{}', { status: 503, headers: { 'Content-Type': 'application/json' } })
      : fetch(...asked)
}

/** Has the server not know the session any more, which the page learns with the next call. */
const expireSession = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const key of ['access_token', 'refresh_token']) localStorage.setItem(key, 'dead')
  })

/** What the privacy policy says of all that a page with a copy keeps, by the names of keys and databases. */
const SAID: Readonly<Record<string, readonly [ru: string, en: string]>> = {
  access_token: ['ключи входа', 'the keys of your sign-in'],
  refresh_token: ['ключи входа', 'the keys of your sign-in'],
  signed_in_at: ['время входа', 'the keys of your sign-in, its time'],
  profile: ['ваши имя, фамилия и email', 'your first and last name and email'],
  language: ['выбранный язык', 'the language you chose'],
  offline: ['чья это копия (offline)', 'whose copy it is (offline)'],
  waiting: ['сколько изменений ждёт отправки (waiting)', 'how many changes wait to be sent (waiting)'],
  'kopilka-offline': [
    'копия всех ваших заметок, ссылок и категорий и индекс для поиска по ней (база kopilka-offline в IndexedDB)',
    'a copy of all your notes, links and categories and an index to search it (the database kopilka-offline in IndexedDB)',
  ],
  'kopilka-drafts': ['черновики того, что вы не успели сохранить', 'drafts of what you have not saved'],
}

/** Has the browser say that there is no room for items of the copy. */
const refuseItems = (): void => {
  const { put } = IDBObjectStore.prototype
  IDBObjectStore.prototype.put = function (...what) {
    if (this.name === 'items') throw new DOMException('No room', 'QuotaExceededError')
    return put.apply(this, what)
  }
}

/** Has the browser say that there is no room for changes that wait, until it is told that there is. */
const refuseChanges = (): void => {
  const { add } = IDBObjectStore.prototype
  let isFull = true
  IDBObjectStore.prototype.add = function (...what) {
    if (isFull && this.name === 'outbox') throw new DOMException('No room', 'QuotaExceededError')
    return add.apply(this, what)
  }
  addEventListener('room', () => {
    isFull = false
  })
}

/** Has the browser say that there is no room to note what a change has met, until the copy is given up. */
const refuseRefusals = (): void => {
  const { put, clear } = IDBObjectStore.prototype
  let isFull = true
  IDBObjectStore.prototype.put = function (...what) {
    if (isFull && this.name === 'outbox') throw new DOMException('No room', 'QuotaExceededError')
    return put.apply(this, what)
  }
  IDBObjectStore.prototype.clear = function () {
    isFull &&= this.name !== 'items'
    return clear.apply(this)
  }
}

/** Where this browser has drafts, as web/src/items/draft.ts names it. */
const draftPlaces = (page: Page): Promise<string[]> =>
  page.evaluate(
    () =>
      new Promise<string[]>((resolve, reject) => {
        const opening = indexedDB.open('kopilka-drafts')
        opening.onerror = () => reject(opening.error)
        opening.onsuccess = () => {
          const database = opening.result
          if (!database.objectStoreNames.contains('drafts')) return resolve([])
          const reading = database.transaction('drafts').objectStore('drafts').getAllKeys()
          reading.onsuccess = () => {
            database.close()
            resolve(reading.result.map(String))
          }
        }
      }),
  )

/** Takes an item out of the copy, as if it had been added elsewhere since. */
const forget = (page: Page, id: string): Promise<void> =>
  page.evaluate(
    ([name, id]) =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open(name)
        opening.onerror = () => reject(opening.error)
        opening.onsuccess = () => {
          const database = opening.result
          const transaction = database.transaction('items', 'readwrite')
          transaction.objectStore('items').delete(id)
          transaction.oncomplete = () => {
            database.close()
            resolve()
          }
        }
      }),
    [DATABASE, id] as const,
  )

/** Has the page learn of its service worker only once it is told to; it says when it asks. */
const holdWorker = (): void => {
  const { serviceWorker } = navigator
  const { ready } = serviceWorker
  const told = new Promise((resolve) => addEventListener('tell-worker', resolve, { once: true }))
  Object.defineProperty(serviceWorker, 'ready', {
    get: () => {
      document.documentElement.dataset.asks = 'worker'
      return told.then(() => ready)
    },
  })
}

const NO_ROOM =
  'В браузере не хватило места для копии ваших записей: без сети они не откроются. Освободите место на устройстве и обновите страницу. Изменения, которые ждут отправки, сохранены.'

/** Saves a note as another device would. */
const saveElsewhere = async (address: string, { session }: Account, id: string, title: string) => {
  const saved = await fetch(`${address}${API_PREFIX}/notes/${id}/`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${session.access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ title, content: `<p>${title}</p>` }),
  })
  expect(saved.status).toBe(200)
}

const tagNames = async (address: string, { session }: Account): Promise<string[]> => {
  const response = await fetch(`${address}${API_PREFIX}/tags/`, {
    headers: { authorization: `Bearer ${session.access_token}` },
  })
  return ((await response.json()) as { name: string }[]).map(({ name }) => name)
}

/** Deletes the item whose page is open. */
const remove = async (page: Page, address: string) => {
  await page.getByRole('button', { name: 'Удалить' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Удалить' }).click()
  await expect(page).toHaveURL(`${address}/notes`)
}

const addPicture = async (page: Page) => {
  await page.getByRole('textbox', { name: 'Содержание' }).click()
  await page.getByRole('button', { name: 'Картинка', exact: true }).click()
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Выбрать файлы' }).click()
  await (await chooser).setFiles([{ name: 'кот.png', mimeType: 'image/png', buffer: png(40, 30) }])
  await expect(page.locator('form img[src^="blob:"]')).toBeVisible()
}

test.use({ serviceWorkers: 'allow' })

test.beforeEach(({ expectedInConsole }) => {
  expectedInConsole.push(/Failed to load resource/)
  test.slow()
})

test('what was kept shows without a server: lists, items, tags, orders and filters', async ({
  page,
  context,
  serve,
  register,
}) => {
  const server = await serve(ownPort())
  const account = await register(server.address)
  const note = await account.addNote({ title: 'Тропа', content: '<p>Длинный путь</p>', tags: ['Лес'] })
  await account.addNote({ title: 'Арка' })
  await account.addNote({ title: 'Ель', tags: ['Лес'] })
  const link = await account.addLink({ title: 'Ссылка', tags: ['Дом'] })
  await signIn(page, account.session)
  await page.goto(`${server.address}/home`)
  await copied(page, 4)
  // What this page saves is kept long before the next round that comes for no reason.
  await page.getByRole('link', { name: 'Открыть заметку «Тропа»' }).click()
  await page.getByRole('link', { name: 'Редактировать' }).click()
  await page.getByLabel('Название').fill('Дорога')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(page.getByRole('heading', { name: 'Дорога' })).toBeVisible()
  await expect.poll(async () => JSON.stringify(await stored(page))).toContain('Дорога')
  await page.close()
  await server.pause()

  const tab = await context.newPage()
  await tab.setViewportSize({ width: 320, height: 568 })
  await tab.goto(`${server.address}/home`)
  const articles = tab.getByRole('article')
  await expect(articles).toHaveCount(4)
  await expect(bar(tab)).toHaveText('Нет сети')
  await expectAccessible(tab)
  await expectNoSidewaysScroll(tab)
  await tab.goto(`${server.address}/notes`)
  await expect(articles).toHaveText([/Ель/, /Арка/, /Дорога/])
  await tab.goto(`${server.address}/notes?sort=title`)
  await expect(articles).toHaveText([/Арка/, /Дорога/, /Ель/])
  await tab.goto(`${server.address}/notes/${note.id}`)
  await expect(tab.getByText('Длинный путь')).toBeVisible()
  await tab.goto(`${server.address}/urllinks/${link.id}`)
  await expect(tab.getByRole('heading', { name: 'Ссылка' })).toBeVisible()
  await tab.goto(`${server.address}/tags`)
  await expect(tab.getByText('Всего заметок: 2, Всего ссылок: 0')).toBeVisible()
  await tab.goto(`${server.address}/notes?tag=${note.tags[0]?.id}`)
  await expect(articles).toHaveText([/Ель/, /Дорога/])
  await tab.goto(`${server.address}/notes?untagged=1`)
  await expect(articles).toHaveText([/Арка/])
  await tab.goto(`${server.address}/trash`)
  await expect(tab.getByText('Нет сети. Загрузим, как только сервер ответит.')).toBeVisible()
  // A copy that is not whole has items, and no lists.
  await changeOwner(tab, { isWhole: false })
  await tab.goto(`${server.address}/notes/${note.id}`)
  await expect(tab.getByText('Длинный путь')).toBeVisible()
  await tab.goto(`${server.address}/tags/${note.tags[0]?.id}`)
  await expect(tab.getByRole('main').getByRole('alert')).toContainText('Не удалось загрузить')
  await expect(tab.getByRole('article')).toHaveCount(0)
})

test('what a page has just saved is there without a server before the copy has followed, and can be changed', async ({
  page,
  context,
  serve,
  register,
}) => {
  const server = await serve(ownPort())
  const account = await register(server.address)
  const content = '<ul data-type="taskList"><li data-checked="false"><p>хлеб</p></li></ul>'
  const changed = await account.addNote({ title: 'Было', tags: ['Лес'] })
  const ticked = await account.addNote({ title: 'Список', content })
  const pinned = await account.addNote({ title: 'Закреплённая' })
  const gone = await account.addNote({ title: 'Лишнее' })
  await signIn(page, account.session)
  await page.goto(`${server.address}/home`)
  await copied(page, 4)
  await page.addInitScript(holdChanges)
  /** The copy itself: as soon as it is there the network may go. */
  const inCopy = () =>
    expect.poll(async () => {
      const { items, texts } = (await stored(page)) ?? {}
      return JSON.stringify([items, texts])
    })
  await retitle(page, server.address, changed.id, 'Стало')
  await inCopy().toContain('"title":"Стало"')
  await addNote(page, server.address, 'Новая')
  await inCopy().toContain('"title":"Новая"')
  await page.goto(`${server.address}/notes/${gone.id}`)
  await remove(page, server.address)
  await inCopy().not.toContain('Лишнее')
  await page.goto(`${server.address}/notes/${ticked.id}`)
  await page.getByRole('checkbox', { name: 'хлеб' }).check()
  await inCopy().toContain('data-checked=\\"true\\"')
  await page.goto(`${server.address}/notes/${pinned.id}`)
  await page.getByRole('button', { name: 'Ещё', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Закрепить' }).click()
  await expect(message(page, 'Закреплено.')).toBeVisible()
  await inCopy().toContain('"pinned":true')
  await page.close()
  await server.pause()

  const tab = await context.newPage()
  await tab.goto(`${server.address}/notes?sort=title`)
  await expect(tab.getByRole('article')).toHaveText([/Закреплённая/, /Новая/, /Список/, /Стало.*Лес/])
  await tab.goto(`${server.address}/notes/${ticked.id}`)
  await expect(tab.getByRole('checkbox', { name: 'хлеб' })).toBeChecked()
  // Its versions are the server's: nothing of this is a conflict.
  for (const { id, title } of [changed, ticked, pinned])
    await retitle(tab, server.address, id, `${title} потом`)
  await server.resume()
  await expect(bar(tab)).toBeEmpty({ timeout: 40_000 })
  const { results } = await serverItems(server.address, account, '/notes/?sort=title')
  expect(results.map(({ title }) => title)).toEqual([
    ...['Закреплённая потом', 'Было потом', 'Новая', 'Список потом'],
  ])
})

test('changes that were on their way while this page saved do not set its copy back', async ({
  page,
  serve,
  register,
}) => {
  const server = await serve(ownPort())
  const account = await register(server.address)
  const note = await account.addNote({ title: 'Было' })
  await signIn(page, account.session)
  await page.goto(`${server.address}/home`)
  await copied(page, 1)
  await saveElsewhere(server.address, account, note.id, 'Чужое')
  const [onItsWay, saved] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let copy: Promise<unknown[] | undefined> | undefined
  const followed = new Promise<void>((resolve) => {
    let times = 0
    void page.route('**/api/v1/changes/**', async (route) => {
      times += 1
      if (times === 2) copy = stored(page).then((all) => all?.items)
      if (times > 1) {
        await copy
        await route.continue()
        return resolve()
      }
      const response = await route.fetch()
      onItsWay.resolve()
      await saved.promise
      await route.fulfill({ response })
    })
  })
  await page.goto(`${server.address}/notes/${note.id}/edit`)
  await onItsWay.promise
  await page.getByLabel('Название').fill('Моё')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(page.getByRole('heading', { name: 'Моё' })).toBeVisible()
  await expect.poll(async () => (await stored(page))?.items).toMatchObject([{ title: 'Моё' }])
  saved.resolve()
  // Nothing between the two requests has put the older text in the place of the newer one.
  await followed
  expect(await copy).toMatchObject([{ title: 'Моё' }])
  await expect.poll(async () => (await stored(page))?.items).toMatchObject([{ title: 'Моё' }])
})

test('what is added, changed and deleted without a server waits, survives the end of the tab, and is sent once', async ({
  page,
  context,
  serve,
  register,
}) => {
  const server = await serve(ownPort())
  const account = await register(server.address)
  const note = await account.addNote({ title: 'Было', tags: ['Лес'] })
  const gone = await account.addNote({ title: 'Лишнее' })
  await signIn(page, account.session)
  await page.goto(`${server.address}/home`)
  await copied(page, 2)
  await server.pause()

  const tab = await context.newPage()
  await addNote(tab, server.address, 'В метро')
  await expect(message(tab, 'Нет сети. Изменение сохранено в этом браузере и отправится само.')).toBeVisible()
  await expect(bar(tab)).toHaveText('Нет сети. Изменений ждёт: 1')
  await expect(tab.getByRole('article').filter({ hasText: 'В метро' })).toContainText('Ждёт отправки')
  // It can be changed before the server knows of it.
  await tab.getByRole('link', { name: 'Открыть заметку «В метро»' }).click()
  await tab.getByRole('link', { name: 'Редактировать' }).click()
  await tab.getByLabel('Название').fill('В метро 2')
  await tab.getByRole('button', { name: 'Сохранить' }).click()
  await expect(tab.getByRole('heading', { name: 'В метро 2' })).toBeVisible()
  await tab.goto(`${server.address}/notes/${note.id}/edit`)
  await tab.getByLabel('Название').fill('Стало')
  await tab.getByRole('button', { name: 'Сохранить' }).click()
  await expect(tab.getByRole('heading', { name: 'Стало' })).toBeVisible()
  await tab.goto(`${server.address}/notes/${gone.id}`)
  await tab.getByRole('button', { name: 'Удалить' }).click()
  await tab.getByRole('dialog').getByRole('button', { name: 'Удалить' }).click()
  await expect(tab).toHaveURL(`${server.address}/notes`)
  await expect(tab.getByRole('article')).toHaveCount(2)
  await expect(bar(tab)).toHaveText('Нет сети. Изменений ждёт: 4')
  // One more is given up, and a deletion taken back, before the server knows of either.
  await addNote(tab, server.address, 'Передуманная')
  await expect(tab.getByRole('article')).toHaveCount(3)
  await bar(tab).getByRole('button').click()
  const list = tab.getByRole('dialog', { name: 'Ждут отправки' })
  const row = (title: string) => list.getByRole('listitem').filter({ hasText: title })
  await expect(list.getByRole('listitem')).toContainText([
    ...['В метро', 'В метро 2', 'Стало', 'Лишнее', 'Передуманная'],
  ])
  await expectAccessible(tab)
  await row('Передуманная').getByRole('button', { name: 'Отказаться' }).click()
  const question = tab.getByRole('dialog', { name: 'Отказаться от изменения?' })
  await expect(question).toContainText('То, что вы сохранили в «Передуманная» без сети, пропадёт.')
  await question.getByRole('button', { name: 'Отказаться' }).click()
  await expect(row('Передуманная')).toHaveCount(0)
  await row('Лишнее').getByRole('button', { name: 'Не удалять' }).click()
  await expect(list.getByRole('listitem')).toContainText(['В метро', 'В метро 2', 'Стало'])
  await list.getByRole('button', { name: 'Закрыть' }).last().click()
  await expect(tab.getByRole('article')).toContainText(['В метро 2', 'Лишнее', 'Стало'])
  await expect(bar(tab)).toHaveText('Нет сети. Изменений ждёт: 3')
  await tab.goto(`${server.address}/notes/${gone.id}`)
  await remove(tab, server.address)
  await tab.close()
  await page.close()

  const again = await context.newPage()
  await again.goto(`${server.address}/notes`)
  await expect(again.getByRole('article')).toHaveCount(2)
  await expect(bar(again)).toHaveText('Нет сети. Изменений ждёт: 4')
  await server.resume()
  await expect(bar(again)).toBeEmpty({ timeout: 40_000 })
  await expect(again.getByRole('article')).toHaveCount(2)
  await expect(again.getByText('Ждёт отправки')).toHaveCount(0)
  const { results } = await serverItems(server.address, account, '/notes/?sort=title')
  expect(results.map(({ title, tags }) => [title, tags.map(({ name }) => name)])).toEqual([
    ['В метро 2', []],
    ['Стало', ['Лес']],
  ])
  await expect.poll(async () => (await stored(again))?.outbox).toEqual([])
})

test('an item that was opened before it was sent goes on under the id of the server', async ({
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
  await addNote(page, server.address, 'Новая')
  await page.getByRole('link', { name: 'Открыть заметку «Новая»' }).click()
  await expect(page.getByRole('heading', { name: 'Новая' })).toBeVisible()
  const local = page.url()
  await server.resume()
  await expect(page).not.toHaveURL(local, { timeout: 40_000 })
  const { results } = await serverItems(server.address, account, '/notes/')
  await expect(page).toHaveURL(`${server.address}/notes/${results[0]?.id}`)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Новая' })).toBeVisible()
})

test('what somebody else has changed meanwhile opens the usual choice', async ({ page, serve, register }) => {
  const server = await serve(ownPort())
  const account = await register(server.address)
  const note = await account.addNote({ title: 'Было', content: '<p>Было</p>' })
  await signIn(page, account.session)
  await page.goto(`${server.address}/home`)
  await copied(page, 1)
  await server.pause()
  await retitle(page, server.address, note.id, 'Моё')
  // One more change of the same note waits behind the one that meets the conflict.
  await retitle(page, server.address, note.id, 'Моё потом')
  await expect(bar(page)).toHaveText('Нет сети. Изменений ждёт: 2')
  // Another device comes first: this one learns of the server only when it asks again.
  await page.context().setOffline(true)
  await server.resume()
  await saveElsewhere(server.address, account, note.id, 'Чужое')
  await page.context().setOffline(false)

  await expect(
    message(page, '«Моё» изменили и в другом месте. Нажмите «Нужно решить» и выберите, что оставить.'),
  ).toBeVisible({
    timeout: 40_000,
  })
  await expect(bar(page)).toHaveText('Нужно решить: 1')
  // Nothing can be sent, so that screens show what the server has.
  await account.addNote({ title: 'С телефона' })
  await page.goto(`${server.address}/notes`)
  await expect(page.getByRole('article')).toHaveText([/С телефона/, /Чужое/])
  await bar(page).getByRole('button').click()
  await page.getByRole('button', { name: 'Выбрать версию' }).click()
  const choice = page.getByRole('dialog').filter({ hasText: 'Сохранить мой' })
  await expect(choice.getByText('Чужое', { exact: true }).first()).toBeVisible()
  await expect(choice.getByText('Моё потом', { exact: true })).toBeVisible()
  await choice.getByRole('button', { name: 'Сохранить мой' }).click()
  await expect(page.getByText('Всё отправлено.')).toBeVisible()
  const { results } = await serverItems(server.address, account, '/notes/?sort=title')
  expect(results.map(({ title }) => title)).toEqual(['Моё потом', 'С телефона'])
})

test('a choice shows what the server has while other changes wait', async ({
  page,
  context,
  serve,
  register,
}) => {
  const server = await serve(ownPort())
  const account = await register(server.address)
  const note = await account.addNote({ title: 'Было', content: '<p>Было</p>' })
  await signIn(page, account.session)
  await page.goto(`${server.address}/home`)
  await copied(page, 1)
  await server.pause()
  await addNote(page, server.address, 'Ждущая')
  await expect(bar(page)).toHaveText('Нет сети. Изменений ждёт: 1')
  // It would send what waits.
  await page.close()
  await server.resume()
  const tab = await context.newPage()
  await tab.addInitScript(putOffCreations)
  await tab.goto(`${server.address}/notes/${note.id}/edit`)
  await expect(tab.getByLabel('Название')).toHaveValue('Было')
  await saveElsewhere(server.address, account, note.id, 'Чужое')
  await tab.getByLabel('Название').fill('Моё')
  await tab.getByRole('button', { name: 'Сохранить' }).click()
  const choice = tab.getByRole('dialog').filter({ hasText: 'Сохранить мой' })
  await expect(choice.getByText('Моё', { exact: true })).toBeVisible()
  await expect(choice.getByText('Чужое', { exact: true }).first()).toBeVisible()
  await choice.getByRole('button', { name: 'Сохранить мой' }).click()
  await expect(tab.getByRole('heading', { name: 'Моё' })).toBeVisible()
  await expect(bar(tab)).toHaveText('Изменений ждёт: 1')
  const { results } = await serverItems(server.address, account, '/notes/')
  expect(results.map(({ title }) => title)).toEqual(['Моё'])
})

test('what was deleted here and changed elsewhere, or never added, asks whether to delete it', async ({
  page,
  serve,
  register,
}) => {
  const server = await serve({ ...ownPort(), ITEMS_PER_USER: '2' })
  const account = await register(server.address)
  const kept = await account.addNote({ title: 'Первая' })
  const gone = await account.addNote({ title: 'Вторая' })
  await signIn(page, account.session)
  await page.goto(`${server.address}/home`)
  await copied(page, 2)
  await server.pause()
  for (const [{ id }, title] of [[kept, 'Моя первая'] as const, [gone, 'Моя вторая'] as const]) {
    await retitle(page, server.address, id, title)
    await remove(page, server.address)
  }
  await addNote(page, server.address, 'Третья')
  await page.getByRole('link', { name: 'Открыть заметку «Третья»' }).click()
  await remove(page, server.address)
  await expect(bar(page)).toHaveText('Нет сети. Изменений ждёт: 6')
  await page.context().setOffline(true)
  await server.resume()
  await saveElsewhere(server.address, account, kept.id, 'Чужая первая')
  await saveElsewhere(server.address, account, gone.id, 'Чужая вторая')
  await page.context().setOffline(false)
  await expect(
    message(page, 'Сервер не принял «Третья». Нажмите «Нужно решить», чтобы исправить.'),
  ).toBeVisible({ timeout: 40_000 })

  await bar(page).getByRole('button').click()
  const list = page.getByRole('dialog', { name: 'Нужно решить' })
  const row = (title: string) => list.getByRole('listitem').filter({ hasText: title }).first()
  await expect(list.getByRole('button', { name: 'Всё равно удалить' })).toHaveCount(3)
  await expect(list.getByRole('button', { name: /Выбрать версию|Исправить/ })).toHaveCount(0)
  await row('Третья').getByRole('button', { name: 'Всё равно удалить' }).click()
  await expect(row('Третья')).toHaveCount(0)
  await row('Моя вторая').getByRole('button', { name: 'Всё равно удалить' }).click()
  await expect(row('Моя вторая')).toHaveCount(0)
  // What was typed before it was deleted is still there to choose.
  await row('Моя первая').getByRole('button', { name: 'Не удалять' }).click()
  await row('Моя первая').getByRole('button', { name: 'Выбрать версию' }).click()
  const choice = page.getByRole('dialog').filter({ hasText: 'Сохранить мой' })
  await expect(choice.getByText('Чужая первая', { exact: true }).first()).toBeVisible()
  await expect(choice.getByText('Моя первая', { exact: true })).toBeVisible()
  await choice.getByRole('button', { name: 'Взять сохранённый' }).click()
  await expect(page.getByText('Всё отправлено.')).toBeVisible()
  const { results } = await serverItems(server.address, account, '/notes/')
  expect(results.map(({ title }) => title)).toEqual(['Чужая первая'])
})

test('what the copy only does not know is not called deleted, and its draft stays', async ({
  page,
  serve,
  register,
}) => {
  const server = await serve(ownPort())
  const account = await register(server.address)
  const { id } = await account.addNote({ title: 'Было' })
  await signIn(page, account.session)
  await page.goto(`${server.address}/notes/${id}/edit`)
  await expect(page.getByLabel('Название')).toHaveValue('Было')
  await copied(page, 1)
  await forget(page, id)
  await server.pause()
  await page.getByLabel('Название').fill('Моё')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(page.getByText(/Нет ответа от сервера/)).toBeVisible()
  await expect(page.getByText('можно сохранить как новую заметку')).toBeHidden()
  await expect(page.getByLabel('Название')).toHaveValue('Моё')
  page.once('dialog', (dialog) => dialog.accept())
  await page.goto(`${server.address}/notes/${id}`)
  await expect(page.getByText('Нет сети. Загрузим, как только сервер ответит.')).toBeVisible()
  await page.goto(`${server.address}/notes/add`)
  await expect(page.getByLabel('Название')).toBeVisible()
  await server.resume()
  await page.goto(`${server.address}/notes/${id}/edit`)
  await expect(page.getByLabel('Название')).toHaveValue('Моё')
})

test('without a server a change of all that is found says that it failed', async ({
  page,
  serve,
  register,
}) => {
  const server = await serve(ownPort())
  const account = await register(server.address)
  for (let at = 1; at <= 16; at += 1) await account.addNote({ title: `Запись ${at}!` })
  await signIn(page, account.session)
  await page.goto(`${server.address}/home`)
  await copied(page, 16)
  await server.pause()
  await page.goto(`${server.address}/notes`)
  await expect(bar(page)).toHaveText('Нет сети')
  await page.getByRole('checkbox', { name: 'Выбрать «Запись 16!»', exact: true }).check()
  const selected = page.getByRole('region', { name: 'Выбранное' })
  await selected.getByRole('button', { name: 'Выбрать все найденные: 16' }).click()
  await selected.getByRole('button', { name: 'Закрепить', exact: true }).click()
  await expect(selected.getByRole('button', { name: 'Закрепить', exact: true })).toBeEnabled()
  await expect(snackbar(page).getByText(/Нет ответа от сервера/)).toBeVisible()
  await server.resume()
  await expect(bar(page)).toBeEmpty()
  await expect(snackbar(page).getByText(/Нет ответа от сервера/)).toBeHidden()
})

test('without a server the quick field does not promise what the page of an address says', async ({
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
  await page.goto(`${server.address}/notes`)
  await expect(bar(page)).toHaveText('Нет сети')
  await page.keyboard.press('a')
  const field = page.getByRole('textbox', { name: 'Сохранить ссылку или заметку' })
  await field.fill('https://example.org/')
  await expect(page.getByRole('dialog')).toContainText(
    'Без сети страница не прочитается: название возьмём из адреса.',
  )
  await field.press('Enter')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.goto(`${server.address}/url-links`)
  await expect(page.getByRole('article')).toContainText('example.org')
})

test('messages leave what the top bar says of the network in sight', async ({ page, serve, register }) => {
  await page.setViewportSize({ width: 1250, height: 800 })
  const server = await serve(ownPort())
  const account = await register(server.address)
  await signIn(page, account.session)
  await page.goto(`${server.address}/home`)
  await copied(page, 0)
  await server.pause()
  await addNote(page, server.address, 'В метро')
  await expect(bar(page)).toHaveText('Нет сети. Изменений ждёт: 1')
  const shown = snackbar(page).locator('[data-colour]')
  // A message stays as long as the pointer is on it.
  await shown.first().hover()
  await expect
    .poll(async () => {
      const status = await bar(page).boundingBox()
      const covers = (box: DOMRect) =>
        status &&
        box.left < status.x + status.width &&
        box.right > status.x &&
        box.top < status.y + status.height &&
        box.bottom > status.y
      const boxes = await shown.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()))
      return boxes.length > 0 && !boxes.some(covers)
    })
    .toBe(true)
})

test('what the server refuses says why, and can be corrected', async ({ page, serve, register }) => {
  const server = await serve({ ...ownPort(), ITEMS_PER_USER: '1' })
  const account = await register(server.address)
  await account.addNote({ title: 'Одна' })
  await signIn(page, account.session)
  await page.goto(`${server.address}/home`)
  await copied(page, 1)
  await server.pause()
  await addNote(page, server.address, 'Вторая', 'Длинный рассказ')
  await server.resume()
  const refused = message(page, 'Сервер не принял «Вторая». Нажмите «Нужно решить», чтобы исправить.')
  await expect(refused).toBeVisible({ timeout: 40_000 })
  // The form is open, with another text.
  await page.goto(`${server.address}/notes/add`)
  await page.getByLabel('Название').fill('Третья')
  await bar(page).getByRole('button').click()
  const list = page.getByRole('dialog', { name: 'Нужно решить' })
  await expect(refused).toBeHidden()
  await expect(list).toContainText('Сами они не отправятся: решите, что с ними сделать.')
  await expect(list.getByText(/Сервер не принял изменение: .*[а-я]/)).toBeVisible()
  // The browser asks, as it does before each reload.
  page.once('dialog', (dialog) => dialog.accept())
  await list.getByRole('button', { name: 'Исправить' }).click()
  await expect(page.getByLabel('Название')).toHaveValue('Вторая')
  await expect(page).toHaveURL(`${server.address}/notes/add`)
  await expect(page.getByRole('textbox', { name: 'Содержание' })).toHaveText('Длинный рассказ')
  await expect(bar(page)).toBeEmpty()
  // The next form begins empty.
  await page.goto(`${server.address}/notes`)
  await page.goto(`${server.address}/notes/add`)
  await expect(page.getByRole('button', { name: 'Вернуть его' })).toBeVisible()
  await expect(page.getByLabel('Название')).toHaveValue('')
  // What was typed in its place is kept as well.
  expect(await storedDrafts(page)).toContain('"Третья"')
})

test('a picture that does not load without a server says so, and loads once it is back', async ({
  page,
  serve,
  register,
}) => {
  const server = await serve(ownPort())
  const account = await register(server.address)
  await signIn(page, account.session)
  await page.goto(`${server.address}/notes/add`)
  await page.getByLabel('Название').fill('С картинкой')
  await addPicture(page)
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(page).toHaveURL(`${server.address}/notes`)
  await page.reload()
  await copied(page, 1)
  await server.pause()
  await page.getByRole('link', { name: 'Открыть заметку «С картинкой»' }).click()
  const picture = page.getByRole('button', { name: 'Картинка не загрузилась: нет сети. Загрузить ещё раз' })
  await expect(picture).toBeVisible({ timeout: 20_000 })
  await server.resume()
  await expect(page.getByRole('button', { name: 'Открыть картинку крупно' })).toBeVisible({ timeout: 40_000 })
})

test('what was typed over a note that is gone for ever can become a new one', async ({
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
  await server.pause()
  await retitle(page, server.address, note.id, 'Моё')
  await page.context().setOffline(true)
  await server.resume()
  for (const path of [`/notes/${note.id}/`, `/trash/${note.id}/`]) {
    const headers = { authorization: `Bearer ${account.session.access_token}` }
    const { status } = await fetch(server.address + API_PREFIX + path, { method: 'DELETE', headers })
    expect(status).toBe(204)
  }
  await page.context().setOffline(false)
  await expect(bar(page)).toHaveText('Нужно решить: 1', { timeout: 40_000 })
  await bar(page).getByRole('button').click()
  await page.getByRole('dialog', { name: 'Нужно решить' }).getByRole('button', { name: 'Исправить' }).click()
  await expect(page).toHaveURL(`${server.address}/notes/add`)
  await page.close()
  // A tab that opens later drops the drafts of items that are gone.
  const tab = await context.newPage()
  await tab.goto(`${server.address}/notes`)
  await expect(bar(tab)).toBeEmpty()
  await tab.goto(`${server.address}/notes/add`)
  await tab.getByRole('button', { name: 'Вернуть его' }).click()
  await expect(tab.getByLabel('Название')).toHaveValue('Моё')
  await tab.getByRole('button', { name: 'Сохранить' }).click()
  await expect(tab).toHaveURL(`${server.address}/notes`)
  const { results } = await serverItems(server.address, account, '/notes/')
  expect(results.map(({ title }) => title)).toEqual(['Моё'])
})

/** Screens of tags by their names, and how one is renamed there. */
const tagForms = (page: Page, address: string, tags: readonly { id: string; name: string }[]) => {
  const pageOf = (name: string) => `${address}/tags/${tags.find((tag) => tag.name === name)?.id}`
  const rename = async (name: string, to: string) => {
    await page.goto(`${pageOf(name)}/edit`)
    await page.getByLabel('Название Тега').fill(to)
    await page.getByRole('button', { name: 'Сохранить' }).click()
    await expect(page.getByRole('heading', { name: to })).toBeVisible()
  }
  return { pageOf, rename }
}

test('the name of a tag that another one, or the tag itself, has got meanwhile can be corrected or given up', async ({
  page,
  serve,
  register,
}) => {
  const server = await serve(ownPort())
  const account = await register(server.address)
  const { tags } = await account.addNote({ title: 'Тропа', tags: ['Лес', 'Море', 'Поле', 'Небо'] })
  await signIn(page, account.session)
  await page.goto(`${server.address}/home`)
  await copied(page, 1)
  await server.pause()
  const { pageOf, rename } = tagForms(page, server.address, tags)
  await rename('Лес', 'Роща')
  await rename('Море', 'Залив')
  await rename('Поле', 'Луг')
  await rename('Небо', 'Туча')
  await expect(bar(page)).toHaveText('Нет сети. Изменений ждёт: 4')
  await page.context().setOffline(true)
  await server.resume()
  await account.addNote({ title: 'Чужая', tags: ['роща', 'залив', 'луг'] })
  const callOf = (name: string) => `${pageOf(name).replace('/tags/', `${API_PREFIX}/tags/`)}/`
  const authorization = `Bearer ${account.session.access_token}`
  await fetch(callOf('Небо'), {
    method: 'PUT',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Облако' }),
  })
  await page.context().setOffline(false)
  const states = async () =>
    ((await stored(page))?.outbox as { state: string }[] | undefined)?.map(({ state }) => state)
  await expect.poll(states, { timeout: 40_000 }).toEqual(['refused', 'refused', 'refused', 'conflict'])

  // One of them is deleted elsewhere, another one here without a network.
  await fetch(callOf('Море'), { method: 'DELETE', headers: { authorization } })
  await page.context().setOffline(true)
  await page.goto(pageOf('Поле'))
  await page.getByRole('button', { name: 'Удалить' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Удалить' }).click()
  await expect(bar(page)).toHaveText('Нет сети. Изменений ждёт: 5')
  await page.context().setOffline(false)
  await expect(bar(page)).toHaveText('Нужно решить: 4', { timeout: 40_000 })

  await bar(page).getByRole('button').click()
  const list = page.getByRole('dialog', { name: 'Нужно решить' })
  const row = (name: string) => list.getByRole('listitem').filter({ hasText: name })
  await row('«Луг»').getByRole('button', { name: 'Всё равно удалить' }).click()
  await expect(list.getByRole('listitem')).toHaveCount(3)
  await expect(row('«Туча»')).toContainText('переименовали и в другом месте: теперь она называется «Облако»')
  await row('«Туча»').getByRole('button', { name: 'Отказаться' }).click()
  await page
    .getByRole('dialog', { name: 'Отказаться от изменения?' })
    .getByRole('button', { name: 'Отказаться' })
    .click()
  await expect(list.getByRole('listitem')).toHaveCount(2)
  await row('«Залив»').getByRole('button', { name: 'Исправить' }).click()
  const question = page.getByRole('dialog', { name: 'Отказаться от изменения?' })
  await expect(question).toContainText('Этой категории больше нет')
  await question.getByRole('button', { name: 'Отказаться' }).click()
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await expect(list).toContainText('Категория с таким названием уже существует')
  // Its form may be open, with another name.
  await page.goto(`${pageOf('Лес')}/edit`)
  await page.getByLabel('Название Тега').fill('Чаща')
  await bar(page).getByRole('button').click()
  page.once('dialog', (dialog) => dialog.accept())
  await row('«Роща»').getByRole('button', { name: 'Исправить' }).click()
  await expect(page).toHaveURL(`${pageOf('Лес')}/edit`)
  await expect(page.getByLabel('Название Тега')).toHaveValue('Роща')
  // Until the tag has another name the change stays, whatever becomes of the form.
  await expect(bar(page)).toHaveText('Нужно решить: 1')
  await page.evaluate(() => sessionStorage.clear())
  await page.goto(pageOf('Поле'))
  await bar(page).getByRole('button').click()
  await row('«Роща»').getByRole('button', { name: 'Исправить' }).click()
  await expect(page.getByLabel('Название Тега')).toHaveValue('Роща')
  // A name that is given without a network is made over the one that the server has.
  await server.pause()
  await page.getByLabel('Название Тега').fill('Дубрава')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(page.getByRole('heading', { name: 'Дубрава' })).toBeVisible()
  await expect(bar(page)).toHaveText('Нет сети. Изменений ждёт: 1')
  await server.resume()
  await expect(bar(page)).toBeEmpty({ timeout: 40_000 })
  expect((await tagNames(server.address, account)).sort()).toEqual([
    'Дубрава',
    'Облако',
    'залив',
    'луг',
    'роща',
  ])
})

test('the corrected name of a tag takes the place of all that waited for a decision, and is no conflict', async ({
  page,
  serve,
  register,
}) => {
  const server = await serve(ownPort())
  const account = await register(server.address)
  const { tags } = await account.addNote({ title: 'Тропа', tags: ['Лес', 'Небо'] })
  await signIn(page, account.session)
  await page.goto(`${server.address}/home`)
  await copied(page, 1)
  await server.pause()
  const { pageOf, rename } = tagForms(page, server.address, tags)
  await rename('Лес', 'Роща')
  await rename('Лес', 'Чаща')
  await rename('Небо', 'Туча')
  await page.context().setOffline(true)
  await server.resume()
  await account.addNote({ title: 'Чужая', tags: ['роща'] })
  await fetch(`${pageOf('Небо').replace('/tags/', `${API_PREFIX}/tags/`)}/`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${account.session.access_token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ name: 'Облако' }),
  })
  await page.context().setOffline(false)
  await expect(bar(page)).toHaveText('Нужно решить: 2', { timeout: 40_000 })
  const list = page.getByRole('dialog', { name: /Изменения|Нужно решить/ })
  const mend = async (name: string, from: string, to: string) => {
    await bar(page).getByRole('button').click()
    const row = list.getByRole('listitem').filter({ hasText: `«${name}»` })
    await row.getByRole('button', { name: 'Исправить' }).click()
    await expect(page.getByLabel('Название Тега')).toHaveValue(from)
    await page.getByLabel('Название Тега').fill(to)
    await page.getByRole('button', { name: 'Сохранить' }).click()
    await expect(page.getByRole('heading', { name: to })).toBeVisible()
  }
  await mend('Роща', 'Чаща', 'Дубрава')
  await expect(bar(page)).toHaveText('Нужно решить: 1')
  await server.pause()
  await page.goto(`${server.address}/home`)
  await expect(bar(page)).toHaveText('Нет сети. Изменений ждёт: 1')
  await mend('Туча', 'Туча', 'Тучка')
  await expect(bar(page)).toHaveText('Нет сети. Изменений ждёт: 1')
  await server.resume()
  await expect(bar(page)).toBeEmpty({ timeout: 40_000 })
  expect((await tagNames(server.address, account)).sort()).toEqual(['Дубрава', 'Тучка', 'роща'])
})

test('a picture that is pasted without a server waits with its text', async ({ page, serve, register }) => {
  const server = await serve(ownPort())
  const account = await register(server.address)
  await signIn(page, account.session)
  await page.goto(`${server.address}/home`)
  await copied(page, 0)
  await server.pause()
  await page.goto(`${server.address}/notes/add`)
  await page.getByLabel('Название').fill('С картинкой')
  await addPicture(page)
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(bar(page)).toHaveText('Нет сети. Изменений ждёт: 1')
  await server.resume()
  await expect(bar(page)).toBeEmpty({ timeout: 40_000 })
  await page.getByRole('link', { name: 'Открыть заметку «С картинкой»' }).click()
  await expect(page.locator('main img[src^="blob:"]')).toBeVisible()
  await expect.poll(async () => (await stored(page))?.pictures).toEqual([])
})

test('a tab that is hidden goes on copying, though its timers hardly run', async ({
  page,
  serve,
  register,
}) => {
  const server = await serve()
  const account = await register(server.address)
  const content = `<p>${'много слов '.repeat(30_000)}</p>`
  for (const title of ['Первая', 'Вторая', 'Третья']) await account.addNote({ title, content })
  await signIn(page, account.session)
  await page.addInitScript(hideCopying)
  await page.goto(`${server.address}/home`)
  await copied(page, 3)
})

test('a copy in another format is made anew, and what waits stays', async ({ page, serve, register }) => {
  const server = await serve(ownPort())
  const account = await register(server.address)
  await account.addNote({ title: 'Дорога' })
  await signIn(page, account.session)
  await page.goto(`${server.address}/home`)
  await copied(page, 1)
  await server.pause()
  await addNote(page, server.address, 'Ждущая')
  await expect(bar(page)).toHaveText('Нет сети. Изменений ждёт: 1')
  // As another version of the page has left it.
  await page.evaluate(async (name) => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open(name)
      opening.onsuccess = () => resolve(opening.result)
      opening.onerror = () => reject(opening.error)
    })
    const transaction = database.transaction('owner', 'readwrite')
    const owners = transaction.objectStore('owner')
    const reading = owners.get('owner')
    reading.onsuccess = () => owners.put({ ...reading.result, format: 0 }, 'owner')
    await new Promise((resolve) => {
      transaction.oncomplete = resolve
    })
    database.close()
  }, DATABASE)
  await page.reload()
  const lengths = async () => {
    const { items, texts, outbox } = (await stored(page)) ?? {}
    return [items?.length, texts?.length, outbox?.length]
  }
  await expect.poll(lengths, { timeout: 40_000 }).toEqual([0, 0, 1])
  await server.resume()
  await copied(page, 2)
  await expect(bar(page)).toBeEmpty({ timeout: 40_000 })
  const { results } = await serverItems(server.address, account, '/notes/?sort=title')
  expect(results.map(({ title }) => title)).toEqual(['Дорога', 'Ждущая'])
})

for (const opened of ['its form', 'another form'] as const)
  test(`what was typed over a note that the server knows by another id is found after a session that ended by itself, ${opened} first`, async ({
    page,
    serve,
    register,
    logIn,
  }) => {
    const server = await serve(ownPort())
    const account = await register(server.address)
    await signIn(page, account.session)
    await page.goto(`${server.address}/home`)
    await copied(page, 0)
    await server.pause()
    await addNote(page, server.address, 'Новая')
    await page.getByRole('link', { name: 'Открыть заметку «Новая»' }).click()
    await page.getByRole('link', { name: 'Редактировать' }).click()
    await page.getByLabel('Название').fill('Дописана')
    const form = page.url()
    await server.resume()
    await expect(bar(page)).toBeEmpty({ timeout: 40_000 })

    await expireSession(page)
    page.once('dialog', (dialog) => dialog.accept())
    await page.goto(opened === 'its form' ? form : `${server.address}/notes/add`)
    await logIn(account)
    if (opened === 'another form') {
      // It drops the drafts of items that are gone.
      await expect(page.getByRole('textbox', { name: 'Содержание' })).toBeVisible()
      await page.goto(form)
    }
    await expect(page.getByText('Мы вернули текст, который вы не успели сохранить.')).toBeVisible()
    await expect(page.getByLabel('Название')).toHaveValue('Дописана')
    await page.getByRole('button', { name: 'Сохранить' }).click()
    await expect(page.getByRole('heading', { name: 'Дописана' })).toBeVisible()
    const { results } = await serverItems(server.address, account, '/notes/')
    expect(results.map(({ title }) => title)).toEqual(['Дописана'])
  })

test('of what waits since a session that ended by itself another user is shown nothing', async ({
  page,
  serve,
  register,
  logIn,
}) => {
  const server = await serve({ ...ownPort(), ITEMS_PER_USER: '1' })
  const account = await register(server.address)
  const other = await register(server.address)
  await account.addNote({ title: 'Одна' })
  await signIn(page, account.session)
  await page.goto(`${server.address}/home`)
  await copied(page, 1)
  await server.pause()
  await addNote(page, server.address, 'Тайна')
  await server.resume()
  // The server refuses it.
  await expect(bar(page)).toHaveText('Нужно решить: 1', { timeout: 40_000 })
  await expireSession(page)
  await page.goto(`${server.address}/notes`)
  await logIn(other)
  await expect(page.getByText('Пока ни одной заметки')).toBeVisible()
  await expect(bar(page)).toBeEmpty()
  await page.reload()
  await expect(page.getByText('Пока ни одной заметки')).toBeVisible()
  await expect(bar(page)).toBeEmpty()
  await expect.poll(async () => (await stored(page))?.outbox, { timeout: 40_000 }).toEqual([])
})

test('another password ends the session, and what waits stays for the same user', async ({
  page,
  serve,
  register,
  logIn,
}) => {
  const server = await serve({ ...ownPort(), ITEMS_PER_USER: '1' })
  const account = await register(server.address)
  await account.addNote({ title: 'Одна' })
  await signIn(page, account.session)
  await page.goto(`${server.address}/home`)
  await copied(page, 1)
  await server.pause()
  await addNote(page, server.address, 'Вторая')
  await server.resume()
  // The server refuses it.
  await expect(bar(page)).toHaveText('Нужно решить: 1', { timeout: 40_000 })
  await fetch(`${server.address}${API_PREFIX}${accounts.passwordReset.path}`, {
    method: accounts.passwordReset.method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: account.email }),
  })
  const [, query = ''] = /\/auth\/password-confirm(\?\S+)/.exec(await nthMessage(1, server.dataDir)) ?? []
  await page.goto(`${server.address}/auth/password-confirm${query}`)
  await page.getByLabel('Новый пароль').fill('новый пароль')
  await page.getByLabel('Подтверждение пароля').fill('новый пароль')
  await page.getByRole('button', { name: 'Сбросить пароль' }).click()
  await expect(page).toHaveURL(`${server.address}/auth/login`)
  // The copy goes with the session.
  await expect.poll(async () => (await stored(page))?.items).toEqual([])
  await logIn({ email: account.email, password: 'новый пароль' })
  await expect(bar(page)).toHaveText('Нужно решить: 1', { timeout: 40_000 })
  await bar(page).getByRole('button').click()
  await expect(page.getByRole('dialog', { name: 'Нужно решить' })).toContainText('Вторая')
})

test('of whoever signs out before the copy has come into use nothing is left either', async ({
  page,
  context,
  serve,
  register,
  logOut,
}) => {
  const server = await serve(ownPort())
  const account = await register(server.address)
  await account.addNote({ title: 'Дневник' })
  await signIn(page, account.session)
  await page.goto(`${server.address}/home`)
  await copied(page, 1)
  await page.close()
  const tab = await context.newPage()
  // As if the page were closed before anything that waits for seconds.
  await tab.addInitScript(() => {
    const { setTimeout } = window
    const soon = (work: () => void, delay = 0) => (delay < 5_000 ? setTimeout(work, delay) : 0)
    Object.assign(window, { setTimeout: soon })
  })
  await tab.goto(`${server.address}/home`)
  await logOut(tab)
  await expect.poll(() => contents(tab)).toEqual([SIGNED_OUT])
})

test('a browser that is killed right after a sign-out opens signed out', async ({
  page,
  serve,
  register,
  logIn,
  logOut,
}) => {
  const server = await serve(ownPort())
  const account = await register(server.address)
  const other = await register(server.address)
  await account.addNote({ title: 'Дневник Анны' })
  await signIn(page, account.session)
  await page.goto(`${server.address}/home`)
  await copied(page, 1)
  await server.pause()
  await page.goto(`${server.address}/notes`)
  await expect(page.getByText('Дневник Анны')).toBeVisible()
  const before = await page.evaluate(() => ({ ...localStorage }))
  const restore = () =>
    page.evaluate((before) => {
      localStorage.clear()
      Object.assign(localStorage, before)
    }, before)
  await logOut()
  await expect.poll(async () => (await stored(page))?.items).toEqual([])
  // The last seconds of local storage, which Chromium writes later than databases, are lost.
  await restore()
  await page.goto(`${server.address}/notes`)
  await expect(page).toHaveURL(/\/auth\/login/)
  expect(await page.evaluate(() => localStorage.getItem('access_token'))).toBeNull()
  await page.goto(`${server.address}/notes`)
  await expect(page).toHaveURL(/\/auth\/login/)

  // Somebody else's sign-in may be lost with these seconds as well.
  await server.resume()
  await page.goto(`${server.address}/auth/login`)
  await logIn(other)
  await copied(page, 0)
  await restore()
  await page.addInitScript(() => {
    const look = () => {
      if (document.body?.textContent.includes('Дневник Анны')) document.documentElement.dataset.shown = ''
    }
    new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true })
  })
  await page.goto(`${server.address}/notes`)
  await expect(page).toHaveURL(/\/auth\/login/)
  await expect(page.locator('html[data-shown]')).toBeHidden()
  expect(await page.evaluate(() => localStorage.getItem('access_token'))).toBeNull()
})

test('whoever signs in after a session that ended before anything was kept has a copy', async ({
  page,
  serve,
  register,
  logIn,
  logOut,
}) => {
  const server = await serve(ownPort())
  const account = await register(server.address)
  await account.addNote({ title: 'Дневник' })
  await signIn(page, account.session)
  await page.addInitScript(holdWorker)
  await page.goto(`${server.address}/home`)
  await expect(page.locator('html[data-asks=worker]')).toBeVisible()
  await logOut()
  await page.evaluate(() => dispatchEvent(new Event('tell-worker')))
  await logIn(account)
  await expect(page).toHaveURL(`${server.address}/home`)
  await copied(page, 1)
})

test('the privacy policy says what of this a browser keeps, in both languages', async ({
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
  await addNote(page, server.address, 'Ждущая')
  await expect(bar(page)).toHaveText('Нет сети. Изменений ждёт: 1')
  const kept = await page.evaluate(async () => [
    ...Object.keys(localStorage),
    ...(await indexedDB.databases()).map(({ name = '' }) => name),
  ])
  expect(kept).toEqual(expect.arrayContaining(['offline', 'waiting', DATABASE]))
  await server.resume()
  for (const [at, language] of ['ru', 'en'].entries()) {
    await page.evaluate((language) => localStorage.setItem('language', language), language)
    await page.goto(`${server.address}/privacy`)
    const policy = page.getByRole('article')
    for (const name of kept) await expect(policy, name).toContainText(SAID[name]?.[at] ?? `? ${name}`)
    await expect(policy).toContainText(at === 0 ? 'неотправленные изменения' : 'changes that were not sent')
  }
})

test('where the browser has no room, the copy is given up and what waits is sent', async ({
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
  await page.addInitScript(refuseItems)
  await addNote(page, server.address, 'Первая')
  await addNote(page, server.address, 'Вторая')
  await expect(bar(page)).toHaveText('Нет сети. Изменений ждёт: 2')
  await server.resume()
  await expect(message(page, NO_ROOM)).toBeVisible({ timeout: 40_000 })
  await expect(bar(page)).toBeEmpty({ timeout: 40_000 })
  const { results } = await serverItems(server.address, account, '/notes/?sort=title')
  expect(results.map(({ title }) => title)).toEqual(['Вторая', 'Первая'])
  await expect.poll(() => stored(page)).toMatchObject({ outbox: [], owner: [{ isWhole: false }] })

  // Nor does it begin over for ever. The page before may still have asked, after what it sent.
  await page.goto(`${server.address}/robots.txt`)
  let follows = 0
  page.on('request', (request) => {
    if (request.url().includes('/changes/')) follows += 1
  })
  await page.goto(`${server.address}/home`)
  await expect.poll(() => follows, { timeout: 40_000 }).toBe(1)
  for (const title of ['Первая', 'Вторая']) {
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await page.getByRole('link', { name: `Открыть заметку «${title}»` }).click()
    await expect(page.getByRole('heading', { name: title })).toBeVisible()
    await page.goBack()
  }
  expect(follows).toBe(1)
  expect((await stored(page))?.items).toEqual([])

  // Why nothing opens is said where nothing does.
  await server.pause()
  await page.reload()
  await expect(message(page, NO_ROOM)).toBeVisible()
  await addNote(page, server.address, 'Третья')
  await expect(bar(page)).toHaveText('Нет сети. Изменений ждёт: 1')
  await bar(page).getByRole('button').click()
  await expect(page.getByRole('dialog', { name: 'Ждут отправки' })).toContainText(NO_ROOM)
})

test('where the browser has no room to note that a change was refused, the copy makes it', async ({
  page,
  serve,
  register,
}) => {
  const server = await serve({ ...ownPort(), ITEMS_PER_USER: '1' })
  const account = await register(server.address)
  await account.addNote({ title: 'Первая' })
  await signIn(page, account.session)
  await page.goto(`${server.address}/home`)
  await copied(page, 1)
  await server.pause()
  await page.addInitScript(refuseRefusals)
  await addNote(page, server.address, 'Вторая')
  await expect(bar(page)).toHaveText('Нет сети. Изменений ждёт: 1')
  await server.resume()
  await expect(bar(page)).toHaveText('Нужно решить: 1', { timeout: 40_000 })
})

test('a change for which the browser has no room stays in its form, and says so', async ({
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
  await page.addInitScript(refuseChanges)
  await page.goto(`${server.address}/notes/add`)
  await page.getByLabel('Название').fill('В метро')
  await page.getByRole('textbox', { name: 'Содержание' }).click()
  await page.keyboard.type('Текст')
  const save = page.getByRole('button', { name: 'Сохранить' })
  await save.click()
  await expect(
    message(
      page,
      'В браузере не хватило места, чтобы сохранить изменение до отправки. Освободите место на устройстве и сохраните ещё раз.',
    ),
  ).toBeVisible()
  await expect(page.getByLabel('Название')).toHaveValue('В метро')
  await expect(bar(page)).toHaveText('Нет сети')
  await page.evaluate(() => dispatchEvent(new Event('room')))
  await save.click()
  await expect(page).toHaveURL(`${server.address}/notes`)
  await expect(bar(page)).toHaveText('Нет сети. Изменений ждёт: 1')
})

/** Leaves no room in local storage, and nothing of what it says of changes that wait. */
const fillLocalStorage = (): void => {
  localStorage.removeItem('waiting')
  let text = 'x'.repeat(4_000_000)
  for (let at = 0; text !== ''; )
    try {
      localStorage.setItem(`filler ${at}`, text)
      at += 1
    } catch {
      text = text.slice(0, text.length >> 1)
    }
}

test('a change waits, and is said to, also where local storage is full', async ({
  page,
  serve,
  register,
}) => {
  const server = await serve(ownPort())
  const account = await register(server.address)
  await signIn(page, account.session)
  await page.goto(`${server.address}/home`)
  await copied(page, 0)
  await page.goto(`${server.address}/notes/add`)
  await page.evaluate(fillLocalStorage)
  await server.pause()
  await page.getByLabel('Название').fill('В метро')
  await page.getByRole('textbox', { name: 'Содержание' }).click()
  await page.keyboard.type('Текст')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(page).toHaveURL(`${server.address}/notes`)
  await expect(bar(page)).toHaveText('Нет сети. Изменений ждёт: 1')
  await expect(
    message(page, 'Нет сети. Изменение сохранено в этом браузере и отправится само.'),
  ).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('waiting'))).toBeNull()
  await server.resume()
  await expect(bar(page)).toBeEmpty({ timeout: 40_000 })
  const { results } = await serverItems(server.address, account, '/notes/')
  expect(results.map(({ title }) => title)).toEqual(['В метро'])
})

/** Has every picture that waits be older than what nothing names is kept, beside one that nothing names. */
const agePictures = (page: Page): Promise<void> =>
  page.evaluate(async (name) => {
    const opening = indexedDB.open(name)
    await new Promise((resolve) => opening.addEventListener('success', resolve))
    const transaction = opening.result.transaction('pictures', 'readwrite')
    const pictures = transaction.objectStore('pictures')
    const at = Date.now() - 31 * 24 * 60 * 60_000
    const reading = pictures.openCursor()
    reading.onsuccess = () => {
      const { result } = reading
      if (!result) return void pictures.put({ picture: new Blob(['x']), at }, crypto.randomUUID())
      result.update({ ...result.value, at })
      result.continue()
    }
    await new Promise((resolve) => transaction.addEventListener('complete', resolve))
    opening.result.close()
  }, DATABASE)

test('a picture that a draft alone names is kept however old it is; one that nothing names is not', async ({
  page,
  serve,
  register,
}) => {
  const server = await serve(ownPort())
  const account = await register(server.address)
  await signIn(page, account.session)
  await page.goto(`${server.address}/home`)
  await copied(page, 0)
  await page.goto(`${server.address}/notes/add`)
  await expect(page.getByLabel('Название')).toBeVisible()
  await server.pause()
  await addPicture(page)
  await page.getByLabel('Название').fill('С картинкой')
  await expect.poll(() => storedDrafts(page)).toContain('С картинкой')
  await agePictures(page)
  await page.goto(`${server.address}/notes`)
  const kept = async () => (await stored(page))?.pictures?.length
  await expect.poll(kept).toBe(1)
  await page.goto(`${server.address}/notes/add`)
  await page.getByRole('button', { name: 'Вернуть его' }).click()
  await expect(page.locator('form img[src^="blob:"]')).toBeVisible()
})

test('of whoever signs out nothing is left; what waits, and pictures of a draft, are asked about', async ({
  page,
  serve,
  register,
  logIn,
}) => {
  const server = await serve(ownPort())
  const account = await register(server.address)
  const other = await register(server.address)
  await account.addNote({ title: 'Дневник', content: '<p>Тайна</p>' })
  await signIn(page, account.session)
  await page.goto(`${server.address}/home`)
  await copied(page, 1)
  await server.pause()
  await addNote(page, server.address, 'Другая тайна')
  await page.getByRole('button', { name: 'Добавить или выйти' }).click()
  await page.getByRole('menuitem', { name: 'Выйти' }).click()
  await expect(message(page, 'Не отправлено изменений: 1. Если выйти сейчас, они пропадут.')).toBeVisible()
  await expect(page).toHaveURL(`${server.address}/notes`)
  await page.goto(`${server.address}/notes/add`)
  await addPicture(page)
  await server.resume()
  await expect(bar(page)).toBeEmpty({ timeout: 40_000 })
  await page.getByRole('button', { name: 'Добавить или выйти' }).click()
  await page.getByRole('menuitem', { name: 'Выйти' }).click()
  await expect(
    message(page, 'Картинок, которые есть только в этом браузере: 1. Если выйти сейчас, они пропадут.'),
  ).toBeVisible()
  await expect(page).toHaveURL(`${server.address}/notes/add`)
  await snackbar(page).getByRole('button', { name: 'Выйти' }).click()
  await expect(page).toHaveURL(/\/auth\/login/)
  await expect.poll(() => contents(page)).toEqual([SIGNED_OUT])
  await logIn(other)
  await expect(page.getByText('Пока ни одной заметки')).toBeVisible()
  await copied(page, 0)
  expect(JSON.stringify(await stored(page))).not.toMatch(/тайна|Дневник/i)
})

test('a sign-out asks about changes and pictures at once, and about no picture that was given up', async ({
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
  await page.goto(`${server.address}/notes/add`)
  await addPicture(page)
  await page.getByRole('textbox', { name: 'Содержание' }).click()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.press('Delete')
  await expect(page.locator('form img')).toHaveCount(0)
  await expect.poll(() => draftPlaces(page)).toEqual([])
  await page.goto(`${server.address}/notes/add`)
  await page.getByLabel('Название').fill('С картинкой')
  await addPicture(page)
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(bar(page)).toHaveText('Нет сети. Изменений ждёт: 1')
  await page.getByRole('button', { name: 'Добавить или выйти' }).click()
  await page.getByRole('menuitem', { name: 'Выйти' }).click()
  await expect(
    message(
      page,
      'Не отправлено изменений: 1. Картинок, которые есть только в этом браузере: 1. Если выйти сейчас, они пропадут.',
    ),
  ).toBeVisible()
  await server.resume()
  await expect(bar(page)).toBeEmpty({ timeout: 40_000 })
  expect((await stored(page))?.pictures).toHaveLength(1)
  await page.getByRole('button', { name: 'Добавить или выйти' }).click()
  await page.getByRole('menuitem', { name: 'Выйти' }).click()
  await expect(page).toHaveURL(/\/auth\/login/)
  await expect.poll(() => contents(page)).toEqual([SIGNED_OUT])
})

for (const way of ['in a form that is reloaded', 'from the list'] as const)
  test(`what was typed over a note that the server did not know is found ${way}, and saved over it`, async ({
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
    await page.goto(`${server.address}/notes/add`)
    await page.getByLabel('Название').fill('Новая')
    await addPicture(page)
    await page.getByRole('button', { name: 'Сохранить' }).click()
    await page.getByRole('link', { name: 'Открыть заметку «Новая»' }).click()
    await page.getByRole('link', { name: 'Редактировать' }).click()
    await page.getByLabel('Название').fill('Дописана')
    await server.resume()
    await expect(bar(page)).toBeEmpty({ timeout: 40_000 })

    page.once('dialog', (dialog) => dialog.accept())
    if (way === 'from the list') {
      // A form that opens drops the drafts of items that are gone, and not of one that the server knows by another id.
      await page.goto(`${server.address}/notes/add`)
      await expect(page.getByRole('textbox', { name: 'Содержание' })).toBeVisible()
      await page.goto(`${server.address}/notes`)
      await page.getByRole('link', { name: 'Открыть заметку «Новая»' }).click()
      await page.getByRole('link', { name: 'Редактировать' }).click()
    } else await page.reload()
    const { results } = await serverItems(server.address, account, '/notes/')
    await expect(page).toHaveURL(`${server.address}/notes/${results[0]?.id}/edit`)
    await expect(page.getByText('Мы вернули текст, который вы не успели сохранить.')).toBeVisible()
    await expect(page.getByLabel('Название')).toHaveValue('Дописана')
    await expect(page.locator('form img[src^="blob:"]')).toBeVisible()
    await page.getByRole('button', { name: 'Сохранить' }).click()
    await expect(page.getByRole('heading', { name: 'Дописана' })).toBeVisible()
    await expect(page.locator('main img[src^="blob:"]')).toBeVisible()
    const titles = async () =>
      (await serverItems(server.address, account, '/notes/')).results.map(({ title }) => title)
    await expect.poll(titles).toEqual(['Дописана'])
    await expect(bar(page)).toBeEmpty()
  })

for (const way of ['in a form that was left before', 'in a form that is open'] as const)
  test(`what was typed ${way} over a note that the server did not know is found after a sign-out`, async ({
    page,
    serve,
    register,
    logIn,
    logOut,
  }) => {
    const server = await serve(ownPort())
    const account = await register(server.address)
    await signIn(page, account.session)
    await page.goto(`${server.address}/home`)
    await copied(page, 0)
    await server.pause()
    await page.goto(`${server.address}/notes/add`)
    await page.getByLabel('Название').fill('Новая')
    await addPicture(page)
    await page.getByRole('button', { name: 'Сохранить' }).click()
    await page.getByRole('link', { name: 'Открыть заметку «Новая»' }).click()
    await page.getByRole('link', { name: 'Редактировать' }).click()
    const [, local = ''] = /\/notes\/([\w-]+)\/edit/.exec(page.url()) ?? []
    await page.getByLabel('Название').fill('Дописана')
    await expect.poll(() => draftPlaces(page)).toEqual([expect.stringContaining(`:notes:${local}:`)])
    if (way === 'in a form that was left before') {
      page.once('dialog', (dialog) => dialog.accept())
      await page.goto(`${server.address}/notes`)
    }
    // A page that has just opened says nothing yet.
    await expect(bar(page)).toHaveText('Нет сети. Изменений ждёт: 1')
    await server.resume()
    await expect(bar(page)).toBeEmpty({ timeout: 40_000 })
    const { results } = await serverItems(server.address, account, '/notes/')
    const moved = [expect.stringContaining(`:notes:${results[0]?.id}:`)]
    if (way === 'in a form that was left before') await expect.poll(() => draftPlaces(page)).toEqual(moved)
    await logOut()
    await expect.poll(() => contents(page)).toEqual([SIGNED_OUT])
    expect(await draftPlaces(page)).toEqual(moved)

    await logIn(account)
    await expect(page).toHaveURL(`${server.address}/home`)
    // A form that opens drops the drafts of items that are gone.
    await page.goto(`${server.address}/notes/add`)
    await expect(page.getByRole('textbox', { name: 'Содержание' })).toBeVisible()
    await page.goto(`${server.address}/notes/${results[0]?.id}/edit`)
    await expect(page.getByText('Мы вернули текст, который вы не успели сохранить.')).toBeVisible()
    await expect(page.getByLabel('Название')).toHaveValue('Дописана')
    await expect(page.locator('form img[src^="blob:"]')).toBeVisible()
    await page.getByRole('button', { name: 'Сохранить' }).click()
    await expect(page.getByRole('heading', { name: 'Дописана' })).toBeVisible()
    await expect.poll(() => draftPlaces(page)).toEqual([])
    await page.goto(`${server.address}/notes`)
    await expect(page.getByRole('article')).toHaveText([/Дописана/])
  })

test('a text with a picture that only this browser has is not sent without it where it cannot wait', async ({
  page,
  serve,
  register,
}) => {
  const server = await serve(ownPort())
  const account = await register(server.address)
  const note = await account.addNote({ title: 'Прежняя' })
  await signIn(page, account.session)
  await page.goto(`${server.address}/home`)
  await copied(page, 1)
  await page.goto(`${server.address}/notes/${note.id}/edit`)
  await expect(page.getByLabel('Название')).toHaveValue('Прежняя')
  await server.pause()
  await addPicture(page)
  // As while the copy starts over: the note has not come yet.
  await page.evaluate(async (name) => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open(name)
      opening.onsuccess = () => resolve(opening.result)
      opening.onerror = () => reject(opening.error)
    })
    const transaction = database.transaction(['owner', 'items'], 'readwrite')
    transaction.objectStore('items').clear()
    const owners = transaction.objectStore('owner')
    const reading = owners.get('owner')
    reading.onsuccess = () =>
      owners.put({ ...reading.result, isWhole: false, revision: reading.result.revision + 1 }, 'owner')
    await new Promise((resolve) => {
      transaction.oncomplete = resolve
    })
    database.close()
  }, DATABASE)
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PUT') sent.push(request.url())
  })
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(message(page, 'Не удалось сохранить заметку.')).toBeVisible()
  expect(sent).toEqual([])
  await expect(page.locator('form img[src^="blob:"]')).toBeVisible()
})

test('a server that takes connections and does not respond is as none, and what it did in silence is done once', async ({
  page,
  context,
  serve,
  register,
}) => {
  const server = await serve()
  const line = await startSilencedLine(server.address)
  const account = await register(server.address)
  await account.addNote({ title: 'Прежняя' })
  await signIn(page, account.session)
  await page.goto(`${line.address}/home`)
  await copied(page, 1)
  await page.goto(`${line.address}/notes/add`)
  await page.getByLabel('Название').fill('В метро')
  await page.getByRole('textbox', { name: 'Содержание' }).click()
  await page.keyboard.type('Текст')
  line.silence()
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(
    message(page, 'Нет сети. Изменение сохранено в этом браузере и отправится само.'),
  ).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(2)

  const tab = await context.newPage()
  await tab.goto(`${line.address}/notes`)
  await expect(tab.getByRole('article')).toHaveCount(2)
  await expect(bar(tab)).toHaveText('Нет сети. Изменений ждёт: 1')
  await tab.getByRole('link', { name: 'Открыть заметку «Прежняя»' }).click()
  await tab.getByRole('link', { name: 'Редактировать' }).click()
  await addPicture(tab)
  await tab.getByRole('button', { name: 'Сохранить' }).click()
  await expect(bar(tab)).toHaveText('Нет сети. Изменений ждёт: 2')

  const onServer = async () => (await serverItems(server.address, account, '/notes/?sort=title')).results
  expect((await onServer()).map(({ title }) => title)).toEqual(['В метро', 'Прежняя'])
  line.resume()
  await expect(bar(tab)).toBeEmpty({ timeout: 40_000 })
  expect((await onServer()).map(({ title }) => title)).toEqual(['В метро', 'Прежняя'])
  await line.close()
})

test('a large response over a slow line is no lost server', async ({ page, serve, register }) => {
  const server = await serve()
  const line = await startSilencedLine(server.address)
  const account = await register(server.address)
  const note = await account.addNote({ title: 'Короткая' })
  await signIn(page, account.session)
  await page.goto(`${line.address}/home`)
  await copied(page, 1)
  const text = randomBytes(200_000).toString('base64').replaceAll(/.{9}/g, '$& ')
  const saved = await fetch(`${server.address}${API_PREFIX}/notes/${note.id}/`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${account.session.access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Длинная', content: `<p>${text}</p>` }),
  })
  expect(saved.status).toBe(200)
  await page.evaluate(() => {
    const { dataset } = document.documentElement
    const bar = document.querySelector('header [role="status"]')
    if (!bar) throw new Error('no status in the top bar')
    new MutationObserver(() => {
      dataset.said = `${dataset.said ?? ''}${bar.textContent}`
    }).observe(bar, { childList: true, subtree: true, characterData: true })
  })
  line.slowDown()
  await page.getByRole('link', { name: 'Открыть заметку «Короткая»' }).click()
  await expect(page.getByRole('heading', { name: 'Длинная' })).toBeVisible({ timeout: 60_000 })
  expect(await page.evaluate(() => document.documentElement.dataset.said)).toBeUndefined()
  await line.close()
})
