import type { Page } from '@playwright/test'
import { expect, expectAccessible, message, nextPaint, snackbar, test } from './fixtures.ts'

const retry = (page: Page) => page.getByRole('button', { name: 'Повторить' })

/** Lets calls of one method fail from now on. */
const fail = (page: Page, calls: string, { method = 'GET', status = 500, json = {} } = {}) =>
  page.route(calls, (route) =>
    route.request().method() === method ? route.fulfill({ status, json }) : route.fallback(),
  )

test.describe('who tells of a failure', () => {
  test.beforeEach(({ expectedInConsole }) => void expectedInConsole.push(/status of (?:4\d\d|500)/))

  for (const [screen, path, calls, sentence] of [
    ['the notes', '/notes', '**/api/v1/notes/?**', 'Ошибка при загрузке заметок.'],
    ['home', '/home', '**/api/v1/latest/**', 'Внутренняя ошибка сервера'],
    ['a search', '/home?search=ёлк', '**/api/v1/search/**', 'Произошла ошибка при поиске.'],
  ] as const) {
    test(`${screen}: a snackbar says it, the screen only offers to try again`, async ({
      signedIn: page,
      account,
    }) => {
      await account.addNote({ title: 'Про ёлку' })
      await fail(page, calls)
      await page.goto(path)
      await expect(message(page, sentence)).toBeVisible()
      await expect(page.getByText(sentence)).toHaveCount(1)
      await expectAccessible(page)
      await page.unroute(calls)
      await retry(page).click()
      await expect(page.getByRole('article')).toContainText('Про ёлку')
      await expect(retry(page)).toBeHidden()
      await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
      await expect(message(page, sentence)).toBeHidden({ timeout: 2_000 })
    })
  }

  test('what only preloads a list says nothing of its failure', async ({ signedIn: page }) => {
    await page.goto('/profile')
    await page.getByRole('button', { name: 'Открыть меню' }).click()
    await fail(page, '**/api/v1/{notes,urllinks,latest}/**')
    let failures = 0
    page.on('response', (response) => {
      if (response.status() === 500) failures += 1
    })
    for (const [at, name] of ['Заметки', 'Ссылки', 'Главная'].entries()) {
      await page.getByRole('navigation').getByRole('link', { name, exact: true }).hover()
      // Each read is tried once more.
      await expect.poll(() => failures).toBe(2 * (at + 1))
    }
    await nextPaint(page)
    // At once, for a message goes by itself. Below the open menu it has no role.
    expect(await page.getByText(/^(?:Ошибка при|Не удалось|Внутренняя ошибка)/).count()).toBe(0)
  })

  test('the links: an alert that can be dismissed says it, no snackbar repeats it', async ({
    signedIn: page,
  }) => {
    await fail(page, '**/api/v1/urllinks/?**')
    await page.goto('/url-links')
    await expect(page.getByText('Ошибка при загрузке ссылок.')).toHaveCount(1)
    await expect(message(page, 'Ошибка при загрузке ссылок.')).toBeHidden()
    await page.getByRole('button', { name: 'Закрыть сообщение' }).click()
    await expect(page.getByText('Ошибка при загрузке ссылок.')).toBeHidden()
    await expect(retry(page)).toBeVisible()
  })

  test('a note and a link: a snackbar; the form of a link: an alert', async ({ signedIn: page, account }) => {
    const note = await account.addNote({})
    const link = await account.addLink({})
    await fail(page, '**/api/v1/{notes,urllinks}/*/')
    for (const [path, sentence, inSnackbar] of [
      [`/notes/${note.id}`, 'Не удалось загрузить заметку.', true],
      [`/notes/${note.id}/edit`, 'Не удалось загрузить заметку.', true],
      [`/urllinks/${link.id}`, 'Не удалось загрузить ссылку.', true],
      [`/urllinks/${link.id}/edit`, 'Не удалось загрузить ссылку.', false],
    ] as const) {
      await page.goto(path)
      await expect(page.getByText(sentence)).toHaveCount(1)
      await expect(message(page, sentence)).toBeVisible({ visible: inSnackbar })
      await expect(retry(page)).toBeVisible()
    }
    await expectAccessible(page)
  })

  test('a save that fails: of a note in a snackbar, of a link in an alert', async ({
    signedIn: page,
    account,
  }) => {
    const note = await account.addNote({})
    const link = await account.addLink({})
    await fail(page, '**/api/v1/{notes,urllinks}/*/', { method: 'PUT' })
    for (const [path, sentence, inSnackbar] of [
      [`/notes/${note.id}/edit`, 'Не удалось сохранить заметку.', true],
      [`/urllinks/${link.id}/edit`, 'Не удалось сохранить ссылку.', false],
    ] as const) {
      await page.goto(path)
      await page.getByLabel('Название').fill('Не потеряйся')
      await page.getByRole('button', { name: 'Сохранить' }).click()
      await expect(page.getByText(sentence)).toHaveCount(1)
      await expect(message(page, sentence)).toBeVisible({ visible: inSnackbar })
      await expect(page.getByLabel('Название')).toHaveValue('Не потеряйся')
    }
  })

  test('an item that is not there: the server’s words under the heading', async ({ signedIn: page }) => {
    await page.goto('/notes/01a1fa45-9743-7383-8dfc-4ee65ccd69d0')
    await expect(page.getByRole('heading', { name: 'Заметка не найдена' })).toBeVisible()
    await expect(page.getByText('Возможно, её уже удалили.')).toHaveCount(1)
    await fail(page, '**/api/v1/urllinks/*/', { status: 404 })
    await page.goto('/urllinks/01a1fa45-9743-7383-8dfc-4ee65ccd69d0')
    await expect(page.getByRole('heading', { name: 'Ссылка не найдена' })).toBeVisible()
    await expect(page.getByText('Не удалось загрузить ссылку.')).toHaveCount(1)
  })

  test('a message of an error goes once something succeeds', async ({ page, account, logIn }) => {
    const wrong = 'Неверный email или пароль.'
    await page.goto('/auth/login')
    await logIn({ ...account, password: 'не тот' })
    await expect(message(page, wrong)).toBeVisible()
    await page.getByRole('link', { name: 'Забыли пароль?' }).click()
    await page.getByLabel('Email').fill(account.email)
    await page.getByRole('button', { name: 'Отправить ссылку для сброса' }).click()
    await expect(message(page, 'Письмо для сброса пароля отправлено. Проверьте ваш email.')).toBeVisible()
    await expect(message(page, wrong)).toBeHidden({ timeout: 2_000 })

    await page.getByRole('link', { name: 'Вход' }).click()
    await logIn({ ...account, password: 'опять не тот' })
    await expect(message(page, wrong)).toBeVisible()
    await logIn(account)
    await expect(page).toHaveURL('/home')
    await expect(message(page, wrong)).toBeHidden({ timeout: 2_000 })
  })
})

