import { expect, expectAccessible, test } from './journey.ts'

test('a list by a tag that is gone says so and leads to the whole list', async ({
  signedIn: page,
  account,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 404/)
  await account.addNote({ title: 'Без тега' })
  await page.goto('/notes?tag=01a1fa45-9743-7383-8dfc-4ee65ccd69d0')
  await expect(page.getByText('Такой категории больше нет.')).toBeVisible()
  await expect(page.getByText('…', { exact: true })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Повторить' })).toBeHidden()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Показать с любыми тегами' }).click()
  await expect(page).toHaveURL('/notes')
  await expect(page.getByRole('article')).toContainText('Без тега')
})

test('a tag whose name does not load stays off the list, the way to the whole list does not', async ({
  signedIn: page,
  account,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 500/)
  const { tags } = await account.addNote({ title: 'С тегом', tags: ['дача'] })
  await account.addNote({ title: 'Без тега' })
  const tag = tags[0]?.id
  await page.route(`**/api/v1/tags/${tag}/`, (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto(`/notes?tag=${tag}`)
  await expect(page.getByRole('article')).toHaveCount(1)
  await page.getByRole('link', { name: 'Показать с любыми тегами' }).click()
  await expect(page.getByRole('article')).toHaveCount(2)
})
