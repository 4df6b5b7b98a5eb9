import { expect, expectAccessible, message, test } from './fixtures.ts'

test('the names can be changed, even to nothing; the email is for reading', async ({
  signedIn: page,
  account,
}) => {
  await page.goto('/profile')
  await expect(page.getByRole('heading', { name: 'Общая информация' })).toBeVisible()
  const email = page.getByLabel('Email')
  await expect(email).toHaveValue(account.email)
  await expect(email).toHaveAttribute('readonly')
  await expect(page.getByLabel('Фамилия')).toHaveValue('Каренина')
  await expectAccessible(page)

  await page.getByLabel('Имя').fill('Лев')
  await page.getByLabel('Фамилия').fill(' Толстой ')
  await page.getByRole('button', { name: 'Обновить профиль' }).click()
  await expect(message(page, 'Профиль успешно обновлен.')).toBeVisible()
  await expect(page.getByLabel('Фамилия')).toHaveValue('Толстой')
  await page.getByRole('button', { name: 'Открыть меню' }).click()
  await expect(page.getByRole('dialog').getByText('Толстой Лев')).toBeVisible()
  await page.keyboard.press('Escape')

  await page.getByLabel('Имя').fill('')
  // A reload would give up the request; the message may still be the one before.
  const saved = page.waitForResponse('**/api/v1/users/change-profile/')
  await page.getByRole('button', { name: 'Обновить профиль' }).click()
  expect((await saved).status()).toBe(200)
  await page.reload()
  await expect(page.getByLabel('Имя')).toHaveValue('')
  await expect(page.getByLabel('Фамилия')).toHaveValue('Толстой')
})

test('the password can be changed by who knows it; the other sign-ins end, this one stays', async ({
  signedIn: page,
  account,
  browser,
  baseURL,
  logIn,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 40[01]/)
  const elsewhere = await browser.newPage({ locale: 'ru-RU', ...(baseURL !== undefined && { baseURL }) })
  const signIn = async (password: string) => {
    await elsewhere.goto('/auth/login')
    await logIn({ email: account.email, password }, elsewhere)
    await expect(elsewhere).toHaveURL('/home')
  }
  await signIn(account.password)

  await page.goto('/profile')
  await expect(page.getByRole('heading', { name: 'Смена пароля' })).toBeVisible()
  const current = page.getByLabel('Текущий пароль')
  const fresh = page.getByLabel('Новый пароль')
  await expect(page.locator('label', { hasText: 'Текущий пароль' })).toHaveText('Текущий пароль *')
  await expect(page.locator('label', { hasText: 'Новый пароль' })).toHaveText('Новый пароль *')
  await expect(page.getByText('Минимум 6 символов, лучше 8 и больше')).toBeVisible()

  const change = page.getByRole('button', { name: 'Изменить пароль' })
  await change.click()
  await expect(message(page, 'Пожалуйста, исправьте ошибки в форме.')).toBeVisible()
  await expect(page.getByText('Обязательное поле')).toHaveCount(2)
  await current.fill('не тот')
  await fresh.fill('ключ от квартиры')
  await change.click()
  await expect(page.getByText('Неверный текущий пароль.')).toBeVisible()
  await current.fill(account.password)
  await change.click()
  await expect(message(page, 'Пароль успешно изменен.')).toBeVisible()
  await expect(current).toHaveValue('')
  await expect(fresh).toHaveValue('')
  await expect(page.getByText('Обязательное поле')).toHaveCount(0)

  await page.reload()
  await expect(page.getByLabel('Email')).toHaveValue(account.email)
  await elsewhere.reload()
  await expect(elsewhere).toHaveURL(/\/auth\/login/)
  await signIn('ключ от квартиры')
  await elsewhere.close()
})

test('the interface speaks English at once when asked to, and still does after a reload', async ({
  signedIn: page,
  account,
}) => {
  await account.addNote({ title: 'Заметка' })
  await page.goto('/profile')
  await expect(page.getByRole('heading', { name: 'Язык' })).toBeVisible()
  await expect(page.getByRole('radiogroup', { name: 'Язык' })).toBeVisible()
  await expect(page.getByLabel('Русский')).toBeChecked()
  await page.getByLabel('Имя').fill('Не сохранено')
  await page.getByLabel('Русский').focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('heading', { name: 'Language' })).toBeVisible()
  await expect(page.getByLabel('English')).toBeChecked()
  await expect(page.getByLabel('English')).toBeFocused()
  await expect(page).toHaveTitle('Profile — Копилка')
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await expectAccessible(page)
  await expect(page.getByLabel('First name')).toHaveValue('Не сохранено')
  await page.getByLabel('First name').fill('Анна')

  await page.reload()
  await expect(page.getByRole('heading', { name: 'General information' })).toBeVisible()
  await page.goto('/notes')
  await expect(page.getByRole('link', { name: 'Open the note “Заметка”' })).toBeVisible()
  await page.goto('/profile')
  await page.getByLabel('Русский').click()
  await expect(page.getByLabel('Русский')).toBeChecked()
  await expect(page.getByRole('heading', { name: 'Профиль' })).toBeVisible()
})

test('what fails without words of the server says so in ours', async ({
  signedIn: page,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 500/)
  await page.route('**/api/v1/users/change-*/', (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Обновить профиль' }).click()
  await expect(message(page, 'Произошла ошибка при обновлении профиля.')).toBeVisible()
  await page.getByLabel('Текущий пароль').fill('123456')
  await page.getByLabel('Новый пароль').fill('1234567')
  await page.getByRole('button', { name: 'Изменить пароль' }).click()
  await expect(message(page, 'Произошла ошибка при смене пароля.')).toBeVisible()
  await expect(page.getByLabel('Новый пароль')).toHaveValue('1234567')
})
