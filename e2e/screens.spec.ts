import type { Locator, Page } from '@playwright/test'
import {
  type Crowded,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  LONG,
  signIn,
  test,
} from './journey.ts'
import { startServer } from './server.ts'

interface Screen {
  path: string
  title: string
  /** What is there once all has come that the screen waits for. */
  loaded: (page: Page) => Locator
}

const screen = (path: string, title: string, loaded: Screen['loaded']): Screen => ({ path, title, loaded })
const article = (page: Page) => page.getByRole('article').last()
const field = (name: string) => (page: Page) => page.getByRole('textbox', { name })
const text = (text: string | RegExp) => (page: Page) => page.getByRole('main').getByText(text).first()

/** The route table of the specification, section 2; `:note`, `:link` and `:tag` stand for ids. */
const PROTECTED = {
  'home and profile': [
    screen('/home', 'Главная', (page) => page.getByRole('article').nth(1)),
    screen('/profile', 'Профиль', field('Email')),
  ],
  notes: [
    screen('/notes', 'Заметки', article),
    screen('/notes/add', 'Новая заметка', field('Содержание')),
    screen('/notes/:note', LONG, text('Создано')),
    screen('/notes/:note/edit', `Редактирование заметки «${LONG}»`, field('Содержание')),
  ],
  links: [
    screen('/url-links', 'Ссылки', article),
    screen('/urllinks/:link', LONG, text('Создано')),
    screen('/urllinks/:link/edit', `Редактирование ссылки «${LONG}»`, field('Описание')),
    screen('/urllinks/add', 'Новая ссылка', field('Описание')),
  ],
  tags: [
    screen('/tags', 'Категории', text(LONG.slice(0, 50))),
    screen('/tags/:tag', 'тег 0', article),
    screen('/tags/:tag/edit/', 'Редактирование категории «тег 0»', field('Название Тега')),
  ],
} as const
const PUBLIC = [
  screen('/privacy', 'Политика конфиденциальности', text('support@example.org')),
  screen('/auth/login', 'Вход', field('Email')),
  screen('/auth/registration', 'Регистрация', field('Email')),
  screen('/auth/password-reset', 'Сброс пароля', field('Email')),
  screen('/auth/password-confirm', 'Новый пароль', text(/неполная/)),
] as const

const LOOKS = [
  { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { colorScheme: 'light', viewport: { width: 320, height: 640 } },
] as const

const addressOf = ({ path }: Screen, { note, link }: Crowded): string =>
  path
    .replace(':note', note.id)
    .replace(':link', link.id)
    .replace(':tag', note.tags[0]?.id ?? '')

/** Every button shows the whole of what it says. */
async function expectWholeButtons(page: Page): Promise<void> {
  const cut = await page
    .getByRole('main')
    .evaluate((main) =>
      [...main.querySelectorAll<HTMLElement>('.mantine-Button-label')]
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(({ innerText }) => innerText),
    )
  expect(cut).toEqual([])
}

async function expectReadable(page: Page, { path, title, loaded }: Screen, address = path): Promise<void> {
  await test.step(path, async () => {
    await page.goto(address)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page).toHaveTitle(`${title} — Копилка`)
    await expect(loaded(page)).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await expectWholeButtons(page)
  })
}

for (const { colorScheme, viewport } of LOOKS) {
  test.describe(`${colorScheme}, ${viewport.width} wide, readable for everyone and fitting its width`, () => {
    test.use({ colorScheme, viewport })
    // Several screens each.
    test.slow()

    for (const [part, screens] of Object.entries(PROTECTED)) {
      test(part, async ({ page, crowded }) => {
        await signIn(page, crowded.session)
        for (const one of screens) {
          await expectReadable(page, one, addressOf(one, crowded))
          await expect(page.getByRole('contentinfo')).toContainText(String(new Date().getFullYear()))
        }
      })
    }

    test('signed out', async ({ page }) => {
      for (const one of PUBLIC) await expectReadable(page, one)
    })
  })
}

