import type { Page } from '@playwright/test'
import { editorOf } from './editor-page.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, message, signIn, snackbar } from './fixtures.ts'
import { animatedGif, dropFiles, png, sidewaysPhoto } from './picture-files.ts'
import { test } from './site.ts'

const EDITOR = '[role=textbox][aria-multiline]'
const pictures = (page: Page) => editorOf(page).locator('[data-state=shown] img')
const saveButton = (page: Page) => page.getByRole('button', { name: 'Сохранить', exact: true })
const responseTo = (page: Page, method: string, path: RegExp) =>
  page.waitForResponse(
    (response) => path.test(new URL(response.url()).pathname) && response.request().method() === method,
    { timeout: 30_000 },
  )
const uploaded = (page: Page) => responseTo(page, 'POST', /\/files\/$/)

const file = (name: string, mimeType: string, buffer: Buffer) => ({ name, mimeType, buffer })
const PNG = file('кот.png', 'image/png', png(40, 30))
const GIF = file('мигает.gif', 'image/gif', animatedGif())

async function openNew(page: Page, title = 'С картинкой'): Promise<void> {
  await page.goto('/notes/add')
  await page.getByLabel('Название').fill(title)
  await editorOf(page).click()
}

async function choose(
  page: Page,
  files: { name: string; mimeType: string; buffer: Buffer }[],
): Promise<void> {
  await page.getByRole('button', { name: 'Картинка', exact: true }).click()
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Выбрать файлы' }).click()
  await (await chooser).setFiles(files)
}

async function save(page: Page): Promise<{ id: string; content: string }> {
  const saving = responseTo(page, 'POST', /\/notes\/$/)
  await saveButton(page).click()
  return (await saving).json()
}

/** Puts a PNG on the clipboard as a program would, and pastes it. */
async function pastePng(page: Page, bytes: Buffer): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    await navigator.clipboard.write([
      new ClipboardItem({ 'image/png': new Blob([bytes], { type: 'image/png' }) }),
    ])
  }, bytes.toString('base64'))
  await page.keyboard.press('ControlOrMeta+V')
}

test('a pasted screenshot is kept with its description, and shown with the token of the session', async ({
  signedIn: page,
}) => {
  test.slow()
  await openNew(page)
  await page.keyboard.type('До ')
  const uploading = uploaded(page)
  await pastePng(page, png(40, 30))
  await page.keyboard.type('после')
  const { url } = await (await uploading).json()
  await expect(pictures(page)).toHaveCount(1)
  await expectAccessible(page)
  await pictures(page).click()
  await page.getByRole('textbox', { name: 'Описание картинки' }).fill('Кот на окне')
  await page.keyboard.press('Enter')
  await expect(editorOf(page)).toBeFocused()
  const { id, content } = await save(page)
  expect(content).toContain(`<p>До <img src="${url}" `)
  for (const attribute of ['alt="Кот на окне"', 'width="40"', 'height="30"'])
    expect(content).toContain(attribute)
  expect(content).toMatch(/>после<\/p>$/)

  const asked: (string | undefined)[] = []
  page.on('request', (request) => {
    if (request.url().endsWith(url)) asked.push(request.headers().authorization)
  })
  await page.goto(`/notes/${id}`)
  const picture = page.getByRole('button', { name: 'Открыть картинку крупно: Кот на окне' })
  await expect(picture.locator('img')).toHaveJSProperty('naturalWidth', 40)
  await expect(picture).toHaveAttribute('data-state', 'shown')
  expect(asked).toEqual([expect.stringMatching(/^Bearer /)])
  await expectAccessible(page)

  const large = page.getByRole('dialog', { name: 'Кот на окне' })
  await picture.focus()
  await page.keyboard.press('Enter')
  await expect(large).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(large).toBeHidden()
  await expect(picture).toBeFocused()
  // Closing goes back in the history, which takes a moment: a picture opened meanwhile would be closed by it.
  await expect.poll(() => page.evaluate(() => history.state?.enlargedPicture ?? false)).toBe(false)
  await picture.click()
  await expect(large).toBeVisible()
  await page.goBack()
  await expect(large).toBeHidden()
  await expect(page).toHaveURL(`/notes/${id}`)
  await expect(picture).toBeVisible()

  await page.goto(`/notes/${id}/edit`)
  await expect(pictures(page)).toHaveAttribute('alt', 'Кот на окне')
  await page.getByRole('switch', { name: 'Показать HTML' }).check({ force: true })
  await expect(editorOf(page)).toHaveValue(new RegExp(`<img src="${url}"`))
})

