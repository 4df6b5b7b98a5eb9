import type { Page } from '@playwright/test'
import { editorOf, paste } from './editor-page.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, message, signIn, snackbar } from './fixtures.ts'
import { AVIF, animatedGif, dropFiles, GPS_ENTRY, hugePng, png, sidewaysPhoto } from './picture-files.ts'
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

async function save(page: Page, method = 'POST'): Promise<{ id: string; content: string }> {
  const saving = responseTo(page, method, /\/notes\//)
  await saveButton(page).click()
  return (await saving).json()
}

/** Has the editor fail at the next picture that would come into the text. */
const failOnceToInsert = (page: Page): Promise<void> =>
  editorOf(page).evaluate((element) => {
    const { view } = (element as HTMLElement & { editor: { view: View } }).editor
    interface View {
      dispatch(transaction: { meta: Record<string, { arrived?: number }> }): void
    }
    const { dispatch } = view
    view.dispatch = (transaction) => {
      const arrives = Object.values(transaction.meta).some((meta) => meta?.arrived !== undefined)
      if (!arrives) return dispatch.call(view, transaction)
      view.dispatch = dispatch
      throw new Error('Not inserted')
    }
  })

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
  // All that is written of a picture is one step, whatever pauses are made in it.
  const description = page.getByRole('textbox', { name: 'Описание картинки' })
  const now = Date.now()
  for (const [at, text] of ['Кот', 'Кот на окне'].entries()) {
    await page.clock.setFixedTime(now + 5_000 * at)
    await description.fill(text)
  }
  await page.keyboard.press('Enter')
  await expect(editorOf(page)).toBeFocused()
  await page.keyboard.press('Control+Z')
  await expect(description).toHaveValue('')
  await page.keyboard.press('Control+Shift+Z')
  await expect(description).toHaveValue('Кот на окне')
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
  expect(await dropFiles(page, 'textarea', [PNG])).toBe(true)
  await expect(message(page, 'Чтобы вставить картинку, сначала выключите «HTML».')).toBeVisible()
})

test('a pasted picture takes the place of what is selected once it has arrived, and is a step of its own', async ({
  signedIn: page,
  hold,
}) => {
  // To the editor all that is typed comes at once.
  await page.clock.setFixedTime(new Date())
  await openNew(page)
  await page.keyboard.type('раз два')
  const held = await hold(/\/files\/$/, { method: 'POST' })
  const pasteOver = async () => {
    for (let letters = 0; letters < 3; letters += 1) await page.keyboard.press('Shift+ArrowLeft')
    const sending = page.waitForRequest(/\/files\/$/)
    await pastePng(page, PNG.buffer)
    await sending
  }
  await pasteOver()
  await editorOf(page)
    .getByRole('button', { name: /^Отменить загрузку/ })
    .click()
  await expect(editorOf(page)).toHaveText('раз два')
  await pasteOver()
  await held.release()
  await expect(pictures(page)).toHaveCount(1)
  await page.keyboard.type('!')
  await expect(editorOf(page)).toHaveText('раз !')
  await page.keyboard.press('Control+Z')
  await expect(editorOf(page)).toHaveText('раз')
  await expect(pictures(page)).toHaveCount(1)
  await page.keyboard.press('Control+Z')
  await expect(editorOf(page)).toHaveText('раз два')
  await expect(pictures(page)).toHaveCount(0)
  await page.keyboard.press('Control+Shift+Z')
  expect((await save(page)).content).toMatch(/^<p>раз <img [^>]*><\/p>$/)
})