for (const width of [1280, 640]) {
  test(`text twice as large fits on a screen ${width} wide`, async ({ page, crowded }) => {
    test.slow()
    await page.setViewportSize({ width, height: 800 })
    await signIn(page, crowded.session)
    for (const one of [
      ...Object.values(PROTECTED).flat(),
      screen('/privacy', '', text('support@example.org')),
    ]) {
      await test.step(one.path, async () => {
        await page.goto(addressOf(one, crowded))
        await page.addStyleTag({ content: 'html { font-size: 200% }' })
        await expect(one.loaded(page)).toBeVisible()
        await expectNoSidewaysScroll(page)
        await expectWholeButtons(page)
      })
    }
  })
}

test('icons grow with the text beside them', async ({ signedIn: page }) => {
  await page.goto('/notes/add')
  const icons = {
    'the mark': page.getByRole('banner').getByRole('link', { name: 'Копилка' }).locator('svg'),
    'the menu': page.getByRole('button', { name: 'Открыть меню' }).locator('svg'),
    'the editor': page.getByRole('button', { name: 'Полужирный' }).locator('svg'),
  }
  for (const [name, icon] of Object.entries(icons)) {
    await test.step(name, async () => {
      const width = () => icon.evaluate((it) => Number.parseFloat(getComputedStyle(it).width))
      const before = await width()
      const style = await page.addStyleTag({ content: 'html { font-size: 200% }' })
      // A frame of one pixel stays as it is.
      expect(await width()).toBeGreaterThan(1.9 * before)
      await style.evaluate((element) => element.parentNode?.removeChild(element))
    })
  }
})

test('who asked for less motion sees none', async ({ signedIn: page, account }) => {
  await account.addNote({ title: 'Спокойная' })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  /** Everything that moves, and how it is called. */
  const moving = () =>
    page.evaluate(() =>
      document
        .getAnimations()
        .filter((animation) => Number(animation.effect?.getComputedTiming().duration) > 0)
        .map((animation) =>
          animation.effect instanceof KeyframeEffect ? animation.effect.target?.className : '',
        ),
    )
  await page.goto('/home')
  await page.getByRole('button', { name: 'Открыть меню' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(await moving()).toEqual([])
  await page.getByRole('dialog').getByRole('link', { name: 'Заметки' }).click()
  await expect(page.getByRole('article')).toContainText('Спокойная')
  await page.getByRole('link', { name: 'Открыть заметку' }).click()
  await page.getByRole('button', { name: 'Удалить' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(await moving()).toEqual([])
  await page.getByRole('dialog').getByRole('button', { name: 'Удалить' }).click()
  await expect(page.getByText('Заметка успешно удалена.')).toBeVisible()
  expect(await moving()).toEqual([])
})

test('signed out, every protected screen leads to login, which knows where to go back', async ({ page }) => {
  for (const { path } of Object.values(PROTECTED).flat()) {
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

test('an item that is on its way stands where it will be', async ({ signedIn: page, account }) => {
  const { id } = await account.addNote({ title: 'Издалека' })
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route(`**/api/v1/notes/${id}/`, async (route) => {
    await answered
    await route.continue()
  })
  await page.goto(`/notes/${id}`)
  const card = page.getByRole('main').locator('.mantine-Paper-root')
  const place = async () => {
    const box = await card.boundingBox()
    return box && { x: box.x, y: box.y, width: box.width }
  }
  await expect(card).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'Заметки' })).toBeVisible()
  const before = await place()
  answer()
  await expect(page.getByRole('heading', { name: 'Издалека' })).toBeVisible()
  expect(await place()).toEqual(before)
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
  // The crash page may be seen after the reload alone: never for a moment before it.
  await page.addInitScript(() => {
    new MutationObserver(() => {
      if (sessionStorage.getItem('crash seen first in') !== null) return
      if (document.body?.innerText.includes('Что-то пошло не так'))
        sessionStorage.setItem('crash seen first in', String(performance.timeOrigin))
    }).observe(document, { childList: true, subtree: true })
  })
  await page.goto('/home')
  await expect(page.getByRole('heading', { name: 'Главная' })).toBeVisible()
  documents = 0
  await page.getByRole('button', { name: 'Открыть меню' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Заметки' }).click()
  await expect(page.getByRole('heading', { name: 'Что-то пошло не так' })).toBeVisible()
  expect(documents).toBe(1)
  const seenSoonest = await page.evaluate(() => sessionStorage.getItem('crash seen first in'))
  expect(seenSoonest).toBe(await page.evaluate(() => String(performance.timeOrigin)))
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