test('pictures are dropped, several at once, in their order; one press undoes one', async ({
  signedIn: page,
}) => {
  await openNew(page)
  await page.keyboard.type('Текст')
  expect(await dropFiles(page, EDITOR, [GIF, PNG])).toBe(true)
  await expect(pictures(page)).toHaveCount(2)
  const widths = pictures(page).evaluateAll((images) => images.map((image) => image.getAttribute('width')))
  expect(await widths).toEqual(['1', '40'])
  await editorOf(page).focus()
  await page.keyboard.press('Control+Z')
  await expect(pictures(page)).toHaveCount(1)
  await page.keyboard.press('Control+Z')
  await expect(pictures(page)).toHaveCount(0)
  await expect(editorOf(page)).toHaveText('Текст')
  await page.keyboard.press('Control+Shift+Z')
  await expect(pictures(page)).toHaveCount(1)
  const { content } = await save(page)
  expect(content.match(/<img/g)).toHaveLength(1)
})

test('a large photo is chosen, turned upright and made small; without compression it stays as it is', async ({
  signedIn: page,
}) => {
  await openNew(page)
  const photo = file('фото.jpg', 'image/jpeg', await sidewaysPhoto(page, 2_800, 1_400))
  expect(photo.buffer.length).toBeGreaterThan(1_000_000)
  const shrunk = uploaded(page)
  await choose(page, [photo])
  const small = await (await shrunk).json()
  expect(small).toMatchObject({ type: 'image/webp', width: 1_280, height: 2_560 })
  expect(small.bytes).toBeLessThan(1_300_000)
  await expect(pictures(page)).toHaveCount(1)

  await page.getByRole('button', { name: 'Картинка', exact: true }).click()
  await page.getByRole('switch', { name: 'Без сжатия' }).click()
  await page.keyboard.press('Escape')
  const whole = uploaded(page)
  await choose(page, [photo])
  expect(await (await whole).json()).toMatchObject({ type: 'image/jpeg', width: 1_400, height: 2_800 })
  // Below the first one, where it waits to come near the screen.
  await expect(editorOf(page).locator('[data-state] img')).toHaveCount(2)
})

test('what is no picture, SVG and a damaged file are refused in words; the text stays', async ({
  signedIn: page,
}) => {
  await openNew(page)
  await page.keyboard.type('Текст')
  const refused = [
    file('a.svg', 'image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')),
    file('b.pdf', 'application/pdf', Buffer.from('%PDF-1.7')),
    file('c.png', 'image/png', PNG.buffer.subarray(0, 60)),
  ]
  expect(await dropFiles(page, EDITOR, refused)).toBe(true)
  await expect(snackbar(page)).toContainText('Сохраните «a.svg» как PNG')
  await expect(snackbar(page)).toContainText('«b.pdf» — не картинка')
  await expect(snackbar(page)).toContainText('Картинка «c.png» повреждена')
  await expect(editorOf(page)).toHaveText('Текст')
  await expect(saveButton(page)).toBeEnabled()
})

