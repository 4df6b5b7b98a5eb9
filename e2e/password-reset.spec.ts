import { AxeBuilder } from '@axe-core/playwright'
import type { Locator } from '@playwright/test'
import { expect, expectAccessible, message, test } from './fixtures.ts'
import { nthMessage } from './mail.ts'

test('a forgotten password: an email, its link, a new password, and in', async ({
  page,
  serve,
  register,
  logIn,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 400/)
  const server = await serve()
  const { email, password } = await register(server.address)
  await page.goto(`${server.address}/auth/login`)
  await page.getByRole('link', { name: 'Забыли пароль?' }).click()
  await expect(page).toHaveURL(/\/auth\/password-reset$/)
  await expect(page.getByRole('heading', { name: 'Сброс пароля' })).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Email').fill(email.toUpperCase())
  await page.getByRole('button', { name: 'Отправить ссылку для сброса' }).click()
  await expect(message(page, 'Письмо для сброса пароля отправлено. Проверьте ваш email.')).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'Если учётная запись' })).toHaveText(
    `Если учётная запись с адресом ${email} есть, письмо придёт через несколько минут. Откройте ссылку из него: она действует один час. Если письма нет, проверьте адрес и папку «Спам» и отправьте ещё раз.`,
    { ignoreCase: true },
  )
  await expectAccessible(page)

  const mail = await nthMessage(1, server.dataDir)
  const [link = ''] = /http\S+\/auth\/password-confirm\?\S+/.exec(mail) ?? []
  const place = new URL(link)
  const here = `${server.address}${place.pathname}${place.search}`
  await page.goto(here)
  await expect(page.getByRole('heading', { name: 'Новый пароль' })).toBeVisible()
  await expect(page.getByText('Минимум 6 символов, лучше 8 и больше')).toBeVisible()
  await expectAccessible(page)

  await page.getByLabel('Новый пароль').fill('12345')
  await page.getByLabel('Подтверждение пароля').fill('другой пароль')
  await page.getByRole('button', { name: 'Сбросить пароль' }).click()
  await expect(message(page, 'Пожалуйста, исправьте ошибки в форме.')).toBeVisible()
  await expect(page.getByText('Пароль должен содержать минимум 6 символов')).toBeVisible()
  await page.getByLabel('Новый пароль').fill('новый пароль')
  await expect(page.getByText('Пароли не совпадают')).toBeVisible()
  await page.getByLabel('Подтверждение пароля').fill('новый пароль')
  await page.getByRole('button', { name: 'Сбросить пароль' }).click()
  await expect(message(page, 'Пароль успешно сброшен. Теперь вы можете войти в систему.')).toBeVisible()
  await expect(page).toHaveURL(/\/auth\/login$/)

  await logIn({ email, password })
  await expect(message(page, 'Неверный email или пароль.')).toBeVisible()
  await logIn({ email, password: 'новый пароль' })
  await expect(page).toHaveURL(/\/home$/)

  await page.goto(here)
  await page.getByLabel('Новый пароль').fill('ещё раз то же')
  await page.getByLabel('Подтверждение пароля').fill('ещё раз то же')
  await page.getByRole('button', { name: 'Сбросить пароль' }).click()
  await expect(
    message(page, 'Ссылка для сброса пароля недействительна или устарела. Запросите новую.'),
  ).toBeVisible()
  await page.getByRole('link', { name: 'Запросить новую ссылку' }).click()
  await expect(page).toHaveURL(/\/auth\/password-reset$/)
})

const colourOf = (element: Locator) => element.evaluate((node) => getComputedStyle(node).backgroundColor)

test('the button in the email has the colour of the product, and its words stand out', async ({
  page,
  serve,
  register,
}) => {
  const server = await serve()
  const { email } = await register(server.address)
  await page.goto(`${server.address}/auth/login`)
  const ours = await colourOf(page.getByRole('button', { name: 'Войти' }))
  await page.goto(`${server.address}/auth/password-reset`)
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Отправить ссылку для сброса' }).click()
  const mail = await nthMessage(1, server.dataDir, 'html')
  // A mail reader has none of our rules for pages.
  await page.goto('about:blank')
  await page.setContent(mail)
  const button = page.getByRole('link', { name: 'Задать новый пароль' })
  expect(await colourOf(button)).toBe(ours)
  const { incomplete, violations } = await new AxeBuilder({ page }).withRules('color-contrast').analyze()
  expect([...incomplete, ...violations]).toEqual([])
})

for (const address of ['', '?uid=01a1fa45-9743-7383-8dfc-4ee65ccd69d0', '?token=abc']) {
  test(`a link with a part missing says so and leads on: ${address || 'nothing'}`, async ({ page }) => {
    await page.goto(`/auth/password-confirm${address}`)
    await expect(page.getByText(/Ссылка для сброса пароля неполная/)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Сбросить пароль' })).toBeHidden()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Запросить новую ссылку' }).click()
    await expect(page).toHaveURL('/auth/password-reset')
  })
}

test('a reset that fails without words of the server says so in ours', async ({
  page,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 500/)
  await page.route('**/api/v1/auth/password-reset*/', (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto('/auth/password-reset')
  await page.getByRole('button', { name: 'Отправить ссылку для сброса' }).click()
  await expect(page.getByText('Обязательное поле')).toBeVisible()
  await page.getByLabel('Email').fill('anna@example.org')
  await page.getByRole('button', { name: 'Отправить ссылку для сброса' }).click()
  await expect(message(page, 'Ошибка при сбросе пароля')).toBeVisible()

  await page.goto('/auth/password-confirm?uid=x&token=y')
  await page.getByLabel('Новый пароль').fill('новый пароль')
  await page.getByLabel('Подтверждение пароля').fill('новый пароль')
  await page.getByRole('button', { name: 'Сбросить пароль' }).click()
  await expect(message(page, 'Ошибка при подтверждении сброса пароля')).toBeVisible()
})