test('undo ends an upload that began after the last change of the text, and keeps what is typed', async ({
  signedIn: page,
  hold,
}) => {
  await openNew(page)
  await page.keyboard.type('раз')
  const held = await hold(/\/files\/$/, { method: 'POST' })
  const uploads = editorOf(page).getByRole('progressbar')
  const begin = async () => {
    const sending = page.waitForRequest(/\/files\/$/)
    await pastePng(page, PNG.buffer)
    await sending
    await expect(uploads).toHaveCount(1)
  }
  await begin()
  await page.keyboard.press('Control+Z')
  await expect(uploads).toHaveCount(0)
  await expect(editorOf(page)).toHaveText('раз')
  await begin()
  await page.getByRole('button', { name: 'Отменить правку' }).click()
  await expect(uploads).toHaveCount(0)
  await expect(editorOf(page)).toHaveText('раз')

  await begin()
  await page.keyboard.type(' два')
  await page.keyboard.press('Control+Z')
  await expect(editorOf(page)).not.toContainText('два')
  await expect(uploads).toHaveCount(1)
  await page.keyboard.press('Control+Z')
  await expect(uploads).toHaveCount(0)
  await expect(editorOf(page)).toHaveText('раз')
  await page.keyboard.press('Control+Shift+Z')
  await expect(editorOf(page)).toHaveText('раз два')
  await page.keyboard.press('Control+Z')
  await begin()
  await held.release()
  await expect(pictures(page)).toHaveCount(1)
  await page.keyboard.press('Control+Shift+Z')
  await expect(editorOf(page)).toHaveText('раз два')
  await expect(pictures(page)).toHaveCount(1)
})

test('pictures come where they are dropped, on code behind it in their order; one in an old text stays', async ({
  signedIn: page,
  account,
}) => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>'
  const old = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
  const { id } = await account.addNote({
    content: `<p>Начало</p><pre><code>код</code></pre><p>Конец<img src="${old}" alt="Старая"></p>`,
  })
  await page.goto(`/notes/${id}/edit`)
  await expect(page.getByAltText('Старая')).toHaveJSProperty('naturalWidth', 8)
  expect(await dropFiles(page, `${EDITOR} pre`, [GIF, PNG])).toBe(true)
  await expect(pictures(page)).toHaveCount(2)
  expect(await dropFiles(page, `${EDITOR} > p`, [file('ещё.avif', 'image/avif', AVIF)])).toBe(true)
  await expect(pictures(page)).toHaveCount(3)
  const image = (width: number, height: number) => `<img [^>]*width="${width}" height="${height}"[^>]*>`
  const behind = `<p>${image(1, 1)}</p><p>${image(40, 30)}</p>`
  const { content } = await save(page, 'PUT')
  expect(content).toMatch(
    new RegExp(`^<p>Начало${image(40, 20)}</p><pre><code>код</code></pre>${behind}<p>Конец<img [^>]*></p>$`),
  )
  expect(content).toContain(`src="${old}"`)
  await expect(page).toHaveURL(`/notes/${id}`)
  await expect(page.getByAltText('Старая')).toHaveJSProperty('naturalWidth', 8)
})

test('a picture takes the place of an empty paragraph', async ({ signedIn: page }) => {
  await openNew(page)
  // Below its only line.
  expect(await dropFiles(page, EDITOR, [PNG])).toBe(true)
  await expect(pictures(page)).toHaveCount(1)
  await editorOf(page).focus()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type('\nТекст\n')
  expect(await dropFiles(page, `${EDITOR} > p:last-child`, [GIF, PNG])).toBe(true)
  await expect(pictures(page)).toHaveCount(3)
  const { content } = await save(page)
  expect(content.replace(/<img[^>]*>/g, '<img>')).toBe('<p><img></p><p>Текст</p><p><img><img></p>')
})

test('a picture on its way stays in its cell while the table changes', async ({
  signedIn: page,
  account,
  hold,
}) => {
  // One undo takes back both changes before it, however fast they are made.
  await page.clock.setFixedTime(new Date())
  const { id } = await account.addNote({
    content:
      '<table><tbody><tr><td><p>а</p></td><td><p>б</p></td></tr><tr><td><p>в</p></td><td><p>г</p></td></tr></tbody></table>',
  })
  await page.goto(`/notes/${id}/edit`)
  await editorOf(page).getByText('б', { exact: true }).click()
  await page.keyboard.press('End')
  const held = await hold(/\/files\/$/, { method: 'POST' })
  await choose(page, [PNG])
  await held.requested
  const changes = ['Переместить строку ниже', 'Добавить столбец']
  for (const change of [...changes, 'Отменить правку', ...changes])
    await page.getByRole('button', { name: change, exact: true }).click()
  await held.release()
  await expect(pictures(page)).toHaveCount(1)
  const { content } = await save(page, 'PUT')
  expect(content.replace(/<img[^>]*>/, '<img>')).toBe(
    '<table><tbody><tr><td><p>в</p></td><td><p>г</p></td><td><p></p></td></tr>' +
      '<tr><td><p>а</p></td><td><p>б<img></p></td><td><p></p></td></tr></tbody></table>',
  )
})

