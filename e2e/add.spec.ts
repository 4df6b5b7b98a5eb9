import { randomUUID } from 'node:crypto'
import { type CDPSession, type Page, request } from '@playwright/test'
import { expect, expectAccessible, expectNoSidewaysScroll, message, signIn } from './fixtures.ts'
import { test } from './site.ts'

const title = (page: Page) => page.getByLabel('Название')
const addressOf = (parameters: Record<string, string>) => `/add?${new URLSearchParams(parameters)}`

for (const width of [1280, 390]) {
  test.describe(`${width} wide`, () => {
    test.use({ viewport: { width, height: 844 } })

    test('a page shared as Android shares one is saved with one key', async ({ signedIn: page, site }) => {
      await page.goto(addressOf({ title: 'Кофе & чай', text: `${site.url}coffee?a=1&b=2`, url: '' }))
      await expect(page).toHaveTitle('Новая ссылка — Копилка')
      await expect(page.getByLabel('URL')).toHaveValue(`${site.url}coffee?a=1&b=2`)
      await expect(title(page)).toHaveValue('Кофе & чай')
      await expect(page.getByRole('textbox', { name: 'Описание' })).toHaveText('Зёрна & вода: <просто>')
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await expect(page.getByLabel('URL')).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(message(page, 'Ссылка успешно добавлена!')).toBeVisible()
      await expect(page.getByRole('link', { name: 'Кофе & чай', exact: true })).toBeVisible()
    })

    test('text becomes a note, saved with one key', async ({ signedIn: page }) => {
      await page.goto(addressOf({ text: 'Купить\nмолоко & <хлеб>', tags: 'дом, Дом, покупки' }))
      await expect(page).toHaveTitle('Новая заметка — Копилка')
      await expect(title(page)).toHaveValue('Купить')
      await expect(page.getByRole('textbox', { name: 'Содержание' })).toHaveText('молоко & <хлеб>')
      await expect(page.getByRole('button', { name: /^Убрать тег/ })).toHaveCount(2)
      await expect(title(page)).toBeFocused()
      // Pressed twice it saves once.
      await page.keyboard.press('Enter')
      await page.keyboard.press('Enter')
      await expect(message(page, 'Заметка успешно добавлена!')).toBeVisible()
      await expect(page.getByRole('link', { name: 'Купить', exact: true })).toBeVisible()
    })
  })
}

test('without a session one signs in first, and nothing of what was shared is lost', async ({
  page,
  account,
  logIn,
}) => {
  const shared = addressOf({ title: 'A&B=C? «50%»', text: 'Первая строка\nhttps://example.org/?x=1&y=%26#z' })
  await page.route('**/extract-meta-tags/', (route) =>
    route.fulfill({ json: { title: '', description: '', keywords: '' } }),
  )
  await page.goto(shared)
  await expect(page).toHaveURL(`/auth/login?${new URLSearchParams({ redirect: shared })}`)
  await logIn(account)
  await expect(page.getByLabel('URL')).toHaveValue('https://example.org/?x=1&y=%26#z')
  await expect(title(page)).toHaveValue('A&B=C? «50%»')
  await expect(page.getByRole('textbox', { name: 'Описание' })).toHaveText('Первая строка')
})

test('without an account one registers and signs in first, and nothing of what was shared is lost', async ({
  page,
  logIn,
}) => {
  const shared = addressOf({ title: 'Мысль', text: 'Первая строка' })
  const account = { email: `${randomUUID()}@example.org`, password: 'ключ от дачи' }
  await page.goto(shared)
  await page.getByRole('link', { name: 'Забыли пароль?' }).click()
  await expect(page.getByRole('heading', { name: 'Сброс пароля' })).toBeVisible()
  await page.getByRole('link', { name: 'Вход' }).click()
  await expect(page.getByRole('heading', { name: 'Вход' })).toBeVisible()
  await page.getByRole('button', { name: 'Зарегистрироваться' }).click()
  await page.getByLabel('Имя').fill('Анна')
  await page.getByLabel('Фамилия').fill('Каренина')
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password').fill(account.password)
  await page.getByRole('button', { name: 'Зарегистрироваться' }).click()
  await logIn(account)
  await expect(title(page)).toHaveValue('Мысль')
  await expect(page.getByRole('textbox', { name: 'Содержание' })).toHaveText('Первая строка')
})

