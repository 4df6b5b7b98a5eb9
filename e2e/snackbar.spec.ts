import type { Page } from '@playwright/test'
import { expect, message, test } from './journey.ts'

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

test('a message that comes again counts anew', async ({ page }) => {
  await beWrong(page)
  await page.clock.fastForward(9_000)
  await page.getByRole('button', { name: 'Войти' }).click()
  await page.clock.fastForward(9_000)
  await expect(message(page, WRONG)).toHaveCount(1)
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