test('a picture that is dragged or cut to another place is not sent again', async ({
  signedIn: page,
  account,
}) => {
  await openNew(page)
  await choose(page, [PNG])
  await expect(pictures(page)).toHaveCount(1)
  const [image = ''] = /<img[^>]*>/.exec((await save(page)).content) ?? []
  await expect(message(page, 'Заметка успешно добавлена!')).toBeVisible()
  const { id } = await account.addNote({ content: `<p>Раз</p><p>Два</p><p>Три ${image}</p>` })
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.url())
  })
  await page.goto(`/notes/${id}/edit`)
  await expect(pictures(page)).toHaveCount(1)
  const paragraphs = editorOf(page).locator('> p')
  await pictures(page).dragTo(paragraphs.first(), { targetPosition: { x: 1, y: 5 } })
  await expect(paragraphs.first().locator('[data-state=shown] img')).toHaveCount(1)
  await expect(pictures(page)).toHaveCount(1)
  await pictures(page).click()
  await page.keyboard.press('Control+X')
  await expect(pictures(page)).toHaveCount(0)
  await paragraphs.nth(1).click()
  await page.keyboard.press('Home')
  // The editor hears of the new place of the cursor by an event of its own.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))))
  await page.keyboard.press('Control+V')
  await expect(pictures(page)).toHaveCount(1)
  expect((await save(page, 'PUT')).content).toBe(`<p>Раз</p><p>${image}Два</p><p>Три </p>`)
  expect(sent).toEqual([])
})

test('pictures copied where a note is read are pictures in another note', async ({
  signedIn: page,
  account,
  site,
}) => {
  await openNew(page)
  await choose(page, [PNG])
  await expect(pictures(page)).toHaveCount(1)
  const [own = ''] = /<img[^>]*>/.exec((await save(page)).content) ?? []
  await expect(message(page, 'Заметка успешно добавлена!')).toBeVisible()
  const remote = `<img src="${site.url}picture.png" alt="Закат  над морем">`
  const { id } = await account.addNote({ content: `<p>Начало ${own} и ${remote} конец</p>` })
  await page.goto(`/notes/${id}`)
  await expect(page.getByRole('button', { name: /^Сохранить картинку с 127/ })).toBeVisible()
  await page
    .locator('p')
    .filter({ hasText: 'Начало' })
    .evaluate((text) => getSelection()?.selectAllChildren(text))
  await page.keyboard.press('ControlOrMeta+C')
  await openNew(page, 'Другая')
  await page.keyboard.press('ControlOrMeta+V')
  await expect(pictures(page)).toHaveCount(1)
  const [, address = ''] = /src="([^"]*)"/.exec(own) ?? []
  await paste(page, { 'text/plain': `![Кот](${address})` })
  await expect(pictures(page)).toHaveCount(2)
  const { content } = await save(page)
  const addresses = [address, `${site.url}picture.png`, address]
  expect(content.match(/src="[^"]*"/g)).toEqual(addresses.map((one) => `src="${one}"`))
  expect(content).toContain('width="40" height="30" alt="Кот"')
  expect(content).toContain('alt="Закат  над морем"')
  expect(content.replace(/<[^>]*>|\s/g, '')).toBe('Началоиконец')
  expect(site.asked()).toBe(0)
})