test('a page that cannot be read is saved with one key all the same, described by its address', async ({
  signedIn: page,
  site,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 400/)
  await page.goto(addressOf({ url: `${site.url}gone` }))
  await expect(page.getByLabel('URL')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(message(page, 'Ссылка успешно добавлена!')).toBeVisible()
  const row = page.getByRole('article')
  await expect(row.getByRole('link', { name: /^gone — 127/ })).toBeVisible()
  await expect(row).toContainText(`${site.url.slice('http://'.length)}gone`)
})

test('a file of ftp, which no page describes, is saved with one key', async ({ signedIn: page }) => {
  await page.goto(addressOf({ text: 'ftp://example.org/pub/read_me.txt' }))
  await expect(title(page)).toHaveValue('read me.txt — example.org')
  await page.keyboard.press('Enter')
  await expect(message(page, 'Ссылка успешно добавлена!')).toBeVisible()
  await expect(page.getByRole('article')).toContainText('example.org/pub/read_me.txt')
})

test('a long text comes whole, and what is shared runs nothing', async ({ signedIn: page }) => {
  const text = `javascript:alert(1) <img src=x onerror=alert(1)> ${'слово '.repeat(3000)}конец`
  await page.goto(addressOf({ url: 'javascript:alert(2)', title: '<script>alert(3)</script>', text }))
  await expect(page).toHaveTitle('Новая заметка — Копилка')
  await expect(title(page)).toHaveValue('<script>alert(3)</script>')
  const content = page.getByRole('textbox', { name: 'Содержание' })
  await expect(content).toContainText('javascript:alert(2)')
  await expect(content).toContainText('javascript:alert(1) <img src=x onerror=alert(1)>')
  await expect(content).toContainText('слово конец')
})

test('unsaved text is offered and stays: nothing that is shared overwrites it', async ({
  signedIn: page,
}) => {
  await page.goto('/notes/add')
  await title(page).fill('Недописанное')
  await page.goto(addressOf({ text: 'Поделились этим' }))
  await expect(title(page)).toHaveValue('Поделились этим')
  await expect(page.getByText('В этом браузере остался несохранённый текст: «Недописанное».')).toBeVisible()
  // What is shared is a draft of its own: a reload brings it back as it was changed.
  await title(page).fill('Поделились этим, и дописали')
  await page.reload()
  await expect(title(page)).toHaveValue('Поделились этим, и дописали')
  await page.goto('/notes/add')
  await expect(page.getByText('«Поделились этим, и дописали».')).toBeVisible()
})

test('a browser learns from the page how to search here', async ({ signedIn: page }) => {
  await page.goto('/home')
  const href = await page.locator('link[rel=search]').getAttribute('href')
  const description = await page.request.get(href ?? '')
  expect(description.headers()['content-type']).toContain('application/opensearchdescription+xml')
  const [, template = ''] =
    /<Url type="text\/html"[^>]* template="([^"]+)"/.exec(await description.text()) ?? []
  const { pathname, search } = new URL(template.replace('{searchTerms}', encodeURIComponent('чай')))
  await page.goto(pathname + search)
  await expect(page.getByLabel('Поиск', { exact: true })).toHaveValue('чай')
})

test.describe('the installed page', () => {
  const devTools = (page: Page): Promise<CDPSession> => page.context().newCDPSession(page)

  test('can be installed, by the rules of Chromium', async ({ signedIn: page }) => {
    await page.goto('/home')
    const cdp = await devTools(page)
    const { url, errors, data } = await cdp.send('Page.getAppManifest')
    expect(new URL(url).pathname).toBe('/manifest.webmanifest')
    expect(errors).toEqual([])
    expect(JSON.parse(data ?? '')).toMatchObject({ name: 'Копилка', lang: 'ru' })
    const { installabilityErrors } = await cdp.send('Page.getInstallabilityErrors')
    // A test has a profile of its own, which Chromium calls incognito.
    expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
  })

  test('is called as the interface speaks', async ({ signedIn: page }) => {
    await page.addInitScript(() => localStorage.setItem('language', 'en'))
    await page.goto('/home')
    await expect(page.getByRole('heading', { name: 'Notes' })).toBeVisible()
    const { data, errors } = await (await devTools(page)).send('Page.getAppManifest')
    expect(errors).toEqual([])
    expect(JSON.parse(data ?? '')).toMatchObject({ lang: 'en', shortcuts: [{ name: 'New note' }, {}] })
  })

  test('has icons of the sizes it says, shortcuts and a target that exist', async ({
    page,
    account,
    address,
  }) => {
    await signIn(page, account.session)
    const context = await request.newContext({ baseURL: address })
    for (const file of ['/manifest.webmanifest', '/manifest-en.webmanifest']) {
      const response = await context.get(file)
      expect(response.headers()['content-type']).toContain('application/manifest+json')
      const manifest = await response.json()
      expect(manifest.id).toBe('/home')
      expect(manifest.share_target).toEqual({
        action: '/add',
        method: 'GET',
        enctype: 'application/x-www-form-urlencoded',
        params: { title: 'title', text: 'text', url: 'url' },
      })
      expect(manifest.icons.map(({ purpose = 'any' }) => purpose)).toContain('maskable')
      for (const { src, sizes, type } of manifest.icons) {
        const icon = await context.get(src)
        expect(icon.headers()['content-type']).toBe(type)
        if (type !== 'image/png') continue
        const bytes = await icon.body()
        expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(sizes)
      }
      for (const { url } of manifest.shortcuts) {
        await page.goto(url)
        await expect(page.getByRole('button', { name: 'Сохранить' })).toBeVisible()
      }
    }
    await context.dispose()
  })
})
