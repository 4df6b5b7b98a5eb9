import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectNoSidewaysScroll, nextPaint, signIn, test } from './fixtures.ts'

const field = (page: Page) => page.getByRole('combobox', { name: 'Что открыть или найти' })
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name })

test('the palette opens by key and by button, and leads to screens, tags and items', async ({
  signedIn: page,
  account,
}) => {
  const note = await account.addNote({ title: 'Про ёлку', tags: ['Ёлочное'] })
  await account.addLink({ title: 'Ёлочный базар', url: 'https://bazar.example/' })
  await page.goto('/profile')
  await expect(page.getByRole('heading', { name: 'Профиль' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
  await expect(option(page, 'Категории')).toBeVisible()
  await expectAccessible(page)

  await page.keyboard.type('елк')
  await expect(option(page, /^Про ёлку/)).toHaveAttribute('aria-selected', 'true')
  await expect(option(page, /^Искать «елк»/)).toBeVisible()
  await field(page).fill('ёлоч')
  await expect(option(page, /^Ёлочное/)).toBeVisible()
  await expect(option(page, /^Ёлочный базар/)).toBeVisible()
  await expectAccessible(page)
  await field(page).fill('про ёлку')
  await expect(option(page, /^Про ёлку/)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/notes/${note.id}`)
  await expect(page.getByRole('heading', { name: 'Про ёлку' })).toBeFocused()
  await expect(field(page)).toBeHidden()

  const button = page.getByRole('button', { name: 'Найти или перейти' })
  await button.click()
  await field(page).fill('катег')
  await expect(option(page, 'Категории')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Escape')
  await expect(button).toBeFocused()
  // What was typed goes once it has closed.
  await expect(field(page)).toBeHidden()
  await button.click()
  await expect(field(page)).toBeFocused()
  // What was added last is offered before anything is typed.
  await expect(option(page, /^Ёлочный базар/)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowUp')
  await expect(option(page, 'Корзина')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(option(page, /^Про ёлку/)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(option(page, 'Заметки')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/notes')
})

test('while one types the best hits come first', async ({ signedIn: page, account }) => {
  await account.addNote({ title: 'Самовары Тулы' })
  await account.addNote({ title: 'Дача', tags: ['самовар'] })
  await account.addNote({ title: 'Чай', content: '<p>Под самовар</p>' })
  await account.addNote({ title: 'Не о том' })
  await page.goto('/home')
  await expect(page.getByText('Не о том')).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
  const notes = page.getByRole('group', { name: 'Заметки' }).getByRole('option')
  for (const letters of ['сам', 'ова', 'р']) {
    await page.keyboard.type(letters)
    await expect(notes).toHaveText([/^Самовары Тулы/, /^Дача/, /^Чай/])
  }
  await expect(field(page)).toHaveValue('самовар')
  await expect(page).toHaveURL('/home')
})

test('a response that comes late stays away, and Enter never opens what an older text has found', async ({
  signedIn: page,
  account,
  hold,
}) => {
  await account.addNote({ title: 'Первая' })
  await account.addNote({ title: 'Вторая' })
  const held = await hold(/\/search\/\?search=%D0%9F%D0%B5%D1%80/)
  await page.goto('/home')
  await expect(page.getByText('Вторая')).toBeVisible()
  await page.keyboard.press('Control+k')
  await field(page).fill('Пер')
  await held.requested
  await expect(page.getByRole('listbox')).toHaveAttribute('aria-busy', 'true')
  await field(page).fill('Втор')
  await expect(option(page, /^Вторая/)).toBeVisible()
  await held.release()
  await nextPaint(page)
  await expect(option(page, /^Вторая/)).toHaveAttribute('aria-selected', 'true')
  await expect(option(page, /^Первая/)).toBeHidden()
  await expect(page.getByRole('listbox')).toHaveAttribute('aria-busy', 'false')

  await page.route('**/api/v1/search/**', () => {})
  await field(page).fill('Вторая')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/home?search=${encodeURIComponent('Вторая')}`)
})

test('the palette starts a note called by what was typed', async ({ signedIn: page }) => {
  await page.goto('/profile')
  await expect(page.getByRole('heading', { name: 'Профиль' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await field(page).fill('Купить чай & мёд')
  await expect(option(page, /^Искать «Купить/)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowDown')
  await expect(option(page, 'Новая заметка «Купить чай & мёд»')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/notes\/add\?title=/)
  await expect(page.getByLabel('Название')).toHaveValue('Купить чай & мёд')
})

test('on the narrowest screen the palette fits', async ({ page, crowded }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await signIn(page, crowded.session)
  await page.goto('/home')
  await page.getByRole('button', { name: 'Найти или перейти' }).click()
  await field(page).fill('Электро')
  await expect(option(page, /^Электро/).first()).toBeVisible()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
})

test('neither the palette nor the suggestions ask for all tags', async ({ signedIn: page, account }) => {
  await account.addNote({ tags: ['кухня'] })
  const limits: (string | null)[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/api/v1/tags/') limits.push(searchParams.get('limit'))
  })
  await page.goto('/notes/add')
  await page.getByRole('combobox', { name: 'Теги' }).fill('кух')
  await expect(page.getByRole('option', { name: 'кухня' })).toBeVisible()
  await page.keyboard.press('Control+K')
  await page.getByRole('combobox', { name: 'Что открыть или найти' }).fill('кух')
  await expect(page.getByRole('dialog').getByRole('option', { name: 'кухня' })).toBeVisible()
  expect(new Set(limits)).toEqual(new Set(['50']))
})

test('the empty palette offers recent items', async ({ signedIn: page, account }) => {
  await account.addNote({ title: 'Прежняя' })
  const { id } = await account.addLink({ title: 'Свежая' })
  await page.goto('/tags')
  await page.getByRole('button', { name: 'Найти или перейти' }).click()
  const recent = page.getByRole('group', { name: 'Недавние' }).getByRole('option')
  await expect(recent).toHaveText([/^Свежая/, /^Прежняя/])
  for (const one of await recent.all()) await expect(one).toBeInViewport()
  await recent.first().click()
  await expect(page).toHaveURL(`/urllinks/${id}`)
})