test('leaving while a picture is on its way is asked about; once it is there the draft has it', async ({
  signedIn: page,
  hold,
}) => {
  await openNew(page)
  const held = await hold(/\/files\/$/, { method: 'POST' })
  await choose(page, [PNG])
  await held.requested
  await page.getByRole('link', { name: 'Копилка' }).click()
  const question = page.getByRole('dialog', { name: 'Уйти без сохранения?' })
  await expect(question).toContainText('картинки и вставленный текст, которые ещё не загрузились, пропадут')
  await question.getByRole('button', { name: 'Остаться' }).click()
  await held.release()
  await expect(pictures(page)).toHaveCount(1)
  page.once('dialog', (dialog) => dialog.accept())
  await page.reload()
  await expect(page.getByText('Мы вернули текст, который вы не успели сохранить.')).toBeVisible()
  await expect(pictures(page)).toHaveCount(1)
})

test('a picture that the end of a session takes along is not lost without a word', async ({
  signedIn: page,
  account,
  address,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 401/)
  await openNew(page)
  await page.keyboard.type('Текст')
  await fetch(`${address}/api/v1/auth/logout/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.session.access_token}` },
  })
  expect(await dropFiles(page, EDITOR, [PNG, GIF])).toBe(true)
  await expect(page).toHaveURL(/\/auth\/login/)
  await expect(message(page, '2 картинки не успели загрузиться. Войдите и вставьте их снова.')).toBeVisible()
})

