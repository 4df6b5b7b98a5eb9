import { randomUUID } from 'node:crypto'
import { expect, expectAccessible, message, test } from './fixtures.ts'

test('someone who has never been here registers, signs in and signs out', async ({ page, logIn }) => {
  const email = `${randomUUID()}@example.org`
  await page.goto('/')
  await expect(page).toHaveURL(/\/auth\/login\?redirect=/)
  await expect(page.getByRole('heading', { name: 'Вход' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Зарегистрироваться' }).click()
  await expect(page).toHaveURL('/auth/registration')
  await expect(page.getByRole('heading', { name: 'Регистрация' })).toBeVisible()
  await expectAccessible(page)

  await page.getByLabel('Имя').fill('Фёдор')
  await page.getByLabel('Фамилия').fill('Достоевский')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill('братья карамазовы')
  await page.getByRole('button', { name: 'Зарегистрироваться' }).click()
  await expect(page).toHaveURL('/auth/login')

  await logIn({ email: email.toUpperCase(), password: 'братья карамазовы' })
  await expect(page).toHaveURL('/home')
  await expect(page.getByRole('heading', { name: 'Главная' })).toBeVisible()

  await page.getByRole('button', { name: 'Открыть меню' }).click()
  const drawer = page.getByRole('dialog')
  await expect(drawer.getByText(email)).toBeVisible()
  await expect(drawer.getByText('Достоевский Фёдор')).toBeVisible()
  for (const section of ['Главная', 'Заметки', 'Ссылки', 'Категории']) {
    await expect(drawer.getByRole('link', { name: section, exact: true })).toBeVisible()
  }
  // It slides in.
  await expect.poll(async () => (await drawer.boundingBox())?.width).toBe(360)
  await expectAccessible(page)
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Добавить или выйти' }).click()
  await expect(page.getByRole('menuitem', { name: 'Новая заметка' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Новая ссылка' })).toBeVisible()
  // Styles that came later win over those of the first page.
  await expect(page.getByRole('menuitem', { name: 'Новая ссылка' })).not.toHaveCSS('padding-left', '0px')
  await expectAccessible(page)
  await page.getByRole('menuitem', { name: 'Выйти' }).click()
  await expect(page).toHaveURL(/\/auth\/login/)
  expect(await page.evaluate(() => ({ ...localStorage }))).not.toHaveProperty('access_token')
  await page.goBack()
  await expect(page).toHaveURL(/\/auth\/login/)
})

test('a sign-out takes the messages of its user along', async ({ signedIn: page }) => {
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Обновить профиль' }).click()
  const saved = message(page, 'Профиль успешно обновлен.')
  // Under the pointer it stays for as long as one likes, and for seconds on another screen.
  await saved.hover()
  await page.getByRole('button', { name: 'Добавить или выйти' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Выйти' }).press('Enter')
  await expect(page).toHaveURL(/\/auth\/login/)
  await expect(saved).toHaveCount(0, { timeout: 2_000 })
})

test('a form says what is wrong with each field, and keeps what was typed', async ({ page }) => {
  await page.goto('/auth/registration')
  await page.getByRole('button', { name: 'Зарегистрироваться' }).click()
  await expect(message(page, 'Пожалуйста, исправьте ошибки в форме.')).toBeVisible()
  await expect(page.getByText('Обязательное поле')).toHaveCount(4)
  await page.getByLabel('Email').fill('нет собаки')
  await page.getByLabel('Password').fill('12345')
  await page.getByLabel('Имя').fill('Имя')
  await expect(page.getByText('Неверный формат email')).toBeVisible()
  await expect(page.getByText('Пароль должен содержать минимум 6 символов')).toBeVisible()
  await expect(page.getByText('Обязательное поле')).toHaveCount(1)
  await expectAccessible(page)
  await expect(page.getByLabel('Имя')).toHaveValue('Имя')
})

test('the password hides until it is asked to show; a very common one is warned of', async ({ page }) => {
  await page.goto('/auth/registration')
  const password = page.getByLabel('Password')
  await expect(page.getByText('Минимум 6 символов, лучше 8 и больше')).toBeVisible()
  await expect(password).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: 'Показать пароль' }).click()
  await expect(password).toHaveAttribute('type', 'text')
  await password.fill('qwerty')
  await expect(page.getByText('Этот пароль очень распространён: его подберут за секунды.')).toBeVisible()
})

test('an email that is taken is said at its field', async ({ page, account, expectedInConsole }) => {
  expectedInConsole.push(/status of 400/)
  await page.goto('/auth/registration')
  for (const name of ['Имя', 'Фамилия']) await page.getByLabel(name).fill('Анна')
  await page.getByLabel('Email').fill(account.email.toUpperCase())
  await page.getByLabel('Password').fill('123456789a')
  await page.getByRole('button', { name: 'Зарегистрироваться' }).click()
  await expect(page.getByText('Пользователь с таким email уже существует.')).toBeVisible()
  await expect(page).toHaveURL('/auth/registration')
})

test('wrong sign-in data is said in the server’s words, and what was typed stays', async ({
  page,
  account,
  logIn,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 400/)
  await page.goto('/auth/login')
  await logIn({ ...account, password: 'не тот' })
  await expect(message(page, 'Неверный email или пароль.')).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue(account.email)
  await page.getByRole('button', { name: 'Закрыть' }).click()
  await expect(message(page, 'Неверный email или пароль.')).toBeHidden()
})

test('sign-in leads back to the place that asked for it', async ({ page, account, logIn }) => {
  await page.goto('/notes?page=2&search=%D1%91%D0%BB%D0%BA%D0%B0#x')
  await expect(page).toHaveURL(/\/auth\/login\?redirect=/)
  const redirect = new URL(page.url()).searchParams.get('redirect') ?? ''
  expect(decodeURIComponent(redirect)).toMatch(/^\/notes\?.*search=ёлка/)
  await logIn(account)
  await expect(page).toHaveURL(/\/notes\?/)
  await expect(page.getByLabel('Поиск по заметкам')).toHaveValue('ёлка')
})

for (const elsewhere of [
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example',
  '/.//evil.example/',
  'javascript:alert(1)',
]) {
  test(`sign-in never leads to another site: ${elsewhere}`, async ({ page, account, logIn }) => {
    await page.goto(`/auth/login?redirect=${encodeURIComponent(elsewhere)}`)
    await logIn(account)
    await expect(page).toHaveURL('/home')
  })
}

test('where registration is closed, the page says so before anything is typed', async ({ page, serve }) => {
  const closed = await serve({ REGISTRATION: 'closed' })
  await page.goto(`${closed.address}/auth/registration`)
  await expect(
    page.getByText('Регистрация закрыта. Попросите доступ у владельца этого сервера.'),
  ).toBeVisible()
  await expect(page.getByLabel('Email')).toBeHidden()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Вход' }).click()
  await expect(page).toHaveURL(/\/auth\/login$/)
})

test('the email is typed once: login, registration and reset hand it on', async ({ page }) => {
  const email = `${randomUUID()}@example.org`
  // Each of these screens has such a field, and the address changes before the screen does.
  const expectCarried = async (heading: string) => {
    await expect(page.getByRole('heading', { name: heading })).toBeVisible()
    await expect(page.getByLabel('Email')).toHaveValue(email)
  }
  await page.goto('/auth/login')
  await expect(page.getByText('Заметки и ссылки, которые легко найти снова.')).toBeVisible()
  await page.getByLabel('Email').fill(email)
  await page.getByRole('link', { name: 'Забыли пароль?' }).click()
  await expect(page).toHaveURL('/auth/password-reset')
  await expectCarried('Сброс пароля')
  await page.getByRole('link', { name: 'Вход' }).click()
  await expectCarried('Вход')
  await page.getByRole('button', { name: 'Зарегистрироваться' }).click()
  await expect(page).toHaveURL('/auth/registration')
  await expectCarried('Регистрация')
  await page.getByLabel('Имя').fill('Анна')
  await page.getByLabel('Фамилия').fill('Каренина')
  await page.getByLabel('Password').fill('ключ от дома')
  await page.getByRole('button', { name: 'Зарегистрироваться' }).click()
  await expect(page).toHaveURL('/auth/login')
  await expectCarried('Вход')
})

test('the language can be changed before signing in, and what is typed stays', async ({ page }) => {
  await page.goto('/auth/login')
  await page.getByLabel('Email').fill('anna@example.org')
  await page.getByRole('button', { name: 'Войти' }).click()
  await expect(page.getByText('Обязательное поле')).toBeVisible()
  await page.getByRole('button', { name: 'English' }).click()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue('anna@example.org')
  await expect(page.getByText('This field is required')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Русский' }).click()
  await expect(page.getByRole('button', { name: 'Войти' })).toBeVisible()
})

test('a signed-in user who opens the registration sees a message that says so', async ({
  signedIn: page,
  account,
}) => {
  await page.goto('/auth/registration')
  await expect(page.getByText(`Вы уже вошли как ${account.email}.`)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'На главную' }).click()
  await expect(page).toHaveURL('/home')
})