test('a picture that the server does not take can be removed, and the text waits for that', async ({
  page,
  serve,
  register,
  expectedInConsole,
}) => {
  test.slow()
  expectedInConsole.push(/status of 413|Failed to load resource/)
  const server = await serve({ FILE_LIMIT: '1' })
  await signIn(page, (await register(server.address)).session)
  await page.goto(`${server.address}/notes/add`)
  await page.getByLabel('Название').fill('С картинкой')
  await editorOf(page).click()
  await page.keyboard.type('Текст')
  await choose(page, [file('большая.gif', 'image/gif', animatedGif(1_100_000))])
  const alert = editorOf(page).getByRole('alert')
  await expect(alert).toContainText('«большая.gif»: Картинка больше, чем принимает этот сервер')
  await expectAccessible(page)
  await saveButton(page).click()
  await expect(
    message(page, 'Одна из картинок не загрузилась. Повторите загрузку или уберите её, а потом сохраните.'),
  ).toBeVisible()
  await editorOf(page).getByRole('button', { name: 'Повторить' }).click()
  await expect(alert).toContainText('«большая.gif»')
  await editorOf(page).getByRole('button', { name: 'Убрать' }).click()
  await expect(alert).toBeHidden()
  expect((await save(page)).content).toBe('<p>Текст</p>')
  // This server stops before the page is closed.
  await page.close()
})