test('the choice between two versions shows the picture of one’s own, which is saved with it', async ({
  signedIn: page,
  account,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 412/)
  const { id } = await account.addNote({ title: 'Общая' })
  await page.goto(`/notes/${id}/edit`)
  await editorOf(page).click()
  await choose(page, [PNG])
  await expect(pictures(page)).toHaveCount(1)
  const headers = { authorization: `Bearer ${account.session.access_token}` }
  const theirs = { headers, data: { title: 'Общая', content: '<p>Чужой текст</p>' } }
  expect((await page.request.put(`/api/v1/notes/${id}/`, theirs)).status()).toBe(200)
  await saveButton(page).click()
  const choice = page.getByRole('dialog')
  await expect(choice).toContainText('Чужой текст')
  await expect(choice.locator('[data-state=shown] img')).toHaveCount(1)
  const saving = responseTo(page, 'PUT', /\/notes\//)
  await choice.getByRole('button', { name: 'Сохранить мой' }).click()
  expect((await (await saving).json()).content).toMatch(/^<p>Текст<img /)
})

test('a file that ends too early, but of which nothing is missing, is a picture; half of one is damaged', async ({
  signedIn: page,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 400/)
  await openNew(page)
  const jpeg = await sidewaysPhoto(page, 200, 100)
  await choose(page, [
    // Without its second frame as well.
    file('точка.gif', 'image/gif', animatedGif().subarray(0, -24)),
    file('кот.png', 'image/png', PNG.buffer.subarray(0, -12)),
    file('фото.jpg', 'image/jpeg', jpeg.subarray(0, -2)),
    file('половина.jpg', 'image/jpeg', jpeg.subarray(0, jpeg.length / 2)),
  ])
  await expect(
    message(
      page,
      'Картинка «половина.jpg» повреждена, или браузер её не открывает. Сохраните её как PNG или JPEG и вставьте снова.',
    ),
  ).toBeVisible()
  await expect(pictures(page)).toHaveCount(3)
  // The last rows of the file are at its left, where Exif turns it.
  const drawn = await pictures(page)
    .last()
    .evaluate((image: HTMLImageElement) => {
      const context = new OffscreenCanvas(100, 200).getContext('2d')
      context?.drawImage(image, 0, 0)
      return [...(context?.getImageData(0, 0, 1, 200).data ?? [])].filter((_, at) => at % 4 === 3)
    })
  expect(new Set(drawn)).toEqual(new Set([255]))
  const { content } = await save(page)
  expect(Array.from(content.matchAll(/width="(\d+)" height="(\d+)"/g), ([size]) => size)).toEqual([
    'width="1" height="1"',
    'width="40" height="30"',
    'width="100" height="200"',
  ])
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
  account,
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

  const { content } = await save(page)
  const [, url = ''] = /<img src="([^"]*)"[^>]*><\/p>$/.exec(content) ?? []
  const { origin } = new URL(page.url())
  const headers = { Authorization: `Bearer ${account.session.access_token}` }
  const bytes = await (await page.request.get(`${origin}${url}`, { headers })).body()
  expect([photo.buffer.includes(GPS_ENTRY), bytes.includes(GPS_ENTRY)]).toEqual([true, false])
  expect(bytes.includes('Exif')).toBe(true)
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

test('many refused files are named in one message, and a picture of too many pixels in its own', async ({
  signedIn: page,
}) => {
  await openNew(page)
  const pdfs = Array.from({ length: 12 }, (_, at) =>
    file(`${at + 1}.pdf`, 'application/pdf', Buffer.from('%PDF-1.7')),
  )
  expect(await dropFiles(page, EDITOR, pdfs)).toBe(true)
  await expect(
    message(
      page,
      'Не вставлено 12 файлов: «1.pdf», «2.pdf», «3.pdf», «4.pdf», «5.pdf», «6.pdf», «7.pdf», «8.pdf», «9.pdf», «10.pdf», …. Вставить можно целые картинки PNG, JPEG, WebP, GIF, AVIF и HEIC.',
    ),
  ).toBeVisible()
  expect(await dropFiles(page, EDITOR, [file('огромная.png', 'image/png', hugePng(12_000))])).toBe(true)
  await expect(
    message(page, 'В картинке «огромная.png» слишком много пикселей. Уменьшите её и вставьте снова.'),
  ).toBeVisible()
})

test('HEIC without a type is a picture, and what this browser does not open is said', async ({
  signedIn: page,
  expectedInConsole,
}) => {
  // Where Playwright records a trace it asks for the picture itself.
  expectedInConsole.push(/^error: Connecting to 'blob:/)
  await page.goto('/home')
  await expect(page.getByText('Пока ни одной заметки')).toBeVisible()
  const heic = Buffer.from('000000186674797068656963000000006d69663168656963', 'hex')
  expect(await dropFiles(page, 'main', [file('IMG_1.HEIC', '', heic)])).toBe(true)
  await expect(page).toHaveURL('/notes/add')
  await expect(
    message(page, 'Этот браузер не открывает HEIC. Сохраните «IMG_1.HEIC» как JPEG и вставьте снова.'),
  ).toBeVisible()
})

test('a picture of one’s own loads with the token by its whole address too, and moves nothing; one far below is printed', async ({
  signedIn: page,
  account,
  hold,
}) => {
  await openNew(page)
  await choose(page, [file('высокая.png', 'image/png', png(40, 300)), PNG])
  await expect(pictures(page)).toHaveCount(2)
  const { content } = await save(page)
  await expect(message(page, 'Заметка успешно добавлена!')).toBeVisible()
  const [url = '', far = ''] = Array.from(content.matchAll(/src="([^"]*)"/g), ([, address]) => address)
  const { id } = await account.addNote({
    content:
      `<p>до <img src="${new URL(url, page.url())}" width="40" height="300"> <img src="${url}"></p><p>после</p>` +
      `${'<p>ещё</p>'.repeat(100)}<img src="${far}" alt="Кот">`,
  })
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const held = await hold(/\/files\/[\w-]+\/$/)
  await page.goto(`/notes/${id}`)
  await held.requested
  await page.evaluate(() => {
    const shifts = document.body.appendChild(document.createElement('output'))
    shifts.hidden = true
    shifts.id = 'shifts'
    new PerformanceObserver((list) => {
      shifts.textContent += list
        .getEntries()
        .map(() => '|')
        .join('')
    }).observe({ type: 'layout-shift' })
  })
  const after = page.getByText('после')
  const before = await after.boundingBox()
  await held.release()
  const shown = page.getByRole('button', { name: 'Открыть картинку крупно', exact: true })
  await expect(shown).toHaveCount(2)
  for (const picture of await shown.all()) {
    await expect(picture).toHaveAttribute('data-state', 'shown')
    await expect(picture.locator('img')).toHaveJSProperty('naturalHeight', 300)
  }
  expect(await after.boundingBox()).toEqual(before)
  await expect(page.locator('#shifts')).toHaveText('')

  expect(asked).toContain(url)
  expect(asked).not.toContain(far)
  const printed = page.evaluate(
    () =>
      new Promise((done) =>
        window.addEventListener('beforeprint', () =>
          done(
            [...document.querySelectorAll('main [data-state]')].map((picture) =>
              picture.getAttribute('data-state'),
            ),
          ),
        ),
      ),
  )
  await page.getByRole('button', { name: 'Ещё' }).first().click()
  await page.getByRole('menuitem', { name: 'Печать' }).click()
  expect(await printed).toEqual(['shown', 'shown', 'shown'])
})

test('a picture that the server does not take can be removed, and the text waits for that', async ({
  page,
  serve,
  register,
  expectedInConsole,
}) => {
  test.slow()
  expectedInConsole.push(/status of (?:403|413)|Failed to load resource/)
  const server = await serve({ FILE_LIMIT: '1MB', FILES_PER_USER: '100' })
  await signIn(page, (await register(server.address)).session)
  await page.goto(`${server.address}/notes/add`)
  await page.getByLabel('Название').fill('С картинкой')
  await editorOf(page).click()
  await page.keyboard.type('Текст')
  await choose(page, [file('большая.gif', 'image/gif', animatedGif(1_100_000))])
  const alert = editorOf(page).getByRole('alert')
  await expect(alert).toContainText(
    '«большая.gif»: Картинка больше, чем принимает этот сервер. Уменьшите её и попробуйте снова. Не больше 1 МБ.',
  )
  await expectAccessible(page)
  await saveButton(page).click()
  await expect(
    message(page, 'Одна из картинок не загрузилась. Повторите загрузку или уберите её, а потом сохраните.'),
  ).toBeVisible()
  await editorOf(page).getByRole('button', { name: 'Повторить' }).click()
  await expect(alert).toContainText('«большая.gif»')
  await editorOf(page).getByRole('button', { name: 'Убрать' }).click()
  await expect(alert).toBeHidden()
  await choose(page, [GIF])
  await expect(pictures(page)).toHaveCount(1)
  await choose(page, [PNG])
  await expect(alert).toContainText(
    '«кот.png»: Картинок уже столько, сколько этот сервер хранит для одного пользователя.',
  )
  await editorOf(page).getByRole('button', { name: 'Убрать' }).click()
  expect((await save(page)).content).toMatch(/^<p>Текст<img [^>]*><\/p>$/)
  // This server stops before the page is closed.
  await page.close()
})

test('a picture that could not come into the text waits for a decision, and no other one goes in its place', async ({
  signedIn: page,
  hold,
}) => {
  await openNew(page)
  await page.keyboard.type('Текст')
  const alert = editorOf(page).getByRole('alert')
  await failOnceToInsert(page)
  await choose(page, [PNG])
  await expect(alert).toContainText('«кот.png»')
  await saveButton(page).click()
  await expect(
    message(page, 'Одна из картинок не загрузилась. Повторите загрузку или уберите её, а потом сохраните.'),
  ).toBeVisible()
  await editorOf(page).getByRole('button', { name: 'Повторить' }).click()
  await expect(pictures(page)).toHaveCount(1)
  await expect(alert).toBeHidden()

  await failOnceToInsert(page)
  await choose(page, [PNG])
  await expect(alert).toContainText('«кот.png»')
  const held = await hold(/\/files\/$/, { method: 'POST' })
  await choose(page, [GIF])
  await held.requested
  await editorOf(page).getByRole('button', { name: 'Убрать' }).click()
  await expect(alert).toBeHidden()
  const saving = responseTo(page, 'POST', /\/notes\/$/)
  await saveButton(page).click()
  await expect(page.getByText('Сохраним, как только всё загрузится.')).toBeVisible()
  await held.release()
  const { content } = await (await saving).json()
  expect(content).toMatch(/^<p>Текст<img [^>]*><img [^>]*><\/p>$/)
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
    await expect(page.getByText('Сохраним, как только всё загрузится.')).toBeVisible()
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
  const keep = page.getByRole('button', { name: /^Сохранить картинку с/ })
  for (const [version, left] of [
    ['1', 1],
    ['2', 0],
  ] as const) {
    const saving = responseTo(page, 'PUT', /\/notes\//)
    await keep.first().click()
    expect((await (await saving).json()).content).not.toContain(`picture.png?v=${version}"`)
    // Until then the first button is still that of the picture just kept.
    await expect(keep).toHaveCount(left)
  }
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
  await page.getByLabel('Название').fill('Кот')
  await page.getByLabel('URL').fill('https://example.org/')
  // The pointer comes once it stands still: just after it shows the editor may be put up again.
  await page.locator(EDITOR).hover()
  await dropFiles(page, EDITOR, [PNG])
  await expect(page.locator(`${EDITOR} [data-state=shown] img`)).toHaveCount(1)
  const saving = responseTo(page, 'POST', /\/urllinks\/$/)
  await saveButton(page).click()
  const { id } = await (await saving).json()
  await expect(message(page, 'Ссылка успешно добавлена!')).toBeVisible()
  await page.goto(`/urllinks/${id}`)
  const shown = page.getByRole('button', { name: 'Открыть картинку крупно' })
  await expect(shown.locator('img')).toHaveJSProperty('naturalWidth', 40)
  await page.goto('/home')
  await expect(page.getByText('Пока ни одной заметки')).toBeVisible()
  expect(await dropFiles(page, 'main', [PNG])).toBe(true)
  await expect(page).toHaveURL('/notes/add')
  await expect(pictures(page)).toHaveCount(1)
})

test('a screenshot pasted into the quick field begins a note', async ({ signedIn: page }) => {
  await page.goto('/home')
  await expect(page.getByText('Пока ни одной заметки')).toBeVisible()
  await page.keyboard.press('a')
  const field = page.getByRole('dialog').getByRole('textbox')
  await expect(field).toBeFocused()
  await pastePng(page, png(40, 30))
  await expect(page).toHaveURL('/notes/add')
  await expect(pictures(page)).toHaveCount(1)
  await expect(field).toHaveCount(0)
})

test('pictures that pasted HTML holds are sent as files, in their places, and one undo takes back the paste', async ({
  signedIn: page,
}) => {
  await openNew(page)
  await page.keyboard.type('Начало ')
  const data = (bytes: Buffer, type: string) => `data:${type};base64,${bytes.toString('base64')}`
  const html = `<p>до <img src="${data(PNG.buffer, 'image/png')}" alt="Кот" width="20" height="15"> между
    <img src="${data(GIF.buffer, 'image/gif')}"></p><p>после</p>`
  await paste(page, { 'text/html': html, 'text/plain': 'до между после' })
  await expect(pictures(page)).toHaveCount(2)
  await expect(editorOf(page).locator('img[src^="data:image/png"]')).toHaveCount(0)
  await editorOf(page).focus()
  for (const left of [1, 0]) {
    await page.keyboard.press('Control+Z')
    await expect(pictures(page)).toHaveCount(left)
  }
  await page.keyboard.press('Control+Z')
  await expect(editorOf(page)).not.toContainText('после')
  for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('Control+Shift+Z')
  await expect(pictures(page)).toHaveCount(2)
  const { content } = await save(page)
  expect(content).toMatch(
    /^<p>Начало до <img src="\/api\/v1\/files\/[\w-]+\/" alt="Кот" width="20" height="15"[^>]*> между <img src="\/api\/v1\/files\/[\w-]+\/"[^>]* width="1" height="1"[^>]*><\/p><p>после<\/p>$/,
  )
})

test('pictures that another program did not pass on are counted, and the rest is pasted', async ({
  signedIn: page,
}) => {
  await openNew(page)
  await paste(page, {
    'text/html':
      '<p>Отчёт <img width=300 src="file:///C:/Users/1/clip_image001.png"> и <img src="cid:2"></p><p>итог</p>',
    'text/plain': 'Отчёт и итог',
  })
  await expect(snackbar(page)).toContainText(
    '2 картинки не вставились: программа, из которой скопирован текст',
  )
  await expect(editorOf(page)).toContainText('итог')
  expect((await save(page)).content).toBe('<p>Отчёт и</p><p>итог</p>')
})

test('pictures that stand for emoji are pasted as emoji', async ({ signedIn: page }) => {
  await openNew(page)
  await paste(page, {
    'text/html':
      '<p>Привет <img class="emoji" alt="😀" src="https://web.telegram.org/a/img-apple-64/1f600.png">' +
      '<img class="Emoji" alt="👨‍👩‍👧" src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"> ' +
      '<img class="emoji" alt="1️⃣" src="blob:https://web.telegram.org/1"><img class="emoji" alt="7" src="https://example.org/7.png">' +
      '<img alt="🎉" src="https://example.org/party.png"></p>',
  })
  await expect(editorOf(page)).toContainText('Привет 😀👨‍👩‍👧 1️⃣')
  await expect(snackbar(page)).not.toContainText('не вставил')
  const { content } = await save(page)
  expect(content).toContain('<p>Привет 😀👨‍👩‍👧 1️⃣<img')
  expect(content.match(/src="[^"]*"/g)).toEqual([
    'src="https://example.org/7.png"',
    'src="https://example.org/party.png"',
  ])
})

test('no file opens in place of the page, wherever it is dropped', async ({ page, account }) => {
  const pdf = file('a.pdf', 'application/pdf', Buffer.from('%PDF-1.7'))
  await page.goto('/auth/login')
  await page.getByLabel('Email').waitFor()
  for (const place of ['body', 'form', 'input']) expect(await dropFiles(page, place, [pdf, PNG])).toBe(true)
  await signIn(page, account.session)
  await page.goto('/home')
  await page.locator('main input').first().waitFor()
  expect(await dropFiles(page, 'main input', [PNG])).toBe(true)
  await openNew(page)
  expect(await dropFiles(page, 'main form input', [pdf])).toBe(true)
  await expect(page).toHaveURL('/notes/add')
})

test('a picture that begins a note is not lost where the editor loads at once', async ({
  signedIn: page,
}) => {
  // React shows what took less than 300 ms to load a little later: by its clock, everything does here.
  await page.addInitScript(() => {
    const now = performance.now.bind(performance)
    performance.now = () => now() / 50
  })
  await page.goto('/home')
  await expect(page.getByText('Пока ни одной заметки')).toBeVisible()
  expect(await dropFiles(page, 'main', [PNG])).toBe(true)
  await expect(pictures(page)).toHaveCount(1)
  await page.getByLabel('Название').fill('С картинкой')
  expect((await save(page)).content).toContain('<img')
})

test('a picture that is dropped before the editor has loaded comes into the text', async ({
  signedIn: page,
  account,
}) => {
  const { id } = await account.addNote({ content: '<p>Текст</p>' })
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  await page.route(/\/assets\/rich-text-editor/, async (route) => {
    await opened
    await route.continue()
  })
  await page.goto(`/notes/${id}/edit`, { waitUntil: 'commit' })
  await page.getByRole('status', { name: 'Загрузка редактора…' }).waitFor()
  expect(await dropFiles(page, 'main', [PNG])).toBe(true)
  open()
  await expect(pictures(page)).toHaveCount(1)
  await expect(page).toHaveURL(`/notes/${id}/edit`)
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
  const removed = page.getByRole('region', { name: /^Версия от/ }).getByRole('deletion')
  await expect(removed).toContainText('Убрано:')
  await expect(removed.getByRole('button', { name: 'Открыть картинку крупно' })).toBeVisible()
  await expect(page.getByText('Версия не отличается от нынешней.')).toHaveCount(0)
})
