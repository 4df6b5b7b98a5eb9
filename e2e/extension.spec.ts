import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page, type Worker } from '@playwright/test'
import { buildExtension } from '../scripts/build-extension.ts'
import { findChromium } from '../scripts/find-chromium.mjs'
import { type Account, expect, expectAccessible, signIn } from './fixtures.ts'
import { test as journey } from './site.ts'

/** The way to the server, which can be cut. */
interface Line {
  readonly address: string
  /** 'lost': requests arrive, and their responses do not. 'held': requests wait for `release`. */
  mode: 'up' | 'away' | 'lost' | 'held'
  /** Sends the requests that wait, and goes on as 'up'. */
  release(): void
  /** Requests that wait. */
  readonly held: number
  /** Responses that were lost. */
  readonly lost: number
}

interface Installed {
  context: BrowserContext
  worker: Worker
  /** Opens a page in a tab of its own, and the popup over it. */
  openPopup(over: Page): Promise<Page>
}

const test = journey.extend<{ line: Line; installed: Installed; connected: Installed }>({
  line: async ({ address }, use) => {
    const port = Number(new URL(address).port)
    const open = new Set<Socket>()
    const held: (() => void)[] = []
    const line = {
      address: '',
      mode: 'up' as Line['mode'],
      lost: 0,
      get held() {
        return held.length
      },
      release: () => {
        line.mode = 'up'
        for (const send of held.splice(0)) send()
      },
    }
    const server = createServer((socket) => {
      open.add(socket)
      socket.on('error', () => socket.destroy())
      if (line.mode === 'away') return void socket.destroy()
      const behind = connect(port, '127.0.0.1')
      open.add(behind)
      behind.on('error', () => socket.destroy())
      behind.on('close', () => socket.destroy())
      behind.on('data', (bytes) => {
        if (line.mode !== 'lost') return void socket.write(bytes)
        line.lost += 1
        socket.destroy()
      })
      socket.on('data', (bytes) => {
        if (line.mode === 'away') socket.destroy()
        else if (line.mode === 'held') held.push(() => behind.write(bytes))
        else behind.write(bytes)
      })
      socket.on('close', () => behind.end())
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    line.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await use(line)
    for (const socket of open) socket.destroy()
    server.close()
  },

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a function needs from this pattern
  installed: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'kopilka-extension-'))
    const extension = join(folder, 'extension')
    await buildExtension('chromium', extension)
    // No test can press "Allow" in a window of the browser itself: here the right is given beforehand.
    const file = join(extension, 'manifest.json')
    const manifest = JSON.parse(await readFile(file, 'utf8'))
    await writeFile(file, JSON.stringify({ ...manifest, host_permissions: ['http://127.0.0.1/*'] }))
    // Not every Chromium has Russian: here the Russian sentences stand for the English ones as well.
    await cp(join(extension, '_locales', 'ru'), join(extension, '_locales', 'en'), { recursive: true })
    const { executablePath, args = [] } = findChromium({ fullBrowser: true }) ?? {}
    const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
      headless: false,
      ...(executablePath !== undefined && { executablePath }),
      args: [
        ...args,
        '--headless=new',
        `--disable-extensions-except=${extension}`,
        `--load-extension=${extension}`,
      ],
    })
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
    const popup = new URL('popup.html', worker.url()).href
    await use({
      context,
      worker,
      // Playwright does not see the browser's own popup: it is opened in a tab, and told over which tab it stands.
      openPopup: async (over) => {
        const [tab] = await tabsOf(worker, over.url())
        const page = await context.newPage()
        await page.addInitScript((tab) => {
          const { chrome } = globalThis as unknown as { chrome: { tabs: { query: unknown } } }
          chrome.tabs.query = async () => [tab]
        }, tab)
        await page.goto(popup)
        return page
      },
    })
    await context.close()
    // Processes of the browser may write to its profile for a moment yet.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  },

  connected: async ({ installed, line, account }, use) => {
    const { context, openPopup } = installed
    const page = await context.newPage()
    await connectTo(page, openPopup, line.address, account)
    await page.close()
    await use(installed)
  },
})

