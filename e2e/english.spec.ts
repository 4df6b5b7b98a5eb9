import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { abortLazyAssets, expect, message, signIn, test } from './fixtures.ts'
import { addressOf, PROTECTED_SCREENS, PUBLIC } from './screens.ts'

test('where English does not load, the page speaks Russian until the next visit', async ({
  page,
  expectedInConsole,
}) => {
  expectedInConsole.push(/ERR_FAILED/)
  await page.goto('/auth/login')
  await expect(page.getByRole('heading', { name: 'Вход' })).toBeVisible()
  await page.evaluate(() => localStorage.setItem('language', 'en'))
  await abortLazyAssets(page)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Вход' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'ru')
  await page.unroute('**/assets/**')
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Вход' })).toBeHidden()
})

test('a change of the language in another tab reaches the rows of the tags', async ({
  signedIn: page,
  account,
  context,
}) => {
  await account.addNote({ tags: ['дом'] })
  await page.goto('/tags')
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'дом' })
  await expect(row).toContainText('Всего заметок: 1, Всего ссылок: 0')
  const other = await context.newPage()
  await other.goto('/privacy')
  await other.evaluate(() => localStorage.setItem('language', 'en'))
  await expect(page.getByRole('heading', { name: 'Categories', level: 1 })).toBeVisible()
  await expect(row).toContainText('Notes in all: 1, links in all: 0')
})

test('a change of the language in another tab leaves the document the title of its item', async ({
  signedIn: page,
  account,
  context,
}) => {
  const { id } = await account.addNote({ title: 'Щи' })
  await page.goto(`/notes/${id}`)
  await expect(page).toHaveTitle('Щи — Копилка')
  const other = await context.newPage()
  await other.goto('/privacy')
  await other.evaluate(() => localStorage.setItem('language', 'en'))
  await expect(page.getByRole('link', { name: 'Edit' })).toBeVisible()
  await expect(page).toHaveTitle('Щи — Копилка')
})

test.describe('the interface in English', () => {
  test.use({ locale: 'en-US' })
  test.beforeEach(({ page }) => page.addInitScript(() => localStorage.setItem('language', 'en')))

  /** What the page says or offers to screen readers in Cyrillic, but for what is Russian in both languages. */
  const cyrillicOn = (page: Page): Promise<string[]> =>
    page.evaluate(() => {
      const said = document.body.innerText.split('\n')
      for (const element of document.querySelectorAll('[aria-label], [placeholder], [title]')) {
        for (const name of ['aria-label', 'placeholder', 'title']) said.push(element.getAttribute(name) ?? '')
      }
      return said.filter((line) => /[а-яё]/i.test(line.replace(/Копилка|Русский/g, '')))
    })

  test('register, keep a note and a link, find both, delete, sign out', async ({
    page,
    expectedInConsole,
  }) => {
    expectedInConsole.push(/status of 400/)
    const email = `${randomUUID()}@example.org`
    const expectEnglish = async () => expect(await cyrillicOn(page)).toEqual([])
    await page.goto('/')
    await expect(page).toHaveURL(/\/auth\/login/)
    await page.getByRole('button', { name: 'Register' }).click()
    // The button that submits has the name of the one that leads here.
    await expect(page.getByLabel('First name')).toBeVisible()
    await page.getByRole('button', { name: 'Register' }).click()
    await expect(message(page, 'Please correct the errors in the form.')).toBeVisible()
    await expectEnglish()
    await page.getByLabel('First name').fill('Jane')
    await page.getByLabel('Last name').fill('Austen')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel(/^Password/).fill('pride and prejudice')
    await page.getByRole('button', { name: 'Register' }).click()
    await expect(page).toHaveURL('/auth/login')

    const signIn = async (password: string) => {
      const submit = page.getByRole('button', { name: 'Sign in' })
      // The form of registration has fields of the same names, and shows until this one has come.
      await expect(submit).toBeVisible()
      await page.getByLabel('Email').fill(email)
      await page.getByLabel(/^Password/).fill(password)
      await submit.click()
    }
    // The server's own sentence.
    await signIn('sense and sensibility')
    await expect(message(page, 'Wrong email or password.')).toBeVisible()
    await expectEnglish()
    await signIn('pride and prejudice')
    await expect(page).toHaveURL('/home')
    await expect(page.getByText('No notes yet')).toBeVisible()
    await expectEnglish()

    for (const [add, title, body, added] of [
      ['/notes/add', 'Running shoes', 'Content', 'The note has been added!'],
      ['/urllinks/add', 'Where to run', 'Description', 'The link has been added!'],
    ] as const) {
      await page.goto(add)
      await page.getByLabel('Title').fill(title)
      if (add === '/urllinks/add') await page.getByLabel('URL').fill('https://example.org/')
      await page.getByRole('textbox', { name: body }).click()
      await page.keyboard.type('Along the river')
      await page.getByRole('combobox', { name: 'Tags' }).fill('sport')
      await page.getByRole('combobox', { name: 'Tags' }).press('Enter')
      await expectEnglish()
      await page.getByRole('button', { name: 'Save' }).click()
      await expect(message(page, added)).toBeVisible()
    }
    await page.goto('/home')
    const search = page.getByLabel('Search', { exact: true })
    await search.fill('run')
    await search.press('Enter')
    await expect(page.getByText('1 note found')).toBeVisible()
    await expect(page.getByRole('article')).toHaveCount(2)
    await expectEnglish()
    await page.getByRole('link', { name: 'Open the note “Running shoes”' }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('Are you sure you want to delete this note?')).toBeVisible()
    await expectEnglish()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(message(page, 'The note has been deleted.')).toBeVisible()
    // While the question is still there, keys rest.
    await expect(page.getByRole('heading', { name: 'Notes', level: 1 })).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)

    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'What to open or find' }).fill('sport')
    await expect(page.getByRole('option', { name: /^sport/ })).toBeVisible()
    await expectEnglish()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
    await expectEnglish()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Add or sign out' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(page).toHaveURL('/auth/login')
  })

  test('no screen says a word of Russian', async ({ page, account, expectedInConsole }) => {
    // Thirty pages one after the other.
    test.slow()
    expectedInConsole.push(/status of 404/)
    const note = await account.addNote({ title: 'A note', content: '<p>Text</p>', tags: ['tag'] })
    const link = await account.addLink({ title: 'A link', description: '<p>Text</p>', tags: ['tag'] })
    const missing = { ...note, id: '01a1fa45-9743-7383-8dfc-4ee65ccd69d0' }
    for (const screen of PUBLIC) {
      await page.goto(screen.path)
      await expect(screen.loaded(page)).toBeVisible()
      expect(await cyrillicOn(page), screen.path).toEqual([])
    }
    await signIn(page, account.session)
    for (const shown of [note, missing]) {
      for (const screen of PROTECTED_SCREENS) {
        await page.goto(
          addressOf(screen, { note: shown, link: { ...link, id: shown === note ? link.id : shown.id } }),
        )
        await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('')
        await expect(page.getByText('Loading')).toHaveCount(0)
        // The name of the account is data.
        const said = await cyrillicOn(page)
        expect(
          said.filter((line) => !/Анна|Каренина/.test(line)),
          screen.path,
        ).toEqual([])
      }
    }
  })
})
