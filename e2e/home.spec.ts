import { expect, expectAccessible, nextPaint, test } from './fixtures.ts'

test('an empty home offers to create the first note and the first link', async ({ signedIn: page }) => {
  await page.goto('/home')
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { name: 'Заметки' })).toBeVisible()
  await expect(main.getByRole('heading', { name: 'Ссылки' })).toBeVisible()
  await expectAccessible(page)
  await main.getByRole('link', { name: 'Новая заметка' }).click()
  await expect(page).toHaveURL('/notes/add')
  // The next press is for the screen that comes back, not for the one that still shows.
  await expect(page.getByRole('heading', { name: 'Новая заметка' })).toBeVisible()
  await page.goBack()
  await main.getByRole('link', { name: 'Новая ссылка' }).click()
  await expect(page).toHaveURL('/urllinks/add')
})

test('home shows the latest; a search lives in the address and clearing it brings them back', async ({
  signedIn: page,
  account,
}) => {
  await account.addNote({ title: 'Про ёлку', tags: ['зима'] })
  await account.addNote({ title: 'Про дачу' })
  await account.addLink({ title: 'Ёлочный базар', url: 'https://bazar.example/' })
  await page.goto('/home')
  await expect(page.getByRole('article')).toHaveCount(3)
  await expect(page.getByRole('article').first()).toContainText('Про дачу')

  const search = page.getByLabel('Поиск', { exact: true })
  await search.fill('ЕЛК')
  await search.press('Enter')
  await expect(page).toHaveURL(/\/home\?search=/)
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect(page.getByRole('article')).toContainText('Про ёлку')
  await expectAccessible(page)

  await page.reload()
  await expect(search).toHaveValue('ЕЛК')
  await expect(page.getByRole('article')).toHaveCount(1)
  await page.getByRole('button', { name: 'Очистить поиск' }).click()
  await expect(page).toHaveURL('/home')
  await expect(page.getByRole('article')).toHaveCount(3)
  for (const list of ['Заметки', 'Ссылки']) {
    await expect(page.getByRole('region', { name: list })).toHaveAttribute('aria-busy', 'false')
  }
})

test('the info button opens the item, the title of a link its page in a new tab', async ({
  signedIn: page,
  account,
}) => {
  const note = await account.addNote({ title: 'Заметка раз' })
  await account.addLink({ title: 'Ссылка раз', url: 'https://one.example/путь' })
  await page.goto('/home')
  const title = page.getByRole('link', { name: /^Ссылка раз/ })
  await expect(title).toHaveAttribute('href', 'https://one.example/путь')
  await expect(title).toHaveAttribute('target', '_blank')
  await page.getByRole('link', { name: 'Открыть заметку «Заметка раз»' }).click()
  await expect(page).toHaveURL(`/notes/${note.id}`)
})

test('a search that fails says so and can be tried again', async ({
  signedIn: page,
  account,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 500/)
  await account.addNote({ title: 'Найдись' })
  await page.route('**/api/v1/search/**', (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto('/home?search=найдись')
  await expect(page.getByText('Произошла ошибка при поиске.')).toBeVisible()
  await expectAccessible(page)
  await expect(page.getByRole('article')).toHaveCount(0)
  await page.unroute('**/api/v1/search/**')
  await page.getByRole('button', { name: 'Повторить' }).click()
  await expect(page.getByRole('article')).toContainText('Найдись')
})

for (const [amount, count] of [
  ['little', 1],
  ['much', 10],
] as const) {
  test(`on a phone nothing jumps when ${amount} arrives`, async ({ signedIn: page, account, hold }) => {
    for (let at = 0; at < count; at += 1) {
      await account.addNote({ tags: ['дом'] })
      await account.addLink({})
    }
    await page.setViewportSize({ width: 412, height: 823 })
    await page.addInitScript(() => {
      let shift = 0
      const add = (entries: PerformanceEntryList) => {
        for (const entry of entries) shift += 'value' in entry ? Number(entry.value) : 0
      }
      const observer = new PerformanceObserver((list) => add(list.getEntries()))
      observer.observe({ type: 'layout-shift' })
      const shiftSoFar = () => {
        add(observer.takeRecords())
        return shift
      }
      Object.assign(window, { shiftSoFar })
    })
    const held = await hold('**/api/v1/latest/**')
    await page.goto('/home')
    await expect(page.getByRole('main').getByRole('status').first()).toBeAttached()
    await nextPaint(page)
    await held.release()
    await expect(page.getByRole('article')).toHaveCount(2 * count)
    await nextPaint(page)
    const shift: number = await page.evaluate(() => Reflect.get(window, 'shiftSoFar')())
    // So far Google calls it good: https://web.dev/articles/cls
    expect(shift).toBeLessThan(0.1)
  })
}

test('what is added has its way beside each heading', async ({ signedIn: page, account }) => {
  await account.addNote({})
  await account.addLink({})
  await page.goto('/home')
  await page.getByRole('region', { name: 'Ссылки' }).getByRole('link', { name: 'Новая ссылка' }).click()
  await expect(page).toHaveURL('/urllinks/add')
  await expect(page.getByRole('heading', { name: 'Новая ссылка' })).toBeVisible()
  await page.goBack()
  await page.getByRole('region', { name: 'Заметки' }).getByRole('link', { name: 'Новая заметка' }).click()
  await expect(page).toHaveURL('/notes/add')
})

test('on a phone the links are one press away', async ({ signedIn: page, account }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  for (let at = 0; at < 10; at += 1) await account.addNote({})
  await account.addLink({ title: 'Далеко внизу' })
  await page.goto('/home')
  const links = page.getByRole('heading', { name: 'Ссылки' })
  // Notes that came after the press would push it away again.
  await expect(page.getByRole('article')).toHaveCount(11)
  await expect(links).not.toBeInViewport()
  await page.getByRole('button', { name: 'Ссылки' }).click()
  await expect(links).toBeInViewport()
  await expect(links).toBeFocused()
})
