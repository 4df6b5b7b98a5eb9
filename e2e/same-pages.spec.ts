import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectNoSidewaysScroll, message, nextPaint, test } from './fixtures.ts'

const field = (page: Page) => page.getByRole('textbox', { name: 'Сохранить ссылку или заметку' })

/** Presses Ctrl+V with this text in the clipboard, wherever the focus is. */
async function paste(page: Page, text: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
  await page.keyboard.press('ControlOrMeta+V')
}

test('the form of a link says where its page is kept already, in any spelling, and leads there', async ({
  signedIn: page,
  account,
}) => {
  const { id } = await account.addLink({ title: 'Давно храню', url: 'https://www.example.org/page/' })
  await page.goto('/urllinks/add')
  await page.getByLabel('Название').fill('Ещё раз')
  await page.getByLabel('URL').fill('http://example.org/page?utm_source=x')
  const kept = page.getByRole('status').filter({ hasText: 'Уже сохранено: Давно храню' })
  await expect(kept).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('URL').fill('https://example.org/other')
  await expect(kept).toBeHidden()
  await page.getByLabel('URL').fill('example.org/page')
  await kept.getByRole('link', { name: 'Давно храню' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Уйти' }).click()
  await expect(page).toHaveURL(`/urllinks/${id}`)

  await page.goto(`/urllinks/${id}/edit`)
  // Not the look at the address that the form opened with.
  const checked = page.waitForResponse(/urllinks\/check\/.*part/)
  await page.getByLabel('URL').fill('https://example.org/page#part')
  await checked
  await nextPaint(page)
  await expect(page.getByText('Уже сохранено')).toHaveCount(0)
})

test('the field for a link leads to what is kept, and saves it once more where that is wanted', async ({
  signedIn: page,
  account,
}) => {
  await page.route('**/extract-meta-tags/', (route) =>
    route.fulfill({ json: { title: '', description: '', keywords: '' } }),
  )
  const { id } = await account.addLink({ title: 'Давно храню', url: 'https://example.org/page' })
  await page.goto('/url-links')
  await expect(page.getByRole('article')).toHaveCount(1)
  await paste(page, 'https://example.org/page/')
  await expect(page.getByRole('dialog')).toContainText('Уже сохранено: «Давно храню»')
  await expectAccessible(page)
  await field(page).press('Enter')
  await expect(page).toHaveURL(`/urllinks/${id}`)

  await page.goto('/url-links')
  await expect(page.getByRole('article')).toHaveCount(1)
  await paste(page, 'https://example.org/page/')
  await page.getByRole('button', { name: 'Сохранить ещё раз' }).click()
  await expect(page.getByRole('article')).toHaveCount(2)
})

for (const width of [1280, 390]) {
  test(`pages kept twice are merged into the one that is chosen, and taken apart again, ${width} wide`, async ({
    signedIn: page,
    account,
  }) => {
    await page.setViewportSize({ width, height: 844 })
    await account.addLink({ title: 'Раз', url: 'https://example.org/page', tags: ['один'] })
    await account.addLink({ title: 'Два', url: 'https://www.example.org/page/?utm_source=x', tags: ['два'] })
    await account.addLink({ title: 'Другая', url: 'https://example.org/other' })
    await page.goto('/profile')
    await page.getByRole('link', { name: 'Повторы' }).click()
    const group = page.getByRole('radiogroup', { name: 'Какую ссылку оставить' })
    await expect(group).toHaveCount(1)
    await expect(group.getByRole('radio')).toHaveCount(2)
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await group.getByRole('radio', { name: 'Раз' }).check()
    await page.getByRole('button', { name: /^Объединить ссылки/ }).click()
    await expect(message(page, 'Ссылки объединены.')).toBeVisible()
    await expect(page.getByText('Повторов нет')).toBeVisible()
    await page.getByRole('button', { name: 'Отменить' }).click()
    await expect(group.getByRole('radio')).toHaveCount(2)
    await group.getByRole('radio', { name: 'Раз' }).check()
    await page.getByRole('button', { name: /^Объединить ссылки/ }).click()
    await expect(page.getByText('Повторов нет')).toBeVisible()
    await page.goto('/url-links')
    await expect(page.getByRole('article')).toHaveCount(2)
    const kept = page.getByRole('article').filter({ hasText: 'Раз' })
    await expect(kept.getByRole('link', { name: 'один', exact: true })).toBeVisible()
    await expect(kept.getByRole('link', { name: 'два', exact: true })).toBeVisible()
  })
}