test.describe('the snackbar', () => {
  const WRONG = 'Пожалуйста, исправьте ошибки в форме.'
  const LONG_ENOUGH = 11_000

  /** Sends an empty form: the focus goes to its first field, a message says that it is wrong. */
  async function beWrong(page: Page): Promise<void> {
    await page.clock.install()
    await page.goto('/auth/login')
    await page.getByRole('button', { name: 'Войти' }).click()
    await expect(message(page, WRONG)).toBeVisible()
  }

  test('a message goes by itself, but not while it is read', async ({ page }) => {
    await beWrong(page)
    await message(page, WRONG).hover()
    // The timer stops once the page has painted that it is read.
    await nextPaint(page)
    await page.clock.fastForward(LONG_ENOUGH)
    await expect(message(page, WRONG)).toBeVisible()
    await page.mouse.move(5, 5)
    const close = page.getByRole('button', { name: 'Закрыть' })
    await close.focus()
    await page.clock.fastForward(LONG_ENOUGH)
    await expect(message(page, WRONG)).toBeVisible()
    await page.getByLabel('Email').focus()
    await page.clock.fastForward(LONG_ENOUGH)
    await expect(message(page, WRONG)).toBeHidden()
  })

  test('a pointer that rested where a message appears does not keep it', async ({ page }) => {
    await page.clock.install()
    await page.goto('/auth/login')
    const send = page.getByRole('button', { name: 'Войти' })
    await expect(send).toBeVisible()
    await page.mouse.move(640, 30)
    await send.evaluate((button: HTMLElement) => button.click())
    await expect(message(page, WRONG)).toBeVisible()
    expect(await page.evaluate(() => document.elementFromPoint(640, 30)?.closest('section') !== null)).toBe(
      true,
    )
    await page.clock.fastForward(LONG_ENOUGH)
    await expect(message(page, WRONG)).toBeHidden()
  })

  test('a message that is shown again starts its time over', async ({ page }) => {
    await beWrong(page)
    // Together more than the ten seconds it stays; the clock goes on meanwhile.
    await page.clock.fastForward(6_000)
    await page.getByRole('button', { name: 'Войти' }).click()
    await page.clock.fastForward(6_000)
    await expect(message(page, WRONG)).toHaveCount(1)
  })

  test('after one was closed with the mouse the next goes by itself', async ({ page }) => {
    await beWrong(page)
    await page.getByRole('button', { name: 'Закрыть' }).hover()
    // The pointer is known to be on the message.
    await nextPaint(page)
    await page.getByRole('button', { name: 'Закрыть' }).click()
    await expect(message(page, WRONG)).toBeHidden()
    await page.getByLabel('Email').press('Enter')
    await expect(message(page, WRONG)).toBeVisible()
    await nextPaint(page)
    await page.clock.fastForward(LONG_ENOUGH)
    await expect(message(page, WRONG)).toBeHidden()
  })

  test('closed with the keyboard it gives the focus back', async ({ page }) => {
    await beWrong(page)
    await expect(page.getByLabel('Email')).toBeFocused()
    const close = page.getByRole('button', { name: 'Закрыть' })
    await close.focus()
    await page.keyboard.press('Enter')
    await expect(message(page, WRONG)).toBeHidden()
    await expect(page.getByLabel('Email')).toBeFocused()
  })

  for (const [name, viewport] of Object.entries({
    desktop: { width: 1280, height: 800 },
    phone: { width: 320, height: 568 },
  })) {
    test(`a message covers no control on a ${name}`, async ({
      signedIn: page,
      account,
      expectedInConsole,
    }) => {
      expectedInConsole.push(/status of 500/)
      await page.setViewportSize(viewport)
      /** The controls in sight that something else lies upon. */
      const covered = () =>
        page.evaluate(() =>
          [...document.querySelectorAll<HTMLElement>('a, button, input, textarea, [contenteditable=true]')]
            .filter((control) => control.checkVisibility({ visibilityProperty: true }))
            .filter((control) => {
              const { left, top, width, height } = control.getBoundingClientRect()
              const over = document.elementFromPoint(left + width / 2, top + height / 2)
              return (
                over !== null &&
                over.closest('section[aria-label="Сообщения"]') !== null &&
                !over.contains(control) &&
                !control.contains(over) &&
                !control.closest('section[aria-label="Сообщения"]')
              )
            })
            .map((control) => control.ariaLabel ?? control.innerText),
        )
      for (let at = 1; at <= 12; at += 1) await account.addNote({ title: `Заметка ${at}` })
      await page.route('**/api/v1/latest/**', (route) => route.fulfill({ status: 500, json: {} }))
      await page.goto('/home')
      await expect(message(page, 'Внутренняя ошибка сервера')).toBeVisible()
      // The page makes room a moment after the message shows.
      await expect.poll(covered).toEqual([])
      await page.unroute('**/api/v1/latest/**')
      await page.route('**/api/v1/notes/?**', (route) => route.fulfill({ status: 500, json: {} }))
      await page.getByRole('button', { name: 'Открыть меню' }).click()
      await page.getByRole('dialog').getByRole('link', { name: 'Заметки' }).click()
      await expect(message(page, 'Ошибка при загрузке заметок.')).toBeVisible()
      await expect(page.getByRole('dialog')).toBeHidden()
      await expect.poll(covered).toEqual([])

      // A form with an alert of its own and a message beside it.
      const { id } = await account.addLink({ title: 'Правится' })
      await page.route(`**/api/v1/urllinks/${id}/`, (route) =>
        route.request().method() === 'PUT' ? route.fulfill({ status: 500, json: {} }) : route.fallback(),
      )
      await page.goto(`/urllinks/${id}/edit`)
      await page.getByLabel('Название').fill('Не сохранится')
      await page.getByRole('button', { name: 'Сохранить' }).click()
      await expect(page.getByRole('main').getByText('Не удалось сохранить ссылку.')).toBeVisible()
      await page.route('**/api/v1/tags/?**', (route) => route.fulfill({ status: 500, json: {} }))
      await page.getByRole('combobox', { name: 'Теги' }).fill('дом')
      await expect(message(page, 'Не удалось загрузить теги.')).toBeVisible()
      await expect.poll(covered).toEqual([])
    })
  }

  for (const [name, viewport] of [
    ['desktop', { width: 1280, height: 800 }],
    ['phone', { width: 390, height: 844 }],
  ] as const)
    test(`on a scrolled page nothing shows through above the bar, on a ${name}`, async ({
      signedIn: page,
      account,
    }) => {
      await page.setViewportSize(viewport)
      for (let at = 1; at <= 15; at += 1) await account.addNote({ title: `Заметка ${at}` })
      await page.goto('/notes')
      await expect(page.getByRole('article')).toHaveCount(15)
      // Two messages: a wide bar has room for one.
      for (const title of ['Заметка 15', 'Заметка 14']) {
        await page.getByRole('checkbox', { name: `Выбрать «${title}»` }).check()
        await page.getByRole('region', { name: 'Выбранное' }).getByRole('button', { name: 'Удалить' }).click()
        await expect(page.getByRole('article').filter({ hasText: title })).toHaveCount(0)
      }
      await expect(message(page, 'Удалено: 1.')).toHaveCount(2)
      await page.evaluate(() => window.scrollTo({ top: 300, behavior: 'instant' }))
      const barTop = () =>
        page.locator('[data-top-bar]').evaluate((bar) => Math.round(bar.getBoundingClientRect().top))
      await expect.poll(barTop).toBeGreaterThan(0)
      /** What lies in the gap above the bar, other than messages and the bar itself. */
      const through = () =>
        page.evaluate(() => {
          const bar = document.querySelector('[data-top-bar]')
          const end = bar?.getBoundingClientRect().top ?? 0
          const places = Array.from({ length: Math.ceil(end) }, (_, y) => y)
          return places
            .flatMap((y) => [3, window.innerWidth / 2, window.innerWidth - 20].map((x) => [x, y] as const))
            .map(([x, y]) => document.elementFromPoint(x, y))
            .filter((seen) => !seen?.closest('[data-top-bar], section[aria-label="Сообщения"]'))
            .map((seen) => seen?.tagName)
        })
      expect(await through()).toEqual([])
    })

  test('on a phone a long message with an action has its own line', async ({ signedIn: page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/home')
    await expect(page.getByText('Пока ни одной заметки')).toBeVisible()
    await page.getByRole('heading', { level: 1 }).focus()
    await page.keyboard.press('Control+z')
    const text = message(page, 'Здесь отменять нечего. Сделанное раньше можно отменить в истории действий.')
    await expect(text).toBeVisible()
    // Of one moment: the message moves in.
    const { words, tops } = await text.evaluate((text) => ({
      words: text.getBoundingClientRect().toJSON() as DOMRect,
      tops: [...(text.closest('section')?.querySelectorAll('button') ?? [])].map(
        (button) => button.getBoundingClientRect().top,
      ),
    }))
    expect(words.width).toBeGreaterThan(300)
    expect(tops).toHaveLength(2)
    expect(tops[0]).toBeGreaterThanOrEqual(words.bottom)
    expect(tops[1]).toBe(tops[0])
    await expectAccessible(page)
  })

  test('on a small screen what gets the focus scrolls clear of a message', async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 400 })
    await page.goto('/auth/registration')
    await page.getByRole('button', { name: 'Зарегистрироваться' }).click()
    await expect(message(page, WRONG)).toBeVisible()
    const topOf = (name: string) =>
      page.getByLabel(name).evaluate((field) => field.getBoundingClientRect().top)
    const lowest = await snackbar(page).evaluate((region) => region.getBoundingClientRect().bottom)
    await page.getByRole('link', { name: 'Вход' }).focus()
    for (const name of ['Email', 'Фамилия', 'Имя']) {
      while (!(await page.getByLabel(name).evaluate((field) => field === document.activeElement)))
        await page.keyboard.press('Shift+Tab')
      await nextPaint(page)
      expect(await topOf(name), name).toBeGreaterThanOrEqual(lowest)
    }
  })

  test('a message covers no open window on a phone', async ({ signedIn: page, expectedInConsole }) => {
    expectedInConsole.push(/status of 500/)
    await page.setViewportSize({ width: 320, height: 568 })
    await page.route('**/api/v1/{search,tags}/?**', (route) => route.fulfill({ status: 500, json: {} }))
    /** Nothing of the window is beneath a message or beyond the edge of the screen. */
    const expectClear = async () => {
      const lowest = () =>
        snackbar(page).evaluate((region) => Math.round(region.getBoundingClientRect().bottom))
      const sides = () =>
        page
          .locator('[aria-modal="true"]')
          .evaluate((window) => window.getBoundingClientRect().toJSON() as DOMRect)
      await expect.poll(async () => (await sides()).top - (await lowest())).toBeGreaterThanOrEqual(0)
      await expect.poll(async () => (await sides()).bottom).toBeLessThanOrEqual(568)
    }
    await page.goto('/home')
    await expect(page.getByText('Пока ни одной заметки')).toBeVisible()
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Быстрый переход' })
    await palette.getByRole('combobox').fill('ёлка')
    await expect(snackbar(page).getByRole('button', { name: 'Закрыть' }).first()).toBeVisible()
    await expectClear()
    await page.keyboard.press('Escape')
    await expect(palette).toBeHidden()
    await page.getByRole('button', { name: 'Открыть меню' }).click()
    await expect(page.getByRole('dialog').getByRole('link', { name: 'Заметки' })).toBeVisible()
    await expect(snackbar(page).getByRole('button', { name: 'Закрыть' }).first()).toBeVisible()
    await expectClear()
  })

  test('what fails for want of a network is one message, which goes when the network is back', async ({
    signedIn: page,
    context,
    expectedInConsole,
  }) => {
    expectedInConsole.push(/ERR_INTERNET_DISCONNECTED/)
    await page.goto('/notes/add')
    await page.getByLabel('Название').fill('Без сети')
    await page.getByRole('textbox', { name: 'Содержание' }).click()
    await page.keyboard.type('Текст')
    const palette = page.getByRole('dialog', { name: 'Быстрый переход' })
    await page.keyboard.press('Control+k')
    await expect(palette).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(palette).toBeHidden()
    await context.setOffline(true)
    const messages = snackbar(page).getByRole('button', { name: 'Закрыть' })
    // Two sentences, about two things.
    await page.keyboard.press('Control+s')
    await expect(snackbar(page)).toContainText('Произошла ошибка при добавлении заметки.')
    await expect(messages).toHaveCount(1)
    // Read, none goes by itself.
    await messages.hover()
    await page.keyboard.press('Control+k')
    await palette.getByRole('combobox').fill('ёлка')
    await expect(snackbar(page)).toContainText(/Произошла ошибка при поиске\.|Не удалось загрузить теги\./)
    await expect(messages).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(palette).toBeHidden()
    await page.keyboard.press('Control+s')
    await expect(snackbar(page)).toContainText('Произошла ошибка при добавлении заметки.')
    await expect(messages).toHaveCount(1)
    await context.setOffline(false)
    await expect(snackbar(page)).toHaveText('')
    await expect(page.getByLabel('Название')).toHaveValue('Без сети')
  })

  test('what the form of a link says of the network goes when the network is back', async ({
    signedIn: page,
    account,
    context,
    expectedInConsole,
  }) => {
    expectedInConsole.push(/ERR_INTERNET_DISCONNECTED/)
    const { id } = await account.addLink({ title: 'Ссылка' })
    await page.goto(`/urllinks/${id}/edit`)
    await page.getByLabel('Название').fill('Без сети')
    const alerts = page.getByRole('main').getByRole('alert')
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Сохранить' }).click()
    await expect(alerts).toContainText(['Не удалось сохранить ссылку.'])
    await page.getByRole('button', { name: 'Извлечь мета-теги' }).click()
    await expect(alerts.filter({ hasText: 'Произошла ошибка при извлечении мета-тегов.' })).toBeVisible()
    await context.setOffline(false)
    await expect(alerts).toHaveCount(0)
    await expect(page.getByLabel('Название')).toHaveValue('Без сети')
  })
})