for (const end of ['arrives', 'is cancelled'])
  test(`the text is saved once the last picture ${end}`, async ({ signedIn: page, hold }) => {
    await openNew(page)
    await page.keyboard.type('Текст')
    const held = await hold(/\/files\/$/, { method: 'POST' })
    await choose(page, [PNG])
    await held.requested
    await expect(editorOf(page)).toContainText('Загружается «кот.png»')
    await expect(editorOf(page).getByRole('progressbar')).toBeVisible()
    await expect(page.getByRole('switch', { name: 'Показать HTML' })).toBeDisabled()
    const saving = responseTo(page, 'POST', /\/notes\/$/)
    await saveButton(page).click()
    await expect(page.getByText('Сохраним, как только загрузятся картинки.')).toBeVisible()
    if (end === 'arrives') await held.release()
    else await editorOf(page).getByRole('button', { name: 'Отменить загрузку «кот.png»' }).click()
    const { content } = await (await saving).json()
    expect(content).toMatch(end === 'arrives' ? /^<p>Текст<img src="\/api\/v1\/files\// : /^<p>Текст<\/p>$/)
  })

test('a picture that did not load says so, and loads on a press', async ({
  signedIn: page,
  expectedInConsole,
}) => {
  expectedInConsole.push(/Failed to load resource/)
  await openNew(page)
  await choose(page, [PNG])
  await expect(pictures(page)).toHaveCount(1)
  const { id } = await save(page)
  await expect(message(page, 'Заметка успешно добавлена!')).toBeVisible()
  await page.route(/\/files\/[\w-]+\/$/, (route) => route.abort())
  await page.goto(`/notes/${id}`)
  const failed = page.getByRole('button', { name: 'Картинка не загрузилась. Загрузить ещё раз' })
  await expect(failed).toBeVisible()
  await expectAccessible(page)
  await page.unrouteAll()
  await failed.click()
  await expect(page.getByRole('button', { name: 'Открыть картинку крупно' })).toHaveAttribute(
    'data-state',
    'shown',
  )
})

test('a picture of another host is kept where it is read, by one undoable change', async ({
  signedIn: page,
  account,
  site,
}) => {
  const before = `<p>До <img src="${site.url}picture.png" alt="Закат" /> после</p>`
  const { id } = await account.addNote({ content: before })
  await page.goto(`/notes/${id}`)
  await expect(page.getByRole('link', { name: /^Картинка с 127\.0\.0\.1:\d+: Закат$/ })).toBeVisible()
  expect(site.asked()).toBe(0)
  await expectAccessible(page)
  const saving = responseTo(page, 'PUT', /\/notes\//)
  await page.getByRole('button', { name: /^Сохранить картинку с 127/ }).click()
  const saved = await saving
  expect(saved.request().headers()['if-match']).toMatch(/^"/)
  expect((await saved.json()).content).toMatch(
    /<img src="\/api\/v1\/files\/[\w-]+\/" width="40" height="30" alt="Закат"/,
  )
  await expect(page.getByRole('button', { name: 'Открыть картинку крупно: Закат' })).toHaveAttribute(
    'data-state',
    'shown',
  )
  const undone = responseTo(page, 'PUT', /\/notes\//)
  await page.getByRole('button', { name: 'Отменить' }).click()
  expect((await (await undone).json()).content).toContain(`${site.url}picture.png`)
  await expect(page.getByRole('button', { name: /^Сохранить картинку с 127/ })).toBeVisible()
})

test('two addresses of one picture are kept one after the other', async ({
  signedIn: page,
  account,
  site,
}) => {
  const pictureAt = (query: string) =>
    `<p><img src="${site.url}picture.png${query}" alt="Закат${query}" /></p>`
  const { id } = await account.addNote({ content: pictureAt('?v=1') + pictureAt('?v=2') })
  await page.goto(`/notes/${id}`)
  for (const version of ['1', '2']) {
    const saving = responseTo(page, 'PUT', /\/notes\//)
    await page
      .getByRole('button', { name: /^Сохранить картинку с/ })
      .first()
      .click()
    expect((await (await saving).json()).content).not.toContain(`picture.png?v=${version}"`)
  }
  await expect(page.getByRole('button', { name: /^Сохранить картинку с/ })).toHaveCount(0)
})

test('a picture of another host is kept where it is edited, on a phone', async ({
  signedIn: page,
  account,
  site,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 400/)
  await page.setViewportSize({ width: 390, height: 844 })
  const { id } = await account.addNote({
    content: `<p><img src="${site.url}picture.png" /><img src="${site.url}page" /></p>`,
  })
  await page.goto(`/notes/${id}/edit`)
  const keep = page.getByRole('button', { name: /^Сохранить картинку с 127/ })
  await expect(keep).toHaveCount(2)
  await expectNoSidewaysScroll(page)
  await keep.last().click()
  await expect(message(page, 'По этому адресу не картинка, а что-то другое.')).toBeVisible()
  await keep.first().click()
  await expect(pictures(page)).toHaveCount(1)
  await choose(page, [file('широкая.png', 'image/png', png(1_200, 300))])
  await expect(pictures(page)).toHaveCount(2)
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
  const saving = responseTo(page, 'PUT', /\/notes\//)
  await saveButton(page).click()
  expect((await (await saving).json()).content.match(/src="\/api\/v1\/files\//g)).toHaveLength(2)
  await expect(page.getByRole('button', { name: 'Открыть картинку крупно' })).toHaveCount(2)
  await expectNoSidewaysScroll(page)
})

test('a picture pasted outside a field begins a note, and a description of a link has pictures too', async ({
  signedIn: page,
}) => {
  await page.goto('/urllinks/add')
  await page.getByLabel('URL').fill('https://example.org/')
  await page.locator(EDITOR).waitFor()
  await dropFiles(page, EDITOR, [PNG])
  await expect(page.locator(`${EDITOR} [data-state=shown] img`)).toHaveCount(1)
  await page.goto('/home')
  await expect(page.getByText('Пока ни одной заметки')).toBeVisible()
  expect(await dropFiles(page, 'main', [PNG])).toBe(true)
  await expect(page).toHaveURL('/notes/add')
  await expect(pictures(page)).toHaveCount(1)
})

test('the versions of a note show which pictures each had', async ({ signedIn: page }) => {
  await openNew(page)
  await page.keyboard.type('Текст')
  await choose(page, [PNG])
  await expect(pictures(page)).toHaveCount(1)
  const { id } = await save(page)
  await expect(message(page, 'Заметка успешно добавлена!')).toBeVisible()
  await page.goto(`/notes/${id}/edit`)
  await pictures(page).click()
  await page.keyboard.press('Backspace')
  await expect(pictures(page)).toHaveCount(0)
  const saving = responseTo(page, 'PUT', /\/notes\//)
  await saveButton(page).click()
  await saving
  await page.goto(`/notes/${id}/versions`)
  const versions = page.getByRole('button', { name: 'Открыть картинку крупно' })
  await expect(versions).toHaveCount(1)
  await expect(page.getByText('Версия не отличается от нынешней.')).toHaveCount(0)
})