/** Presses the button in the settings of Копилка, then the one in the popup. */
async function connectTo(
  page: Page,
  openPopup: Installed['openPopup'],
  address: string,
  account: Account,
): Promise<void> {
  await signIn(page, account.session)
  await page.goto(`${address}/profile/programs`)
  await page.getByRole('button', { name: 'Подключить расширение' }).click()
  await expect(page.getByText('Теперь нажмите значок расширения')).toBeVisible()
  const popup = await openPopup(page)
  await expect(popup.getByLabel('Адрес Копилки')).toHaveValue(address)
  await popup.getByRole('button', { name: 'Подключить' }).click()
  await expect(popup.getByRole('button', { name: 'Сохранить' })).toBeVisible()
  await popup.close()
}

interface Saved {
  count: number
  results: { title: string; url: string; description: string; tags: { name: string }[] }[]
}

/** The links of the account, as the server has them. */
async function linksOf({ session }: Account, address: string): Promise<Saved> {
  const response = await fetch(`${address}/api/v1/urllinks/`, {
    headers: { authorization: `Bearer ${session.access_token}` },
  })
  return (await response.json()) as Saved
}

/** A page with a text of which the middle is selected. */
async function openPage({ context }: Installed, url: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(url)
  await page.evaluate(() => {
    document.body.innerHTML =
      '<p>Сначала</p><p id="quote">Зёрна &lt;молоть&gt; мелко</p><a href="/linked">далее</a>'
    const quote = document.getElementById('quote')
    if (quote) getSelection()?.selectAllChildren(quote)
  })
  return page
}

/** The browser's API as the worker of the extension has it, of which the tests know no types. */
interface WithChrome {
  chrome: {
    tabs: { query(all: object): Promise<{ id: number; url?: string; title?: string }[]> }
    contextMenus: { onClicked: { dispatch(...all: unknown[]): void } }
    action: { openPopup(): Promise<void> }
    runtime: { getManifest(): { permissions: string[] } }
    commands: { getAll(): Promise<{ name: string; shortcut: string }[]> }
    storage: {
      local: {
        get(key: string): Promise<{ queue?: { body: { url: string; title: string } }[] }>
        set(values: object): Promise<void>
      }
    }
  }
}

/** The tabs that show an address. */
const tabsOf = (worker: Worker, url: string) =>
  worker.evaluate(async (url) => {
    const { chrome } = globalThis as unknown as WithChrome
    return (await chrome.tabs.query({})).filter((tab) => tab.url === url)
  }, url)

/** Presses an entry of the context menu, which no test can do with the mouse. */
const pressMenu = async (
  { worker }: Installed,
  press: Record<string, string>,
  url: string,
): Promise<void> => {
  const [tab] = await tabsOf(worker, url)
  await worker.evaluate(
    ([press, tab]) => {
      const { chrome } = globalThis as unknown as WithChrome
      chrome.contextMenus.onClicked.dispatch(press, tab)
    },
    [press, tab] as const,
  )
}

test('a page is saved with its title, a tag of one’s own and the selected text as a quote', async ({
  connected,
  account,
  address,
  site,
}) => {
  await account.addNote({ tags: ['Кухня', 'книги'] })
  const popup = await connected.openPopup(await openPage(connected, `${site.url}coffee`))
  await expect(popup.getByLabel('Название')).toHaveValue('Как варить кофе')
  await expect(popup.getByLabel('Цитата')).toHaveValue('Зёрна <молоть> мелко')
  await expectAccessible(popup)
  await expect(popup.getByRole('button', { name: 'Сохранить' })).toHaveCSS('font-size', '15px')
  // A keyword of the page, and beside it one's own tags.
  await expect(popup.getByRole('button', { name: 'кофе' })).toBeVisible()
  await popup.getByRole('textbox', { name: 'Теги' }).fill('утро, ку')
  await popup.getByRole('button', { name: 'Кухня' }).click()
  await expect(popup.getByRole('textbox', { name: 'Теги' })).toHaveValue('утро, Кухня, ')
  await popup.getByRole('textbox', { name: 'Теги' }).press('Enter')
  await expect(popup.getByText('Сохранено: «Как варить кофе».')).toBeVisible()
  const { results } = await linksOf(account, address)
  expect(results).toMatchObject([
    {
      title: 'Как варить кофе',
      url: `${site.url}coffee`,
      description: '<blockquote><p>Зёрна &lt;молоть&gt; мелко</p></blockquote>',
    },
  ])
  expect(results[0]?.tags.map(({ name }) => name).toSorted()).toEqual(['Кухня', 'утро'])
})

