import type { Locator, Page } from '@playwright/test'
import {
  abortLazyAssets,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  message,
  signIn,
  test,
} from './fixtures.ts'
import { addressOf, PROTECTED, PROTECTED_SCREENS, PUBLIC, type Screen } from './screens.ts'

const LOOKS = [
  { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { colorScheme: 'light', viewport: { width: 320, height: 640 } },
] as const

/** Nothing in a button or a link is cut off, except for names that end in an ellipsis. */
async function expectWholeButtons(page: Page): Promise<void> {
  const cut = await page.getByRole('main').evaluate((main) =>
    [...main.querySelectorAll<HTMLElement>('button, button *, a, a *')]
      .filter((element) => {
        const { overflowX, textOverflow } = getComputedStyle(element)
        return overflowX === 'hidden' && textOverflow !== 'ellipsis'
      })
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
    for (const one of [...PROTECTED_SCREENS, PUBLIC[0]]) {
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

test('with reduced motion nothing moves', async ({ signedIn: page, account }) => {
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
  for (const { path } of PROTECTED_SCREENS) {
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

test('an item that is on its way stands where it will be', async ({ signedIn: page, account, hold }) => {
  const { id } = await account.addNote({ title: 'Издалека' })
  const held = await hold(`**/api/v1/notes/${id}/`)
  await page.goto(`/notes/${id}`)
  const placeOf = async (part: Locator) => {
    const box = await part.boundingBox()
    return box && { x: box.x, y: box.y, width: box.width }
  }
  const skeleton = page.getByRole('main').getByRole('status')
  await expect(skeleton).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'Заметки' })).toBeVisible()
  const before = await placeOf(skeleton)
  await held.release()
  const heading = page.getByRole('heading', { name: 'Издалека' })
  await expect(heading).toBeVisible()
  expect(await placeOf(heading)).toEqual(before)
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
  // The crash page may be seen after the reload alone: never for a moment before it.
  await page.addInitScript(() => {
    new MutationObserver(() => {
      if (sessionStorage.getItem('crash seen first in') !== null) return
      if (document.body?.innerText.includes('Что-то пошло не так'))
        sessionStorage.setItem('crash seen first in', String(performance.timeOrigin))
    }).observe(document, { childList: true, subtree: true })
  })
  await page.goto('/home')
  await expect(page.getByText('Пока ни одной заметки')).toBeVisible()
  await abortLazyAssets(page)
  documents = 0
  await page.getByRole('link', { name: 'Новая заметка' }).click()
  await expect(page.getByRole('heading', { name: 'Что-то пошло не так' })).toBeVisible()
  expect(documents).toBe(1)
  const seenSoonest = await page.evaluate(() => sessionStorage.getItem('crash seen first in'))
  expect(seenSoonest).toBe(await page.evaluate(() => String(performance.timeOrigin)))
})

test('an editor that fails to load leads to one reload', async ({ signedIn: page, expectedInConsole }) => {
  expectedInConsole.push(/./)
  let documents = 0
  page.on('request', (request) => {
    if (request.resourceType() === 'document') documents += 1
  })
  await page.goto('/home')
  await expect(page.getByText('Пока ни одной заметки')).toBeVisible()
  const names = (await (await page.request.get('/')).text()).matchAll(/\/assets\/[\w.-]+\.js/g)
  const editors: string[] = []
  // By the library of the editor.
  for (const [name] of names)
    if ((await (await page.request.get(name)).text()).includes('ProseMirror')) editors.push(name)
  expect(editors).not.toEqual([])
  for (const name of editors) await page.route(`**${name}`, (route) => route.abort())
  documents = 0
  await page.getByRole('link', { name: 'Новая заметка' }).click()
  await expect(page.getByRole('heading', { name: 'Что-то пошло не так' })).toBeVisible()
  expect(documents).toBe(1)
})

test('a choice between versions that fails to load leads to one reload, and what was typed stays', async ({
  signedIn: page,
  account,
  address,
  expectedInConsole,
}) => {
  expectedInConsole.push(/./)
  const { id } = await account.addNote({ title: 'Была' })
  await page.goto(`/notes/${id}/edit`)
  const title = page.getByLabel('Название')
  await expect(page.getByRole('textbox', { name: 'Содержание' })).toBeVisible()
  await fetch(`${address}/api/v1/notes/${id}/`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${account.session.access_token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ title: 'Чужая правка', content: '<p>Текст</p>' }),
  })
  await abortLazyAssets(page)
  const reloaded = page.waitForEvent('load')
  await title.fill('Моя правка')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await reloaded
  await expect(title).toHaveValue('Моя правка')
  await page.unroute('**/assets/**')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  const choice = page.getByRole('dialog', { name: 'Пока вы редактировали, заметка изменилась' })
  await expect(choice).toContainText('Чужая правка')
})

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, element: Locator): Promise<void> {
  await expect(async () => {
    await page.keyboard.press('Tab')
    await expect(element).toBeFocused({ timeout: 1 })
  }).toPass({ intervals: [0] })
}

test('a form can be filled and saved by keyboard alone', async ({ signedIn: page }) => {
  await page.goto('/notes/add')
  await expect(page.getByRole('textbox', { name: 'Содержание' })).toBeVisible()
  await page.getByLabel('Название').focus()
  await page.keyboard.type('С клавиатуры')
  await tabTo(page, page.getByRole('textbox', { name: 'Содержание' }))
  await page.keyboard.type('Без мыши')
  await tabTo(page, page.getByRole('button', { name: 'Сохранить' }))
  await page.keyboard.press('Enter')
  await expect(message(page, 'Заметка успешно добавлена!')).toBeVisible()
})

for (const path of ['/auth/login', '/auth/registration']) {
  test(`${path} leads to the privacy policy`, async ({ page }) => {
    await page.goto(path)
    await page.getByRole('link', { name: 'Политика конфиденциальности' }).click()
    await expect(page).toHaveURL('/privacy')
  })
}

test('the privacy policy: eleven sections, since when, whom to ask; wide enough to read', async ({
  page,
  browser,
  serve,
}) => {
  await page.goto('/privacy')
  await expect(page.getByText('Действует с 01.01.2025')).toBeVisible()
  await expect(page.getByRole('heading', { level: 2 })).toHaveCount(11)
  await expect(page.getByRole('link', { name: 'support@example.org' }).last()).toHaveAttribute(
    'href',
    'mailto:support@example.org',
  )
  expect((await page.getByRole('article').boundingBox())?.width).toBeGreaterThan(600)

  // What is kept in the browser is named: the cookie the server sets, and the storage the page writes to.
  for (const kept of ['kopilka_browser', 'localStorage', 'IndexedDB', 'sessionStorage', 'хранится год'])
    await expect(page.getByRole('article')).toContainText(kept)

  const other = await serve({ SUPPORT_EMAIL: 'help@kopilka.example' })
  const english = await browser.newPage()
  await english.addInitScript(() => localStorage.setItem('language', 'en'))
  await english.goto(`${other.address}/privacy`)
  await expect(english.getByText('Effective 01.01.2025')).toBeVisible()
  await expect(english.getByRole('heading', { level: 2 })).toHaveCount(11)
  await expect(english.getByRole('link', { name: 'help@kopilka.example' }).last()).toBeVisible()
  await english.close()
})
