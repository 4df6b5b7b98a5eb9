import { expect, expectAccessible, expectNoSidewaysScroll, test } from './journey.ts'
import { startServer } from './server.ts'

/** The route table of the specification, section 2; `:note`, `:link` and `:tag` stand for ids. */
const PROTECTED = [
  ['/home', 'Главная'],
  ['/profile', 'Профиль'],
  ['/notes', 'Заметки'],
  ['/notes/add', 'Новая заметка'],
  ['/notes/:note', 'Заметка'],
  ['/notes/:note/edit', 'Редактирование заметки'],
  ['/url-links', 'Ссылки'],
  ['/urllinks/:link', 'Ссылка'],
  ['/urllinks/:link/edit', 'Редактирование ссылки'],
  ['/urllinks/add', 'Новая ссылка'],
  ['/tags', 'Категории'],
  ['/tags/:tag', 'Категория'],
  ['/tags/:tag/edit/', 'Редактирование категории'],
] as const
const PUBLIC = [
  ['/privacy', 'Политика конфиденциальности'],
  ['/auth/login', 'Вход'],
  ['/auth/registration', 'Регистрация'],
  ['/auth/password-reset', 'Сброс пароля'],
  ['/auth/password-confirm', 'Новый пароль'],
] as const

const LOOKS = [
  { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { colorScheme: 'light', viewport: { width: 320, height: 640 } },
] as const

const LONG = 'Электрокардиографирование'.repeat(10)

for (const { colorScheme, viewport } of LOOKS) {
  test.describe(`${colorScheme}, ${viewport.width} wide`, () => {
    test.use({ colorScheme, viewport })

    for (const [path, title] of [...PROTECTED, ...PUBLIC]) {
      test(`${path} is readable for everyone and fits its width`, async ({
        signedIn,
        account,
        browser,
        baseURL,
      }) => {
        const tags = [LONG.slice(0, 50), ...Array.from({ length: 49 }, (_, at) => `тег ${at}`)]
        const content = `<p>${LONG}</p><pre>${LONG}</pre><table><tbody><tr><td>${LONG}</td></tr></tbody></table>`
        const note = await account.addNote({ title: LONG, content, tags })
        const link = await account.addLink({
          title: LONG,
          description: content,
          url: `https://${'x'.repeat(60)}.example/${LONG}`,
          tags,
        })
        const isPublic = PUBLIC.some(([known]) => known === path)
        const context = await browser.newContext({
          colorScheme,
          viewport,
          locale: 'ru-RU',
          ...(baseURL !== undefined && { baseURL }),
        })
        const page = isPublic ? await context.newPage() : signedIn
        await page.goto(
          path
            .replace(':note', note.id)
            .replace(':link', link.id)
            .replace(':tag', note.tags[0]?.id ?? ''),
        )
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await expect(page).toHaveTitle(new RegExp(`${title}|${LONG}`))
        await expect(
          page
            .getByRole('textbox', { name: /Содержание|Описание/ })
            .or(page.locator('h1'))
            .first(),
        ).toBeVisible()
        if (!isPublic)
          await expect(page.getByRole('contentinfo')).toContainText(String(new Date().getFullYear()))
        await page.waitForLoadState('networkidle')
        await expectAccessible(page)
        await expectNoSidewaysScroll(page)
        await context.close()
      })
    }
  })
}

test('signed out, every protected screen leads to login, which knows where to go back', async ({ page }) => {
  for (const [path] of PROTECTED) {
    await page.goto(path)
    await expect(page).toHaveURL(`/auth/login?redirect=${encodeURIComponent(path)}`)
  }
})

test('the root, unknown addresses and /auth lead where the specification says', async ({
  signedIn: page,
  browser,
  baseURL,
}) => {
  for (const path of ['/', '/unknown', '/notes/a/b/c/d', '/home/']) {
    await page.goto(path)
    await expect(page).toHaveURL(/\/home\/?$/)
    await expect(page.getByRole('heading', { name: 'Главная' })).toBeVisible()
  }
  const context = await browser.newContext({ ...(baseURL !== undefined && { baseURL }) })
  const signedOut = await context.newPage()
  await signedOut.goto('/auth')
  await expect(signedOut).toHaveURL('/auth/login')
  await context.close()
})

test('light and dark follow the system while the page is open', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/auth/login')
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  await expect(page.getByRole('heading')).toBeVisible()
  const light = await background()
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(background).not.toBe(light)
  await page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(background).toBe(light)
})

test('a page that fails to load is loaded once more, and only once', async ({
  signedIn: page,
  expectedInConsole,
}) => {
  expectedInConsole.push(/./)
  let documents = 0
  page.on('request', (request) => {
    if (request.resourceType() === 'document') documents += 1
  })
  await page.route(/\/assets\/list-page/, (route) => route.abort())
  await page.goto('/home')
  await expect(page.getByRole('heading', { name: 'Главная' })).toBeVisible()
  documents = 0
  await page.getByRole('button', { name: 'Открыть меню' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Заметки' }).click()
  await expect(page.getByRole('heading', { name: 'Что-то пошло не так' })).toBeVisible()
  expect(documents).toBe(1)
})

test('the whole of a form can be filled and saved by keyboard alone', async ({ signedIn: page }) => {
  await page.goto('/notes/add')
  await page.getByLabel('Название').focus()
  await page.keyboard.type('С клавиатуры')
  const editor = page.getByRole('textbox', { name: 'Содержание' })
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press('Tab')
    if (await editor.evaluate((element) => element === document.activeElement)) break
  }
  await expect(editor).toBeFocused()
  await page.keyboard.type('Без мыши')
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press('Tab')
    if (
      await page
        .getByRole('button', { name: 'Сохранить' })
        .evaluate((element) => element === document.activeElement)
    )
      break
  }
  await page.keyboard.press('Enter')
  await expect(page.getByText('Заметка успешно добавлена!')).toBeVisible()
})

test('the privacy policy: eleven sections, since when, whom to ask; wide enough to read', async ({
  page,
  browser,
}) => {
  await page.goto('/privacy')
  await expect(page.getByText('Действует с 01.01.2025')).toBeVisible()
  await expect(page.getByRole('heading', { level: 2 })).toHaveCount(11)
  await expect(page.getByRole('link', { name: 'support@example.org' })).toHaveAttribute(
    'href',
    'mailto:support@example.org',
  )
  expect((await page.getByRole('article').boundingBox())?.width).toBeGreaterThan(600)

  const other = await startServer({ SUPPORT_EMAIL: 'help@kopilka.example' })
  const english = await browser.newPage()
  await english.addInitScript(() => localStorage.setItem('language', 'en'))
  await english.goto(`${other.address}/privacy`)
  await expect(english.getByText('Effective 01.01.2025')).toBeVisible()
  await expect(english.getByRole('heading', { level: 2 })).toHaveCount(11)
  await expect(english.getByRole('link', { name: 'help@kopilka.example' })).toBeVisible()
  await english.close()
  await other.stop()
})