test('what is kept already is said, and leads there', async ({ connected, account, line, site }) => {
  const { id } = await account.addLink({ title: 'Давно храню', url: `${site.url}coffee/?utm_source=x` })
  const popup = await connected.openPopup(await openPage(connected, `${site.url}coffee`))
  await expect(popup.getByText('Уже сохранено: Давно храню')).toBeVisible()
  const opened = connected.context.waitForEvent('page')
  await popup.getByRole('link', { name: 'Давно храню' }).click()
  await expect(await opened).toHaveURL(`${line.address}/urllinks/${id}`)
})

test('the context menus save the page, a link, and the page with what is selected', async ({
  connected,
  account,
  address,
  site,
}) => {
  await openPage(connected, `${site.url}coffee`)
  const url = `${site.url}coffee`
  const saved = async () => (await linksOf(account, address)).results
  await pressMenu(connected, { menuItemId: 'page' }, url)
  await expect.poll(saved).toMatchObject([{ url, description: '<p>Зёрна &amp; вода: &lt;просто&gt;</p>' }])
  await pressMenu(connected, { menuItemId: 'link', linkUrl: `${site.url}linked` }, url)
  await expect.poll(saved).toMatchObject([{ url: `${site.url}linked` }, {}])
  await pressMenu(connected, { menuItemId: 'selection', selectionText: 'Зёрна' }, url)
  await expect
    .poll(saved)
    .toMatchObject([{ description: '<blockquote><p>Зёрна &lt;молоть&gt; мелко</p></blockquote>' }, {}, {}])
})

test('while the server is away links wait in the browser; each is saved once when it is back', async ({
  connected,
  account,
  address,
  line,
  site,
}) => {
  const page = await openPage(connected, `${site.url}coffee`)
  line.mode = 'away'
  const popup = await connected.openPopup(page)
  await popup.getByRole('button', { name: 'Сохранить' }).click()
  await expect(popup.getByText('Ссылка сохранена в браузере и отправится сама.')).toBeVisible()
  await expect(popup.getByText('Ждут отправки: 1')).toBeVisible()
  // It arrives, and the response is lost on the way back.
  line.mode = 'lost'
  await popup.getByRole('button', { name: 'Отправить' }).click()
  await expect.poll(() => line.lost).toBeGreaterThan(0)
  const kept = async () => (await linksOf(account, address)).count
  expect(await kept()).toBe(1)
  await expect(popup.getByText('Ждут отправки: 1')).toBeVisible()
  line.mode = 'up'
  await popup.getByRole('button', { name: 'Отправить' }).click()
  await expect(popup.getByText('Ждут отправки')).toBeHidden()
  expect(await kept()).toBe(1)
})

