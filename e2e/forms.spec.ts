import { MAX_LENGTH } from '@kopilka/contract/limits.ts'
import { expect, expectAccessible, test } from './fixtures.ts'

test.describe('a form', () => {
  test('names what a note lacks under the disabled button, for as long as it does', async ({
    signedIn: page,
  }) => {
    await page.goto('/notes/add')
    const save = page.getByRole('button', { name: 'Сохранить' })
    await expect(page.getByText('Заполните: Название, Содержание.')).toBeVisible()
    await expect(save).toBeDisabled()
    await page.getByLabel('Название').fill('Щи')
    await expect(page.getByText('Заполните: Содержание.')).toBeVisible()
    await expect(save).toBeDisabled()
    await page.getByRole('textbox', { name: 'Содержание' }).click()
    await page.keyboard.type('Капуста')
    await expect(page.getByText(/^Заполните/)).toHaveCount(0)
    await expect(save).toBeEnabled()
  })

  test('what is wrong with tags is said while the field still has the focus', async ({ signedIn: page }) => {
    await page.goto('/notes/add')
    // The first field has the focus, and a field that is left blank is said to be required.
    await page.getByLabel('Название').fill('Щи')
    const tags = page
      .getByRole('combobox', { name: 'Теги' })
      .or(page.getByLabel('Теги', { exact: true }))
      .first()
    await tags.fill('т'.repeat(MAX_LENGTH.tagName + 1))
    await tags.press('Enter')
    await expect(tags).toBeFocused()
    await expect(page.getByText(`Не больше ${MAX_LENGTH.tagName} символов`)).toBeVisible()
    await expect(page.getByText('Обязательное поле')).toBeHidden()
  })

  test('what is wrong with what was loaded is said at once', async ({ signedIn: page, account }) => {
    const { id } = await account.addNote({ title: 'Длинная' })
    await page.route(`**/api/v1/notes/${id}/`, async (route) => {
      const response = await route.fetch()
      const note = await response.json()
      await route.fulfill({
        response,
        json: { ...note, content: `<p>${'щи '.repeat(MAX_LENGTH.html / 3)}да каша</p>` },
      })
    })
    await page.goto(`/notes/${id}/edit`)
    await expect(page.getByRole('button', { name: 'Сохранить' })).toBeDisabled()
    await expect(page.getByText(/Не больше 500/)).toBeVisible()
  })

  test('code wraps in the editor, also where its own styles have not come', async ({
    signedIn: page,
    account,
  }) => {
    const { id } = await account.addNote({ content: `<pre><code>${'длинно '.repeat(100)}</code></pre>` })
    await page.goto(`/notes/${id}/edit`)
    const code = page.getByRole('textbox', { name: 'Содержание' }).locator('pre')
    await expect(code).toBeVisible()
    await page.evaluate(() => document.querySelector('style[data-tiptap-style]')?.remove())
    expect(await code.evaluate((pre) => pre.scrollWidth - pre.clientWidth)).toBe(0)
  })

  for (const path of ['/notes/add', '/urllinks/add']) {
    test(`${path} marks what is required`, async ({ signedIn: page }) => {
      await page.goto(path)
      const isLink = path.includes('links')
      const required = [
        page.getByLabel('Название'),
        page.getByRole('textbox', { name: isLink ? 'Описание' : 'Содержание' }),
        ...(isLink ? [page.getByLabel('URL')] : []),
      ]
      for (const field of required) {
        expect(await field.evaluate((it) => it.ariaRequired === 'true' || it.matches(':required'))).toBe(true)
      }
      await expect(page.getByText('*')).toHaveCount(required.length)
    })
  }

  for (const locale of ['ru', 'en']) {
    test(`the hint of the tags fits its field on the narrowest phone, ${locale}`, async ({
      signedIn: page,
    }) => {
      await page.setViewportSize({ width: 320, height: 640 })
      await page.addInitScript((chosen) => localStorage.setItem('language', chosen), locale)
      await page.goto('/notes/add')
      const tags = page.getByPlaceholder(/Enter/)
      await expect(tags).toBeVisible()
      const room = await tags.evaluate((field: HTMLInputElement) => {
        const ruler = document.createElement('span')
        ruler.textContent = field.placeholder
        ruler.style.cssText = 'position: absolute; white-space: nowrap'
        ruler.style.font = getComputedStyle(field).font
        document.body.append(ruler)
        return field.clientWidth - ruler.offsetWidth
      })
      expect(room).toBeGreaterThanOrEqual(0)
    })
  }

  test('a password that is missing is marked and gets the cursor', async ({ page }) => {
    await page.goto('/auth/login')
    await page.getByLabel('Email').fill('anna@example.org')
    await page.getByRole('button', { name: 'Войти' }).click()
    const password = page.getByLabel(/^Пароль/)
    await expect(password).toBeFocused()
    await expect(password).toHaveAttribute('aria-invalid', 'true')
    await password.fill('ключ')
    await expect(password).not.toHaveAttribute('aria-invalid')
  })

  test('the field that the server refuses gets the cursor', async ({ page, account, expectedInConsole }) => {
    expectedInConsole.push(/status of 400/)
    await page.goto('/auth/registration')
    await page.getByLabel('Имя').fill('Анна')
    await page.getByLabel('Фамилия').fill('Каренина')
    await page.getByLabel('Email').fill(account.email)
    await page.getByLabel('Password').fill('ключ от дома')
    await page.getByRole('button', { name: 'Зарегистрироваться' }).click()
    await expect(page.getByText('Пользователь с таким email уже существует.')).toBeVisible()
    await expect(page.getByLabel('Email')).toBeFocused()
  })

  test('what fails without a field to mend leaves the focus on its button', async ({
    page,
    expectedInConsole,
  }) => {
    expectedInConsole.push(/status of 400/)
    await page.goto('/auth/login')
    await page.getByLabel('Email').fill('nobody@example.org')
    await page.getByLabel(/^Пароль/).fill('ключ от дома')
    await page.getByRole('button', { name: 'Войти' }).click()
    await expect(page.getByText('Неверный email или пароль.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Войти' })).toBeFocused()
  })

  test('what is typed stays when the language changes in another tab', async ({
    signedIn: page,
    context,
  }) => {
    await page.goto('/notes/add')
    await page.getByLabel('Название').fill('Набрано')
    await page.getByRole('textbox', { name: 'Содержание' }).click()
    await page.keyboard.type('Текст')
    const second = await context.newPage()
    await second.goto('/profile')
    // Chosen once the sentences of the language have come, not with the click.
    await second.getByLabel('English').click()
    await expect(second.getByLabel('English')).toBeChecked()
    await expect(page.getByRole('heading', { name: 'New note' })).toBeVisible()
    await expect(page.getByLabel('Title')).toHaveValue('Набрано')
    await expect(page.getByRole('textbox', { name: 'Content' })).toHaveText('Текст')
    await expect(page.getByRole('textbox', { name: 'Content' })).toBeFocused()
  })

  test('the link form of the editor takes an address with a port', async ({ signedIn: page }) => {
    await page.goto('/notes/add')
    await page.getByRole('textbox', { name: 'Содержание' }).click()
    await page.getByRole('button', { name: 'Вставить ссылку' }).click()
    await page.getByLabel('Адрес ссылки').fill('example.org:8080')
    await page.keyboard.press('Enter')
    const link = page.getByRole('textbox', { name: 'Содержание' }).getByRole('link')
    await expect(link).toHaveAttribute('href', 'https://example.org:8080')
  })

  test('on a phone the toolbar is one row and the button to save stays in sight', async ({
    signedIn: page,
    account,
  }) => {
    await page.setViewportSize({ width: 390, height: 500 })
    const { id } = await account.addNote({ content: '<p>Строка</p>'.repeat(60) })
    await page.goto(`/notes/${id}/edit`)
    const toolbar = page.getByRole('toolbar', { name: 'Форматирование' })
    await expect(toolbar).toBeVisible()
    expect((await toolbar.boundingBox())?.height).toBeLessThan(60)
    await expect(page.getByRole('button', { name: 'Сохранить' })).toBeInViewport({ ratio: 1 })
    await page.getByRole('combobox', { name: 'Теги' }).focus()
    await expect(page.getByRole('button', { name: 'Сохранить' })).toBeInViewport({ ratio: 1 })
    await expectAccessible(page)
  })

  for (const width of [1280, 390]) {
    // A press that began above the place where the button then stood was lost.
    test(`the button to save stays where it is when the editor has loaded: ${width} pixels`, async ({
      signedIn: page,
      account,
    }) => {
      await page.setViewportSize({ width, height: 800 })
      const { id } = await account.addNote({})
      let goOn = () => {}
      const held = new Promise<void>((resolve) => {
        goOn = resolve
      })
      await page.route(/\/rich-text-editor-[^/]*\.js$/, async (route) => {
        await held
        await route.fallback()
      })
      await page.goto(`/notes/${id}/edit`)
      await expect(page.getByRole('status', { name: 'Загрузка редактора…' })).toBeVisible()
      const save = page.getByRole('button', { name: 'Сохранить' })
      const top = () => save.evaluate((button) => Math.round(button.getBoundingClientRect().top))
      const before = await top()
      goOn()
      await expect(page.getByRole('toolbar', { name: 'Форматирование' })).toBeVisible()
      expect(await top()).toBe(before)
    })
  }

  test('Back after saving does not open the form again', async ({ signedIn: page, account }) => {
    const { id } = await account.addNote({ title: 'Было' })
    await page.goto('/notes')
    await page.getByRole('link', { name: 'Открыть заметку «Было»' }).click()
    await page.getByRole('link', { name: 'Редактировать' }).click()
    await page.getByLabel('Название').fill('Стало')
    await page.getByRole('button', { name: 'Сохранить' }).click()
    await expect(page.getByRole('heading', { name: 'Стало', level: 1 })).toBeVisible()
    await expect(page).toHaveURL(`/notes/${id}`)
    // Nor does it lead to the same note once more.
    await page.goBack()
    await expect(page).toHaveURL('/notes')
  })

  test('a form that was not opened on its item leaves no step back to itself', async ({
    signedIn: page,
    account,
  }) => {
    const { id } = await account.addNote({ title: 'Было' })
    await page.goto('/notes')
    await expect(page.getByRole('article')).toBeVisible()
    await page.goto(`/notes/${id}/edit`)
    await page.getByLabel('Название').fill('Стало')
    await page.getByRole('button', { name: 'Сохранить' }).click()
    await expect(page).toHaveURL(`/notes/${id}`)
    await page.goBack()
    await expect(page).toHaveURL('/notes')
  })

  test('Back after renaming a tag leads to where its screen was opened', async ({
    signedIn: page,
    account,
  }) => {
    const { tags } = await account.addNote({ tags: ['было'] })
    await page.goto('/tags')
    await page.getByRole('link', { name: 'Открыть категорию «было»' }).click()
    await page.getByRole('link', { name: 'Редактировать' }).click()
    await page.getByLabel('Название Тега').fill('стало')
    await page.getByRole('button', { name: 'Сохранить' }).click()
    await expect(page.getByRole('heading', { name: 'стало', level: 1 })).toBeFocused()
    await expect(page).toHaveURL(`/tags/${tags[0]?.id}`)
    await page.goBack()
    await expect(page).toHaveURL('/tags')
  })

  test('Back after adding does not open the form again', async ({ signedIn: page }) => {
    await page.goto('/home')
    await page.getByRole('link', { name: 'Новая заметка' }).click()
    await page.getByLabel('Название').fill('Новая')
    await page.getByRole('textbox', { name: 'Содержание' }).click()
    await page.keyboard.type('Текст')
    await page.getByRole('button', { name: 'Сохранить' }).click()
    await expect(page).toHaveURL('/notes')
    await page.goBack()
    await expect(page).toHaveURL('/home')
  })

  for (const [path, others] of [
    ['/auth/login', [/^Пароль/]],
    ['/auth/registration', ['Имя', 'Фамилия', 'Password']],
    ['/auth/password-reset', []],
  ] as const) {
    test(`${path} sends an email with a Cyrillic domain as it was typed`, async ({
      page,
      expectedInConsole,
    }) => {
      expectedInConsole.push(/status of 400/)
      await page.goto(path)
      for (const label of others) await page.getByLabel(label).fill('123456789a')
      const email = page.getByLabel('Email')
      await email.click()
      await page.keyboard.type('anna@пример.рф')
      const request = page.waitForRequest((request) => request.method() === 'POST')
      await email.press('Enter')
      expect((await request).postDataJSON()).toHaveProperty('email', 'anna@пример.рф')
    })
  }
})
