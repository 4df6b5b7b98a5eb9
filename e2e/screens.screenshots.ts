import type { Page } from '@playwright/test'
import { sampleItems } from '../scripts/samples/sample-items.ts'
import { type Account, expect, signIn, test } from './fixtures.ts'

const FORMS = {
  light: { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  dark: { colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 } },
} as const

/** As many as fill three pages of either list. */
const ITEMS = 80

/** The ids of what the screens of single things show. */
async function fill(account: Account): Promise<{ note: string; link: string; tag: string }> {
  const ids = { note: '', link: '', tag: '' }
  for (const url of ['https://example.org/чай', 'http://www.example.org/%D1%87%D0%B0%D0%B9/?utm_source=x'])
    await account.addLink({ title: 'Чай', url, tags: ['чай'] })
  for (const item of sampleItems({ count: ITEMS, until: Date.now() })) {
    if (item.kind === 'link') ids.link = (await account.addLink(item.save)).id
    else {
      const { id, tags } = await account.addNote(item.save)
      ids.note = id
      ids.tag = tags[0]?.id ?? ids.tag
    }
  }
  return ids
}

/** Presses a button and waits for the window or the menu it opens. */
const open = (button: string) => async (page: Page) => {
  await page.getByRole('button', { name: button }).click()
  await expect(page.getByRole('dialog').or(page.getByRole('menu'))).toBeVisible()
}
const openPalette = async (page: Page) => {
  await open('Найти или перейти')(page)
  await page.getByRole('combobox').fill('ре')
  await expect(page.getByRole('option').nth(2)).toBeVisible()
}
const sendEmpty = (name: string) => (page: Page) => page.getByRole('button', { name }).click()
const leaveFieldsEmpty = async (page: Page) => {
  await page.getByLabel('Название').focus()
  await page.getByRole('textbox', { name: /Содержание|Описание/ }).click()
  await page.getByLabel('Название').focus()
}
const leaveChanged = async (page: Page) => {
  await page.getByLabel('Название').fill('Иначе')
  await page.getByRole('link', { name: 'Копилка' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
}
/** Saves a title over a version that somebody else has saved meanwhile. */
const saveTooLate = async (page: Page) => {
  await page.getByLabel('Название').fill('Моя правка')
  await page.evaluate(async () => {
    const address = window.location.pathname.replace(/^(.*)\/edit$/, '/api/v1$1/')
    const headers = {
      authorization: `Bearer ${localStorage.getItem('access_token')}`,
      'content-type': 'application/json',
    }
    const { title, content } = await (await fetch(address, { headers })).json()
    const body = JSON.stringify({ title: `${title}, дополнено`, content })
    await fetch(address, { method: 'PUT', headers, body })
  })
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
}
/** Selects all that a list shows, and perhaps goes on with the selection. */
const selectAll =
  (button?: string) =>
  async (page: Page): Promise<void> => {
    // The keys of the selection load with the first input.
    await expect(async () => {
      await page.keyboard.press('Control+a')
      await expect(page.getByRole('region', { name: 'Выбранное' })).toBeVisible({ timeout: 500 })
    }).toPass()
    if (button === undefined) return
    await page.getByRole('button', { name: button }).click()
    await expect(page.getByRole('dialog').or(page.getByText(/^Удалено: /))).toBeVisible()
  }
const loseNetwork = async (page: Page) => {
  await page.context().setOffline(true)
  await page.getByLabel('Поиск по заметкам').fill('борщ')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Повторить' })).toBeVisible()
}
const failing = (calls: string) => async (page: Page) => {
  await page.route(calls, (route) => route.fulfill({ status: 500, json: {} }))
  await page.reload()
  await expect(page.getByRole('button', { name: 'Повторить' })).toBeVisible()
}

/** `SHOTS=trash npm run screenshots` takes those whose name contains `trash`. */
const WANTED = new RegExp(process.env.SHOTS ?? '')

/** A screen's name, its address and what to do there first. */
type Shot = readonly [name: string, address: string, act?: (page: Page) => Promise<void>]

const signedOut: Shot[] = [
  ['login', '/auth/login'],
  ['login-wrong', '/auth/login', sendEmpty('Войти')],
  ['registration', '/auth/registration'],
  ['registration-wrong', '/auth/registration', sendEmpty('Зарегистрироваться')],
  ['password-reset', '/auth/password-reset'],
  ['password-confirm', '/auth/password-confirm?uid=a&token=b'],
  ['password-confirm-incomplete', '/auth/password-confirm'],
  ['privacy', '/privacy'],
]
const empty: Shot[] = [
  ['empty-home', '/home'],
  ['empty-notes', '/notes'],
  ['empty-links', '/url-links'],
  ['empty-tags', '/tags'],
  ['empty-trash', '/trash'],
  ['empty-history', '/profile/history'],
]
const full = ({ note, link, tag }: Awaited<ReturnType<typeof fill>>): Shot[] => [
  ['home', '/home'],
  ['home-search', '/home?search=%D1%81%D0%BF%D0%B8%D1%81%D0%BE%D0%BA'],
  ['home-nothing', '/home?search=%D1%89%D1%89%D1%89'],
  ['menu', '/home', open('Открыть меню')],
  ['actions', '/home', open('Добавить или выйти')],
  ['palette', '/home', openPalette],
  [
    'quick-add',
    '/home',
    async (page) => {
      await page.keyboard.press('a')
      await page
        .getByRole('textbox', { name: 'Сохранить ссылку или заметку' })
        .fill('https://ru.wikipedia.org/wiki/Чай')
    },
  ],
  ['add-given', '/add?title=%D0%A7%D0%B0%D0%B9&text=%D0%97%D0%B0%D0%B2%D0%B0%D1%80%D0%B8%D1%82%D1%8C'],
  ['help', '/home', open('Сочетания клавиш')],
  ['notes', '/notes'],
  ['notes-last', '/notes?page=3'],
  ['notes-search', '/notes?search=%D1%81%D0%BF%D0%B8%D1%81%D0%BE%D0%BA'],
  ['notes-nothing', '/notes?search=%D1%89%D1%89%D1%89'],
  ['notes-order', '/notes', open('Порядок')],
  ['notes-selected', '/notes', selectAll()],
  ['notes-selected-tags', '/notes', selectAll('Теги')],
  ['notes-offline', '/notes', loseNetwork],
  ['notes-tag', `/notes?tag=${tag}`],
  ['notes-failed', '/notes', failing('**/api/v1/notes/?**')],
  ['note', `/notes/${note}`],
  ['note-menu', `/notes/${note}`, open('Ещё')],
  ['note-remove', `/notes/${note}`, open('Удалить')],
  ['note-missing', '/notes/nonsense'],
  ['note-add', '/notes/add'],
  ['note-add-wrong', '/notes/add', leaveFieldsEmpty],
  ['note-edit', `/notes/${note}/edit`],
  ['note-leave', `/notes/${note}/edit`, leaveChanged],
  ['note-conflict', `/notes/${note}/edit`, saveTooLate],
  ['note-versions', `/notes/${note}/versions`],
  ['links', '/url-links'],
  ['links-failed', '/url-links', failing('**/api/v1/urllinks/?**')],
  ['link', `/urllinks/${link}`],
  ['link-add', '/urllinks/add'],
  ['link-edit', `/urllinks/${link}/edit`],
  ['tags', '/tags'],
  ['tags-selected', '/tags', selectAll()],
  ['tag', `/tags/${tag}`],
  ['tag-merge', `/tags/${tag}`, open('Объединить')],
  ['tag-edit', `/tags/${tag}/edit/`],
  ['profile', '/profile'],
  ['notes-removed', '/notes?page=2', selectAll('Удалить')],
  ['trash', '/trash'],
  ['trash-selected', '/trash', selectAll()],
  ['trash-clear', '/trash', open('Очистить корзину')],
  ['history', '/profile/history'],
  ['data', '/profile/data'],
  ['programs', '/profile/programs'],
  ['duplicates', '/profile/duplicates'],
  ['data-deletion', '/profile/data', open('Удалить учётную запись')],
]
const crowdedShots = (note: string, link: string): Shot[] => [
  ['long-home', '/home'],
  ['long-notes', '/notes'],
  ['long-note', `/notes/${note}`],
  ['long-link', `/urllinks/${link}`],
  ['long-note-edit', `/notes/${note}/edit`],
  ['long-tags', '/tags'],
]

/** Resolves once nothing on the screen is loading any more. */
async function settled(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
  await expect(page.getByText('Загрузка').or(page.getByLabel('Загрузка'))).toHaveCount(0)
}

async function take(page: Page, form: string, shots: readonly Shot[]): Promise<void> {
  for (const [name, address, act] of shots.filter(([name]) => WANTED.test(name))) {
    await page.goto(address)
    await settled(page)
    await act?.(page)
    await settled(page)
    await page.screenshot({ path: `screenshots/${name}-${form}.png`, animations: 'disabled' })
    await page.context().setOffline(false)
    await page.unrouteAll()
  }
}

for (const [form, look] of Object.entries(FORMS)) {
  test.describe(form, () => {
    test.use(look)
    test.beforeEach(
      ({ expectedInConsole }) =>
        void expectedInConsole.push(/status of (?:404|412|500)|ERR_INTERNET_DISCONNECTED/),
    )

    test('signed out', async ({ page }) => take(page, form, signedOut))
    test('empty', async ({ signedIn }) => take(signedIn, form, empty))
    test('full', async ({ signedIn, account }) => take(signedIn, form, full(await fill(account))))
    test('crowded', async ({ page, crowded }) => {
      await signIn(page, crowded.session)
      await take(page, form, crowdedShots(crowded.note.id, crowded.link.id))
    })
  })
}