test('what is removed while another link is on its way is not sent', async ({
  connected,
  account,
  address,
  line,
  site,
}) => {
  const page = await openPage(connected, `${site.url}coffee`)
  line.mode = 'away'
  for (const title of ['Первая', 'Вторая']) {
    const popup = await connected.openPopup(page)
    await popup.getByLabel('Название').fill(title)
    await popup.getByRole('button', { name: 'Сохранить' }).click()
    await expect(popup.getByText('Ссылка сохранена в браузере и отправится сама.')).toBeVisible()
    await popup.close()
  }
  const popup = await connected.openPopup(page)
  await expect(popup.getByText('Ждут отправки: 2')).toBeVisible()
  line.mode = 'held'
  await popup.getByRole('button', { name: 'Отправить' }).click()
  await expect.poll(() => line.held).toBeGreaterThan(0)
  const second = popup.getByRole('listitem').filter({ hasText: 'Вторая' })
  await second.getByRole('button', { name: 'Убрать' }).click()
  const titles = () =>
    connected.worker.evaluate(async () => {
      const { chrome } = globalThis as unknown as WithChrome
      const { queue = [] } = await chrome.storage.local.get('queue')
      return queue.map(({ body }) => body.title)
    })
  await expect.poll(titles).toEqual(['Первая'])
  line.release()
  await expect(popup.getByText('Ждут отправки')).toBeHidden()
  expect((await linksOf(account, address)).results.map(({ title }) => title)).toEqual(['Первая'])
})

test('what arrived a day ago without a response is not saved again; another quote of the page is', async ({
  connected,
  account,
  address,
  line,
  site,
}) => {
  const page = await openPage(connected, `${site.url}coffee`)
  line.mode = 'lost'
  const popup = await connected.openPopup(page)
  // The server stores composed letters.
  await popup.getByLabel('Название').fill('Чёрный чай'.normalize('NFD'))
  await popup.getByRole('button', { name: 'Сохранить' }).click()
  await expect.poll(() => line.lost).toBeGreaterThan(0)
  await expect(popup.getByText('Ждут отправки: 1')).toBeVisible()
  // A day later the server does not know the key any more: here it is another one.
  await connected.worker.evaluate(async () => {
    const { chrome } = globalThis as unknown as WithChrome
    const { queue = [] } = await chrome.storage.local.get('queue')
    const aged = queue.map((one) => ({
      ...one,
      key: crypto.randomUUID(),
      sentAt: Date.now() - 25 * 60 * 60_000,
    }))
    const other = aged.map((one) => ({
      ...one,
      key: crypto.randomUUID(),
      body: { ...one.body, description: '<p>Другая цитата</p>' },
    }))
    await chrome.storage.local.set({ queue: [...aged, ...other] })
  })
  line.mode = 'up'
  await popup.getByRole('button', { name: 'Отправить' }).click()
  await expect(popup.getByText('Ждут отправки')).toBeHidden()
  const { results } = await linksOf(account, address)
  expect(results.map(({ description }) => description)).toEqual([
    '<p>Другая цитата</p>',
    '<blockquote><p>Зёрна &lt;молоть&gt; мелко</p></blockquote>',
  ])
})

test('Ctrl+Enter pressed twice saves once; a page cannot put a picture in the place of its title', async ({
  connected,
  account,
  address,
  site,
}) => {
  const page = await openPage(connected, `${site.url}coffee`)
  await page.evaluate(() => {
    document.head.innerHTML = ''
    document.body.innerHTML = '<img name="title">'
  })
  const popup = await connected.openPopup(page)
  await expect(popup.getByLabel('Название')).toHaveValue(/coffee$/)
  await popup.getByLabel('Название').evaluate((field) => {
    for (let press = 0; press < 2; press += 1)
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true }))
  })
  await expect(popup.getByText(/^Сохранено: /)).toBeVisible()
  expect((await linksOf(account, address)).count).toBe(1)
})

test('a change that the server refuses shows the reason, stays, and is sent again on request', async ({
  connected,
  account,
  address,
  site,
}) => {
  const popup = await connected.openPopup(await openPage(connected, `${site.url}coffee?${'x'.repeat(2100)}`))
  await popup.getByRole('button', { name: 'Сохранить' }).click()
  await expect(popup.getByText(/Сервер не принял ссылку, она осталась в браузере: .*2048/)).toBeVisible()
  await expect(popup.getByText('Ждут отправки: 1')).toBeVisible()
  await connected.worker.evaluate(async () => {
    const { chrome } = globalThis as unknown as WithChrome
    const { queue } = await chrome.storage.local.get('queue')
    for (const { body } of queue ?? []) body.url = 'https://example.org/short'
    await chrome.storage.local.set({ queue })
  })
  await popup.getByRole('button', { name: 'Отправить' }).click()
  await expect(popup.getByText('Ждут отправки')).toBeHidden()
  expect((await linksOf(account, address)).count).toBe(1)
})

test('with a token that was revoked links wait; with a new one they are sent', async ({
  connected,
  account,
  address,
  line,
  site,
}) => {
  const headers = { authorization: `Bearer ${account.session.access_token}` }
  const list = await fetch(`${address}/api/v1/tokens/`, { headers })
  const { results } = (await list.json()) as { results: { id: string }[] }
  for (const { id } of results) await fetch(`${address}/api/v1/tokens/${id}/`, { method: 'DELETE', headers })
  const popup = await connected.openPopup(await openPage(connected, `${site.url}coffee`))
  await popup.getByRole('button', { name: 'Сохранить' }).click()
  await expect(popup.getByText(/Ссылка сохранена в браузере, но ключ больше не действует/)).toBeVisible()
  await popup.reload()
  await popup.getByRole('button', { name: 'Отключить' }).click()
  await expect(popup.getByRole('button', { name: 'Подключить' })).toBeVisible()
  await connectTo(await connected.context.newPage(), connected.openPopup, line.address, account)
  await expect.poll(async () => (await linksOf(account, address)).count).toBe(1)
})

test('it asks for no more than it needs, has a key of its own, and a popup that opens', async ({
  installed: { context, worker },
}) => {
  await context.newPage()
  const { permissions, commands } = await worker.evaluate(async () => {
    const { chrome } = globalThis as unknown as WithChrome
    await chrome.action.openPopup()
    return { ...chrome.runtime.getManifest(), commands: await chrome.commands.getAll() }
  })
  expect(permissions).toEqual(['activeTab', 'contextMenus', 'scripting', 'storage'])
  expect(commands).toMatchObject([{ name: '_execute_action', shortcut: 'Alt+Shift+K' }])
})

test('a wrong address or token is said, and nothing is kept of it', async ({
  installed,
  line,
  site,
  account,
  address,
}) => {
  const popup = await installed.openPopup(await openPage(installed, site.url))
  await popup.getByLabel('Адрес Копилки').fill(line.address)
  await popup.getByLabel('Ключ доступа').fill('не ключ')
  await popup.getByRole('button', { name: 'Подключить' }).click()
  await expect(popup.getByText('Проверьте адрес и ключ: ключ начинается с kop_.')).toBeVisible()
  const made = await fetch(`${address}/api/v1/tokens/`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${account.session.access_token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ name: 'Читалка', scope: 'read' }),
  })
  await popup.getByLabel('Ключ доступа').fill(((await made.json()) as { token: string }).token)
  await popup.getByRole('button', { name: 'Подключить' }).click()
  await expect(popup.getByText('У этого ключа нет права на такое действие.')).toBeVisible()
  await popup.getByLabel('Ключ доступа').fill('kop_wrong')
  await popup.getByRole('button', { name: 'Подключить' }).click()
  await expect(popup.getByText(/Ключ больше не действует/)).toBeVisible()
  await popup.reload()
  await expect(popup.getByLabel('Ключ доступа')).toHaveValue('')
})

test('it says the same in Russian and in English', async () => {
  const [ru, en] = await Promise.all(
    ['ru', 'en'].map(async (language) => {
      const file = new URL(`../extension/locales/${language}.json`, import.meta.url)
      return JSON.parse(await readFile(file, 'utf8')) as Record<string, { message: string }>
    }),
  )
  expect(Object.keys(en ?? {})).toEqual(Object.keys(ru ?? {}))
  expect(
    Object.values(en ?? {}).filter(({ message }) => /[а-яё]/i.test(message.replaceAll('Копилка', ''))),
  ).toEqual([])
})
