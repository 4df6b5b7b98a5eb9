import type { Page } from '@playwright/test'
import { editorOf, paste } from './editor-page.ts'
import {
  type Account,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  message,
  nextPaint,
  signIn,
  snackbar,
  test,
} from './fixtures.ts'

const LIST =
  '<p>Купить</p><ul data-type="taskList"><li data-checked="false"><p>хлеб</p>' +
  '<ul data-type="taskList"><li data-checked="false"><p>ржаной</p></li></ul></li>' +
  '<li data-checked="true"><p>чай</p></li></ul>'

const savedBy = (page: Page, method: string, kind = 'notes') =>
  page.waitForResponse(
    (response) => response.url().includes(`/api/v1/${kind}/`) && response.request().method() === method,
  )

const CONFLICT = 'Запись тем временем изменили. Показана новая версия: отметьте пункт в ней.'

/** Another device changes the note. */
const changeElsewhere = async (page: Page, account: Account, id: string, content: string) => {
  const changed = await page.request.put(`/api/v1/notes/${id}/`, {
    headers: { authorization: `Bearer ${account.session.access_token}` },
    data: { title: 'С другого устройства', content },
  })
  expect(changed.ok()).toBe(true)
}

/** The saves of a page, each as its If-Match and its status. */
const savesOf = (page: Page) => {
  const saves: [string, number][] = []
  page.on('response', (response) => {
    if (response.request().method() === 'PUT')
      saves.push([response.request().headers()['if-match'] ?? '', response.status()])
  })
  return saves
}

test('a list of tasks is typed, ticked and saved', async ({ signedIn: page }) => {
  await page.goto('/notes/add')
  await page.getByLabel('Название').fill('Покупки')
  await editorOf(page).click()
  await page.keyboard.type('[ ] хлеб\nмолоко')
  await editorOf(page).getByRole('checkbox', { name: 'молоко' }).check()
  await page.keyboard.type('\n\n- [x] чай\n[х] соль')
  const saving = savedBy(page, 'POST')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  const { id, content } = await (await saving).json()
  expect(content).toBe(
    '<ul data-type="taskList"><li data-checked="false"><p>хлеб</p></li>' +
      '<li data-checked="true"><p>молоко</p></li><li data-checked="true"><p>чай</p></li>' +
      '<li data-checked="true"><p>соль</p></li></ul>',
  )
  await page.goto(`/notes/${id}`)
  await expect(page.getByRole('checkbox')).toHaveCount(4)
  await expect(page.getByRole('checkbox', { name: 'молоко' })).toBeChecked()
})

for (const [kind, width] of [
  ['notes', 1280],
  ['urllinks', 390],
] as const)
  test(`tasks are ticked where they are read, in ${kind}, ${width} wide`, async ({
    signedIn: page,
    account,
  }) => {
    const [body, call] = kind === 'notes' ? ['content', account.addNote] : ['description', account.addLink]
    await page.setViewportSize({ width, height: 800 })
    const { id } = await call({ title: 'Покупки', [body]: LIST, tags: ['дом'] })
    await page.goto(`/${kind}/${id}`)
    const box = page.getByRole('checkbox', { name: 'ржаной' })
    await expect(box).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    const saving = savedBy(page, 'PUT', kind)
    await box.focus()
    await page.keyboard.press('Space')
    await expect(box).toBeChecked()
    const saved = await saving
    expect(saved.request().headers()['if-match']).toMatch(/^"/)
    expect((await saved.json())[body]).toBe(LIST.replace('"false"><p>ржаной', '"true"><p>ржаной'))
    await expect(box).toBeFocused()
    const undone = savedBy(page, 'PUT', kind)
    // The page may not have read the response yet, after which there is something to undo.
    await expect(async () => {
      await page.keyboard.press('Control+Z')
      await expect(message(page, 'Отменено.')).toBeVisible({ timeout: 2_000 })
    }).toPass()
    expect((await (await undone).json())[body]).toBe(LIST)
    await expect(box).not.toBeChecked()
    await expect(box).toBeFocused()
    await page.getByRole('checkbox', { name: 'хлеб' }).click()
    await page.getByRole('checkbox', { name: 'чай' }).click()
    await expect
      .poll(async () => {
        const token = { authorization: `Bearer ${account.session.access_token}` }
        const now = await page.request.get(`/api/v1/${kind}/${id}/`, { headers: token })
        return (await now.json())[body]
      })
      .toBe(LIST.replace('"false"><p>хлеб', '"true"><p>хлеб').replace('"true"><p>чай', '"false"><p>чай'))
    await page.reload()
    await expect(page.getByRole('checkbox', { name: 'хлеб' })).toBeChecked()
    await expect(page.getByRole('checkbox', { name: 'чай' })).not.toBeChecked()
    await expect(page.getByRole('link', { name: 'дом' })).toBeVisible()
  })

test('a tick that is saved says so once, and is undone by the message on a phone', async ({
  signedIn: page,
  account,
}) => {
  await page.setViewportSize({ width: 390, height: 800 })
  const { id } = await account.addNote({ content: LIST })
  await page.goto(`/notes/${id}`)
  const undo = snackbar(page).getByRole('button', { name: 'Отменить' })
  const tick = async (name: string) => {
    const saving = savedBy(page, 'PUT')
    await page.getByRole('checkbox', { name }).click()
    return (await (await saving).json()).content
  }
  await tick('чай')
  await expect(message(page, 'Отметка снята.')).toBeVisible()
  const said = await message(page, 'Отметка снята.').elementHandle()
  await tick('ржаной')
  await expect(message(page, 'Пункт отмечен.')).toBeVisible()
  const before = await tick('хлеб')
  await expect(undo).toHaveCount(1)
  // The same element: none moves in, and a screen reader does not hear the sentence again.
  expect(await said?.textContent()).toBe('Пункт отмечен.')
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  const undone = savedBy(page, 'PUT')
  await undo.click()
  await expect(message(page, 'Отменено.')).toBeVisible()
  expect((await (await undone).json()).content).toBe(before.replace('"true"><p>хлеб', '"false"><p>хлеб'))
  await expect(page.getByRole('checkbox', { name: 'хлеб' })).not.toBeChecked()
  await expect(page.getByRole('checkbox', { name: 'ржаной' })).toBeChecked()
  await expect(undo).toHaveCount(0)
  // What the message offered no longer is still undone by Ctrl+Z.
  await page.keyboard.press('Control+Z')
  await expect(page.getByRole('checkbox', { name: 'ржаной' })).not.toBeChecked()
})

test('ticks that are saved together say so, and are undone together', async ({ signedIn: page, account }) => {
  const { id } = await account.addNote({ content: LIST })
  await page.goto(`/notes/${id}`)
  await expect(page.getByRole('checkbox')).toHaveCount(3)
  const held = Promise.withResolvers<void>()
  await page.route(`**/api/v1/notes/${id}/`, async (route) => {
    await held.promise
    await route.continue()
  })
  for (const name of ['хлеб', 'ржаной', 'чай', 'чай']) await page.getByRole('checkbox', { name }).click()
  held.resolve()
  await expect(message(page, 'Изменения сохранены.')).toBeVisible()
  const undone = savedBy(page, 'PUT')
  await snackbar(page).getByRole('button', { name: 'Отменить' }).click()
  expect((await (await undone).json()).content).toBe(LIST)
  await expect(page.getByRole('checkbox', { name: 'хлеб' })).not.toBeChecked()
  await expect(page.getByRole('checkbox', { name: 'чай' })).toBeChecked()
})

test('a tick whose item is left by a sign-out offers no undo to who comes next', async ({
  signedIn: page,
  account,
}) => {
  const { id } = await account.addNote({ content: LIST })
  await page.clock.install()
  await page.goto(`/notes/${id}`)
  const saving = savedBy(page, 'PUT')
  await page.getByRole('button', { name: 'Добавить или выйти' }).click()
  const leave = page.getByRole('menuitem', { name: 'Выйти' })
  await expect(leave).toBeVisible()
  await page.getByRole('checkbox', { name: 'хлеб', includeHidden: true }).evaluate((box) => {
    if (box instanceof HTMLElement) box.click()
  })
  await saving
  await leave.click()
  await expect(page).toHaveURL(/\/auth\/login/)
  // The message of a tick waits for a pause.
  await page.clock.fastForward(2_000)
  // At once, for a message goes by itself.
  await nextPaint(page)
  expect(await snackbar(page).getByRole('button').count()).toBe(0)
})

test('a tick that is saved only after a sign-out offers no undo to who comes next', async ({
  signedIn: page,
  account,
  hold,
}) => {
  const { id } = await account.addNote({ content: LIST })
  await page.clock.install()
  await page.goto(`/notes/${id}`)
  const held = await hold(`**/api/v1/notes/${id}/`, { method: 'PUT' })
  await page.getByRole('checkbox', { name: 'хлеб' }).click()
  await held.requested
  await page.getByRole('button', { name: 'Добавить или выйти' }).click()
  await page.getByRole('menuitem', { name: 'Выйти' }).click()
  await expect(page).toHaveURL(/\/auth\/login/)
  await held.release()
  await nextPaint(page)
  await page.clock.fastForward(2_000)
  await nextPaint(page)
  expect(await snackbar(page).getByRole('button').count()).toBe(0)
})

test('a tick after another sign-in is saved, though one of before waits for its response', async ({
  signedIn: page,
  account,
  hold,
  logIn,
  logOut,
}) => {
  const { id } = await account.addNote({ title: 'Покупки', content: LIST })
  await page.goto(`/notes/${id}`)
  const held = await hold(`**/api/v1/notes/${id}/`, { method: 'PUT' })
  await page.getByRole('checkbox', { name: 'хлеб' }).click()
  await held.requested
  await logOut()
  await logIn(account)
  // Within the page, which knows what waits.
  await page.getByRole('link', { name: 'Покупки' }).first().click()
  const again = page.waitForRequest((request) => request.method() === 'PUT')
  await page.getByRole('checkbox', { name: 'чай' }).click()
  await again
  await held.release()
  // It was ticked before.
  await expect(page.getByRole('checkbox', { name: 'чай' })).not.toBeChecked()
})

test('a tick that cannot be saved is taken back, and says why', async ({
  signedIn: page,
  account,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 412/, /ERR_FAILED/)
  const { id } = await account.addNote({ content: LIST })
  await page.goto(`/notes/${id}`)
  const box = page.getByRole('checkbox', { name: 'хлеб' })
  // What loads the note has the address that is cut.
  await expect(box).toBeVisible()
  const cut = (url: URL) => url.pathname === `/api/v1/notes/${id}/`
  await page.route(cut, (route) => route.abort())
  await box.click()
  await expect(
    message(page, 'Не удалось сохранить отметку. Нет ответа от сервера. Проверьте соединение.'),
  ).toBeVisible()
  await expect(box).not.toBeChecked()
  await page.unroute(cut)

  await changeElsewhere(page, account, id, LIST.replace('хлеб', 'батон'))
  await box.click()
  await expect(message(page, CONFLICT)).toBeVisible()
  const saving = savedBy(page, 'PUT')
  await page.getByRole('checkbox', { name: 'батон' }).check()
  await saving
  await page.reload()
  await expect(page.getByRole('checkbox', { name: 'батон' })).toBeChecked()
})

test('a tick is made in the version of another device where its task is there, and undone in that', async ({
  signedIn: page,
  account,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 412/)
  const { id } = await account.addNote({ content: LIST })
  await page.goto(`/notes/${id}`)
  const box = (name: string) => page.getByRole('checkbox', { name })
  await expect(box('хлеб')).toBeVisible()
  const longer = LIST.replace('<li', '<li data-checked="true"><p>соль</p></li><li')
  await changeElsewhere(page, account, id, longer)
  const saves = savesOf(page)
  await box('ржаной').focus()
  await page.keyboard.press('Space')
  await expect(message(page, 'Пункт отмечен.')).toBeVisible()
  await expect(message(page, CONFLICT)).toHaveCount(0)
  expect(saves.map(([, status]) => status)).toEqual([412, 200])
  expect(new Set(saves.map(([etag]) => etag)).size).toBe(2)
  expect(saves.map(([etag]) => etag)).not.toContain('')
  await expect(box('ржаной')).toBeChecked()
  await expect(box('соль')).toBeChecked()
  await expect(page.getByRole('heading', { name: 'С другого устройства' })).toBeVisible()

  const ticked = longer.replace('"false"><p>ржаной', '"true"><p>ржаной')
  await changeElsewhere(page, account, id, ticked.replace('"true"><p>чай', '"false"><p>чай'))
  await snackbar(page).getByRole('button', { name: 'Отменить' }).click()
  await expect(message(page, 'Отменено.')).toBeVisible()
  for (const name of ['чай', 'ржаной', 'хлеб']) await expect(box(name)).not.toBeChecked()
  await page.reload()
  await expect(box('соль')).toBeChecked()
  for (const name of ['чай', 'ржаной', 'хлеб']) await expect(box(name)).not.toBeChecked()
})

test('two devices tick one list at a time, and no tick is lost', async ({
  signedIn: page,
  account,
  browser,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 412/)
  const { id } = await account.addNote({ content: LIST.replace('"true"', '"false"') })
  const context = await browser.newContext()
  const other = await context.newPage()
  await signIn(other, account.session)
  for (const device of [page, other]) await device.goto(`/notes/${id}`)
  await other.getByRole('checkbox', { name: 'чай' }).click()
  await expect(message(other, 'Пункт отмечен.')).toBeVisible()
  for (const name of ['хлеб', 'ржаной']) await page.getByRole('checkbox', { name }).click()
  await expect(page.getByRole('checkbox', { name: 'чай' })).toBeChecked()
  await expect(snackbar(page).getByRole('button', { name: 'Отменить' })).toBeVisible()
  await other.reload()
  for (const name of ['хлеб', 'ржаной', 'чай'])
    await expect(other.getByRole('checkbox', { name })).toBeChecked()
  await context.close()
})

test('a tick that another device has made needs no save and no message', async ({
  signedIn: page,
  account,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 412/)
  const { id } = await account.addNote({ content: LIST })
  await page.goto(`/notes/${id}`)
  await expect(page.getByRole('checkbox', { name: 'хлеб' })).toBeVisible()
  await changeElsewhere(page, account, id, LIST.replace('"false"', '"true"'))
  const saves = savesOf(page)
  await page.getByRole('checkbox', { name: 'хлеб' }).click()
  await expect(page.getByRole('heading', { name: 'С другого устройства' })).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'хлеб' })).toBeChecked()
  // At once, for a message goes by itself.
  expect(await snackbar(page).getByRole('button').count()).toBe(0)
  expect(saves.map(([, status]) => status)).toEqual([412])
})

test('a tick is asked for again where its task is one of more, or where it is refused twice', async ({
  signedIn: page,
  account,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 412/)
  const { id } = await account.addNote({ content: LIST })
  await page.goto(`/notes/${id}`)
  const bread = page.getByRole('checkbox', { name: 'хлеб' })
  await expect(bread).toBeVisible()
  const twice = LIST.replace('<li', '<li data-checked="false"><p>хлеб</p></li><li')
  await changeElsewhere(page, account, id, twice)
  const saves = savesOf(page)
  await bread.click()
  await expect(message(page, CONFLICT)).toBeVisible()
  await expect(bread).toHaveCount(2)
  for (const box of await bread.all()) await expect(box).not.toBeChecked()
  expect(saves).toHaveLength(1)
  await bread.last().click()
  await expect(message(page, 'Пункт отмечен.')).toBeVisible()
  await expect(message(page, CONFLICT)).toHaveCount(0)

  await page.route(`**/api/v1/notes/${id}/`, async (route) => {
    // Another device is faster each time.
    if (route.request().method() === 'PUT')
      await changeElsewhere(page, account, id, `${twice}<p>${saves.length}</p>`)
    await route.continue()
  })
  await page.getByRole('checkbox', { name: 'чай' }).click()
  await expect(message(page, CONFLICT)).toBeVisible()
  expect(saves.map(([, status]) => status)).toEqual([412, 200, 412, 412])
  await expect(page.getByRole('checkbox', { name: 'чай' })).toBeChecked()
})

const GOOGLE_DOCS = `<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><ul style="margin-top:0;margin-bottom:0;padding-inline-start:28px;">
<li dir="ltr" role="checkbox" aria-checked="false" style="list-style-type:none;" aria-level="1"><img src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==" width="17" height="17" alt="не отмечено" aria-roledescription="флажок"><p dir="ltr" style="display:inline-block;"><span style="font-size:11pt;">хлеб</span></p></li>
<li dir="ltr" role="checkbox" aria-checked="true" style="list-style-type:none;" aria-level="1"><img src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==" width="17" height="17" alt="отмечено" aria-roledescription="флажок"><p dir="ltr" style="display:inline-block;"><span style="font-size:11pt;text-decoration:line-through;">чай</span></p></li></ul></b>`
const GITHUB =
  '<ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" class="task-list-item-checkbox" disabled> хлеб</li>' +
  '<li class="task-list-item"><input type="checkbox" class="task-list-item-checkbox" checked disabled> чай</li></ul>'
const OBSIDIAN =
  '<ul class="contains-task-list"><li data-task=" " class="task-list-item"><input class="task-list-item-checkbox" type="checkbox">хлеб</li>' +
  '<li data-task="x" class="task-list-item is-checked"><input class="task-list-item-checkbox" type="checkbox">чай</li></ul>'
const TIPTAP =
  '<ul data-type="taskList"><li data-checked="false" data-type="taskItem"><label><input type="checkbox"><span></span></label><div><p>хлеб</p></div></li>' +
  '<li data-checked="true" data-type="taskItem"><label><input type="checkbox" checked="checked"><span></span></label><div><p>чай</p></div></li></ul>'
/** Of versions 10 and later, and of those before, where each task is a line. */
const EVERNOTE =
  '<ul style="--en-todo:true;"><li style="--en-checked:false;"><div>хлеб</div></li><li style="--en-checked:true;"><div>чай</div></li></ul>'
const EVERNOTE_LINES =
  '<div><input type="checkbox">хлеб<br></div>\n<div><input type="checkbox" checked="true"><span style="text-decoration: line-through">чай</span></div>'
/** As browsers write the styles of what is copied from a page. */
const EVERNOTE_PAGE = EVERNOTE.replaceAll(':', ': ')
/** Boxes in a form of Bootstrap 3, whose class says nothing of their state. */
const BOOTSTRAP =
  '<ul><li><div class="checkbox"><label><input type="checkbox">хлеб</label></div></li>' +
  '<li><div class="checkbox"><label><input type="checkbox" checked>чай</label></div></li></ul>'
const ENML = '<div><en-todo checked="false"/>хлеб</div><div><en-todo checked="true"></en-todo>чай</div>'
/** A page that Notion has exported. */
const NOTION_PAGE =
  '<ul class="to-do-list"><li><div class="checkbox checkbox-off"></div> <span class="to-do-children-unchecked">хлеб</span></li></ul>' +
  '<ul class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span class="to-do-children-checked">чай</span></li></ul>'

const BULLETS = '<ul><li>✅ быстро</li><li>✅ дёшево</li></ul>'

const PASTED = {
  GitHub: { 'text/html': GITHUB, 'text/plain': 'хлеб\nчай' },
  TipTap: { 'text/html': TIPTAP, 'text/plain': 'хлеб\nчай' },
  Notion: { 'text/html': '<ul><li>[ ] хлеб</li><li>[x] чай</li></ul>' },
  Keep: { 'text/plain': '☐ хлеб\n☑ чай' },
  Signs: { 'text/plain': '☐ хлеб\n✅ чай' },
  Markdown: { 'text/plain': '- [ ] хлеб\n- [x] чай\n' },
  Кириллица: { 'text/plain': '- [ ] хлеб\n- [х] чай' },
  КИРИЛЛИЦА: { 'text/plain': '- [ ] хлеб\n- [Х] чай' },
  Docs: { 'text/html': GOOGLE_DOCS, 'text/plain': 'хлеб\nчай' },
  Obsidian: { 'text/html': OBSIDIAN, 'text/plain': 'хлеб\nчай' },
  Evernote: { 'text/html': EVERNOTE, 'text/plain': 'хлеб\nчай' },
  EvernotePage: { 'text/html': EVERNOTE_PAGE, 'text/plain': 'хлеб\nчай' },
  Bootstrap: { 'text/html': BOOTSTRAP, 'text/plain': 'хлеб\nчай' },
  Lines: { 'text/html': EVERNOTE_LINES, 'text/plain': 'хлеб\nчай' },
  ENML: { 'text/html': ENML, 'text/plain': 'хлеб\nчай' },
}

test('checklists pasted from other programs are checklists; as plain text, or with signs for bullets, they are not', async ({
  signedIn: page,
}) => {
  await page.goto('/notes/add')
  await page.getByLabel('Название').fill('Вставлено')
  // A click waits until the editor stays in its place.
  await editorOf(page).click()
  const boxes = editorOf(page).getByRole('checkbox')
  for (const [at, [program, formats]] of Object.entries(PASTED).entries()) {
    await page.keyboard.type(`${program}\n`)
    await paste(page, formats)
    await expect(boxes).toHaveCount(2 * (at + 1))
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
  }
  await paste(page, { 'text/html': BULLETS })
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await paste(page, { 'text/plain': '✅ быстро\n✅ дёшево' })
  await page.keyboard.press('Enter')
  await paste(page, { 'text/plain': '[ ] хлеб' }, 'Control+Shift+V')
  const saving = savedBy(page, 'POST')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  const list =
    '<ul data-type="taskList"><li data-checked="false"><p>хлеб</p></li><li data-checked="true"><p>чай</p></li></ul>'
  const lists = Object.keys(PASTED).map((program) => `<p>${program}</p>${list}`)
  const bullets =
    '<ul><li><p>✅ быстро</p></li><li><p>✅ дёшево</p></li></ul><p>✅ быстро</p><p>✅ дёшево</p>'
  expect((await (await saving).json()).content).toBe(`${lists.join('')}${bullets}<p>[ ] хлеб</p>`)
})

test('tasks among other items of a pasted list become checklists of their own', async ({
  signedIn: page,
}) => {
  await page.goto('/notes/add')
  await page.getByLabel('Название').fill('С GitHub')
  await editorOf(page).click()
  await paste(page, {
    'text/html':
      '<ul><li>сыр<ul><li><input type="checkbox" checked> козий</li><li>соль</li></ul></li>' +
      '<li><input type="checkbox" checked> чай</li><li><input type="checkbox"> хлеб</li></ul><p>—</p>' +
      '<ol start="3"><li><input type="checkbox" checked> раз</li><li>два</li><li>три</li></ol>',
  })
  const saving = savedBy(page, 'POST')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  expect((await (await saving).json()).content).toBe(
    '<ul><li><p>сыр</p><ul data-type="taskList"><li data-checked="true"><p>козий</p></li></ul><ul><li><p>соль</p></li></ul></li></ul>' +
      '<ul data-type="taskList"><li data-checked="true"><p>чай</p></li><li data-checked="false"><p>хлеб</p></li></ul><p>—</p>' +
      '<ul data-type="taskList"><li data-checked="true"><p>раз</p></li></ul><ol start="4"><li><p>два</p></li><li><p>три</p></li></ol>',
  )
})

test('lines of pasted HTML that begin with a box are tasks, and other boxes are left out', async ({
  signedIn: page,
}) => {
  await page.goto('/notes/add')
  await page.getByLabel('Название').fill('Вставлено')
  await editorOf(page).click()
  await paste(page, {
    'text/html':
      '<div>Покупки</div><p><label><input type="checkbox"> хлеб</label></p><p><input type="checkbox" checked> <b>чай</b></p>' +
      '<div>и ещё</div><div><input type="checkbox" checked>соль</div>до<div><input type="checkbox">мыло</div><hr><div><input type="checkbox">мел</div>' +
      '<p>где <input type="checkbox"> стоит</p><div><input type="checkbox"><div>меню</div></div>' +
      '<div><input type="checkbox" role="button">кнопка</div><p><input type="checkbox"></p>' +
      `${NOTION_PAGE}<table><tbody><tr><td><div><input type="checkbox" checked>да</div></td></tr></tbody></table>`,
  })
  const saving = savedBy(page, 'POST')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  const list = (...tasks: string[]) => `<ul data-type="taskList">${tasks.join('')}</ul>`
  const task = (done: boolean, text: string) => `<li data-checked="${done}"><p>${text}</p></li>`
  expect((await (await saving).json()).content).toBe(
    `<p>Покупки</p>${list(task(false, 'хлеб'), task(true, '<strong>чай</strong>'))}<p>и ещё</p>${list(task(true, 'соль'))}<p>до</p>${list(task(false, 'мыло'))}<hr />${list(task(false, 'мел'))}` +
      `<p>где стоит</p><p>меню</p><p>кнопка</p><p></p>${list(task(false, 'хлеб'))}${list(task(true, 'чай'))}` +
      `<table><tbody><tr><td>${list(task(true, 'да'))}</td></tr></tbody></table>`,
  )
})

test('lines with boxes among others become checklists, and those with signs for bullets stay', async ({
  signedIn: page,
}) => {
  await page.goto('/notes/add')
  await page.getByLabel('Название').fill('Вставлено')
  await editorOf(page).click()
  await paste(page, {
    'text/plain': 'Покупки\n\n[ ] хлеб <b>\n\t[x] чай\n\nПлюсы:\n✅ быстро\n✅ дёшево\nИтого\n☐ молоко',
  })
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  // One box alone may be anything.
  await paste(page, { 'text/plain': 'Сноска\n[x] см. ниже' })
  const saving = savedBy(page, 'POST')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  expect((await (await saving).json()).content).toBe(
    '<p>Покупки</p><ul data-type="taskList"><li data-checked="false"><p>хлеб &lt;b&gt;</p>' +
      '<ul data-type="taskList"><li data-checked="true"><p>чай</p></li></ul></li></ul><p>Плюсы:</p><p>✅ быстро</p><p>✅ дёшево</p>' +
      '<p>Итого</p><ul data-type="taskList"><li data-checked="false"><p>молоко</p></li></ul><p>Сноска</p><p>[x] см. ниже</p>',
  )
})

test('Tab stays in a list where an item can go no deeper, and on a phone buttons move items', async ({
  signedIn: page,
}) => {
  await page.setViewportSize({ width: 390, height: 800 })
  await page.goto('/notes/add')
  await page.getByLabel('Название').fill('Список')
  await editorOf(page).click()
  const deeper = page.getByRole('button', { name: 'Увеличить отступ' })
  const back = page.getByRole('button', { name: 'Уменьшить отступ' })
  await expect(deeper).toBeDisabled()
  await expect(back).toBeDisabled()
  await page.keyboard.type('[ ] хлеб')
  await page.keyboard.press('Tab')
  await page.keyboard.type(' белый\n')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type('ржаной')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.type('чай')
  await expect(editorOf(page)).toBeFocused()
  await deeper.click()
  // The box has the text of its task as its name, and nothing repeats it.
  await expect(editorOf(page).locator('li li')).toHaveText(['ржаной', 'чай'])
  await expect(editorOf(page).getByRole('checkbox', { name: 'чай', exact: true })).toBeVisible()
  await back.click()
  await expect(editorOf(page).locator('li li')).toHaveText(['ржаной'])
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  for (const sign of ['- ', '1. ']) {
    await page.keyboard.type(`${sign}раз`)
    await expect(deeper).toBeDisabled()
    await page.keyboard.type('\nдва')
    await deeper.click()
    await page.keyboard.type('!')
    await back.click()
    await deeper.click()
    // Out of the inner list, then of the outer one.
    for (let level = 0; level < 3; level += 1) await page.keyboard.press('Enter')
  }
  const saving = savedBy(page, 'POST')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  const task = (text: string, inside = '') => `<li data-checked="false"><p>${text}</p>${inside}</li>`
  const list = (...tasks: string[]) => `<ul data-type="taskList">${tasks.join('')}</ul>`
  const nested = (tag: string) => `<${tag}><li><p>раз</p><${tag}><li><p>два!</p></li></${tag}></li></${tag}>`
  expect((await (await saving).json()).content).toBe(
    `${list(task('хлеб белый', list(task('ржаной'))), task('чай'))}${nested('ul')}${nested('ol')}<p></p>`,
  )
})

test('lines of plain text that are pasted into an item of a list are items', async ({ signedIn: page }) => {
  await page.goto('/notes/add')
  await page.getByLabel('Название').fill('Вставлено')
  await editorOf(page).click()
  for (const [at, [sign, keys]] of (
    [
      ['[ ] ', 'Control+V'],
      ['- ', 'Control+Shift+V'],
      ['1. ', 'Control+V'],
    ] as const
  ).entries()) {
    await page.keyboard.type(`${sign}раз два`)
    for (let back = 0; back < 3; back += 1) await page.keyboard.press('ArrowLeft')
    // The next key may come before the editor has heard where this one moved the cursor, faster than any person's.
    await nextPaint(page)
    await paste(page, { 'text/plain': 'Молоко\r\n\r\nХлеб <b>\n  \nСыр\n' }, keys)
    await expect(editorOf(page).getByText('Сырдва')).toHaveCount(at + 1)
    await page.keyboard.press('End')
    await nextPaint(page)
    await page.keyboard.press('Enter')
    // One line is text, with the spaces around it.
    await paste(page, { 'text/plain': 'чай ' }, keys)
    await expect(editorOf(page).getByText('чай')).toHaveCount(at + 1)
    await page.keyboard.type('чёрный\n\n')
  }
  await page.keyboard.type('конец')
  const saving = savedBy(page, 'POST')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  const items = ['раз Молоко', 'Хлеб &lt;b&gt;', 'Сырдва', 'чай чёрный']
  const list = (open: string, item: string, close: string) =>
    `<${open}>${items.map((text) => `<${item}><p>${text}</p></li>`).join('')}</${close}>`
  expect((await (await saving).json()).content).toBe(
    `${list('ul data-type="taskList"', 'li data-checked="false"', 'ul')}${list('ul', 'li', 'ul')}${list('ol', 'li', 'ol')}<p>конец</p>`,
  )
})

test('lists that are pasted into an empty item take its place, with their kind and state', async ({
  signedIn: page,
}) => {
  await page.goto('/notes/add')
  await page.getByLabel('Название').fill('Вставлено')
  await editorOf(page).click()
  const add = async (text: string) => {
    await paste(page, { 'text/plain': text })
    const last = text.replace(/^.*[\]-] /s, '')
    await expect(editorOf(page).locator('li', { hasText: last })).toHaveCount(1)
  }
  const leave = async () => {
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.keyboard.type('—\n')
  }
  await page.keyboard.type('[ ] до\n')
  await add('- раз\n- два')
  await leave()
  await page.keyboard.type('- до\n')
  await add('- [x] три\n- [ ] четыре')
  await leave()
  await page.keyboard.type('[ ] до\n')
  await add('- [x] пять\n- [ ] шесть')
  await leave()
  // In the middle, and beside what is of its own kind.
  await page.keyboard.type('- до\n')
  await page.keyboard.press('Tab')
  await page.keyboard.type('внутри\n\nпосле')
  await page.keyboard.press('Home')
  await nextPaint(page)
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowUp')
  await nextPaint(page)
  await add('- [x] семь')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.keyboard.type('1. ')
  await add('1. восемь\n2. девять\n\n- десять')
  await page.keyboard.type('!')
  const saving = savedBy(page, 'POST')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  const task = (text: string, done: boolean) => `<li data-checked="${done}"><p>${text}</p></li>`
  const tasks = (...all: string[]) => `<ul data-type="taskList">${all.join('')}</ul>`
  const item = (text: string, inside = '') => `<li><p>${text}</p>${inside}</li>`
  expect((await (await saving).json()).content).toBe(
    `${tasks(task('до', false))}<ul>${item('раз')}${item('два')}</ul><p>—</p>` +
      `<ul>${item('до')}</ul>${tasks(task('три', true), task('четыре', false))}<p>—</p>` +
      `${tasks(task('до', false), task('пять', true), task('шесть', false))}<p>—</p>` +
      `<ul>${item('до', `<ul>${item('внутри')}</ul>`)}</ul>${tasks(task('семь', true))}` +
      `<ol>${item('восемь')}${item('девять')}</ol><ul>${item('десять!')}</ul><ul>${item('после')}</ul>`,
  )
})

test('a numbered list goes on counting behind lists that are pasted into it', async ({
  signedIn: page,
  account,
}) => {
  const item = (text: string) => `<li><p>${text}</p></li>`
  const { id } = await account.addNote({ content: `<ol start="3">${item('а')}${item('б')}</ol>` })
  await page.goto(`/notes/${id}/edit`)
  const add = async (text: string) => {
    await editorOf(page).getByText('а', { exact: true }).click()
    await nextPaint(page)
    await page.keyboard.press('End')
    // The next key may come before the editor has heard where this moved the cursor, faster than any person's.
    await nextPaint(page)
    await page.keyboard.press('Enter')
    await paste(page, { 'text/plain': text })
  }
  const lists = () =>
    editorOf(page).evaluate((root) =>
      [...root.children].map((list) => [
        list instanceof HTMLOListElement ? list.start : '-',
        ...[...list.children].map(({ textContent }) => textContent),
      ]),
    )
  const cases = [
    [
      '- раз\n- два',
      [
        [3, 'а'],
        ['-', 'раз', 'два'],
        [4, 'б'],
      ],
    ],
    [
      '1. раз\n\n- два',
      [
        [3, 'а', 'раз'],
        ['-', 'два'],
        [5, 'б'],
      ],
    ],
    [
      '- раз\n\n1. два',
      [
        [3, 'а'],
        ['-', 'раз'],
        [4, 'два', 'б'],
      ],
    ],
    ['7. раз\n8. два', [[3, 'а', 'раз', 'два', 'б']]],
  ] as const
  for (const [text, expected] of cases) {
    await add(text)
    await expect.poll(lists, text).toEqual(expected)
    await page.keyboard.press('Control+Z')
    await page.keyboard.press('Control+Z')
    await expect.poll(lists, text).toEqual([[3, 'а', 'б']])
  }
  // One that counts down to 1 does so without a number.
  const down = await account.addNote({ content: `<ol reversed>${item('а')}${item('б')}</ol>` })
  await page.goto(`/notes/${down.id}/edit`)
  await add('- раз\n- два')
  await expect(editorOf(page).locator('ol[reversed]:not([start])')).toHaveText(['а', 'б'])
})

test('a copy of a whole checklist goes into an empty task of it as tasks beside it, and that of a word as text', async ({
  signedIn: page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/notes/add')
  await page.getByLabel('Название').fill('Копия')
  await editorOf(page).click()
  await page.keyboard.type('[ ] хлеб\n[x] чай')
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.press('ControlOrMeta+C')
  await page.keyboard.press('ArrowRight')
  await nextPaint(page)
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.press('ControlOrMeta+V')
  await expect(editorOf(page).getByRole('checkbox', { name: 'чай' })).toHaveCount(2)
  // A copied word is text in an item of any list.
  await page.keyboard.press('Control+Shift+ArrowLeft')
  await nextPaint(page)
  await page.keyboard.press('ControlOrMeta+C')
  await page.keyboard.press('ArrowRight')
  await nextPaint(page)
  await page.keyboard.type('\n\n- до\n')
  await page.keyboard.press('ControlOrMeta+V')
  await expect(editorOf(page).getByText('чай')).toHaveCount(3)
  const saving = savedBy(page, 'POST')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  const tasks = '<li data-checked="false"><p>хлеб</p></li><li data-checked="true"><p>чай</p></li>'
  expect((await (await saving).json()).content).toBe(
    `<ul data-type="taskList">${tasks}${tasks}</ul><ul><li><p>до</p></li><li><p>чай</p></li></ul>`,
  )
})

test('a quote is made of a whole list, and taken away again', async ({ signedIn: page, account }) => {
  const content = `<p>до</p>${LIST.replace('<p>Купить</p>', '')}<p>после</p>`
  const { id } = await account.addNote({ content })
  await page.goto(`/notes/${id}/edit`)
  await editorOf(page).getByText('ржаной').click()
  const quote = editorOf(page).locator('blockquote')
  const button = page.getByRole('button', { name: 'Цитата' })
  await button.click()
  await expect(quote).toHaveText(/^хлеб\s*ржаной\s*чай$/)
  await button.click()
  await expect(quote).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+A')
  await nextPaint(page)
  await button.click()
  await expect(quote).toContainText('после')
  await button.click()
  await expect(quote).toHaveCount(0)
  await editorOf(page).getByText('чай').click()
  await button.click()
  await expect(quote).toHaveCount(1)
  const saving = savedBy(page, 'PUT')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  expect((await (await saving).json()).content).toBe(
    content.replace('<ul', '<blockquote><ul').replace('</ul><p>после', '</ul></blockquote><p>после'),
  )
})

const NESTED = {
  Keep: { 'text/plain': '☐ хлеб\n  ☑ ржаной' },
  Markdown: { 'text/plain': '- [ ] **хлеб**\n  - [x] ржаной' },
  GitHub: {
    'text/html':
      '<ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" class="task-list-item-checkbox"> хлеб' +
      '<ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" checked> ржаной</li></ul></li></ul>',
  },
  Notion: { 'text/html': '<ul><li>[ ] хлеб<ul><li>[x] ржаной</li></ul></li></ul>' },
  Docs: {
    'text/html':
      '<b style="font-weight:normal;" id="docs-internal-guid-1"><ul><li role="checkbox" aria-checked="false" aria-level="1"><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="не отмечено"><p>хлеб</p></li>' +
      '<ul><li role="checkbox" aria-checked="true" aria-level="2"><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="отмечено"><p>ржаной</p></li></ul></ul></b>',
  },
}

test('nested checklists stay nested when pasted, and a list directly in a table is ticked where it is shown', async ({
  signedIn: page,
  account,
}) => {
  await page.goto('/notes/add')
  await page.getByLabel('Название').fill('Вставлено')
  // A click waits until the editor stays in its place.
  await editorOf(page).click()
  for (const [at, [program, formats]] of Object.entries(NESTED).entries()) {
    await page.keyboard.type(`${program}\n`)
    await paste(page, formats)
    await expect(editorOf(page).getByRole('checkbox')).toHaveCount(2 * (at + 1))
    for (let level = 0; level < 3; level += 1) await page.keyboard.press('Enter')
  }
  await page.keyboard.type('конец')
  const saving = savedBy(page, 'POST')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  const list = (first: string) =>
    `<ul data-type="taskList"><li data-checked="false"><p>${first}</p><ul data-type="taskList"><li data-checked="true"><p>ржаной</p></li></ul></li></ul>`
  const lists = Object.keys(NESTED).map(
    (program) => `<p>${program}</p>${list(program === 'Markdown' ? '<strong>хлеб</strong>' : 'хлеб')}`,
  )
  expect((await (await saving).json()).content).toBe(`${lists.join('')}<p>конец</p>`)

  const task = (text: string) => `<ul data-type="taskList"><li data-checked="false"><p>${text}</p></li></ul>`
  const content = `<table><tbody><tr><td>${task('в ячейке')}</td></tr></tbody>${task('над таблицей')}</table>`
  const { id } = await account.addNote({ content })
  await page.goto(`/notes/${id}`)
  const ticking = savedBy(page, 'PUT')
  await page.getByRole('checkbox', { name: 'над таблицей' }).check()
  expect((await (await ticking).json()).content).toBe(content.replace('"false"><p>над', '"true"><p>над'))
})

test('a copied text says which tasks are done', async ({ signedIn: page, account, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { id } = await account.addNote({ content: LIST })
  await page.goto(`/notes/${id}`)
  await page.getByRole('button', { name: 'Скопировать текст' }).click()
  await expect(message(page, 'Текст скопирован.')).toBeVisible()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied.split('\n').filter(Boolean)).toEqual(['Купить', '☐ хлеб', '☐ ржаной', '☑ чай'])
  await expect(page.getByText('☐')).toHaveCount(0)
})

test('a checklist copied where a note is read is one in another note, and what is ticked is not struck through', async ({
  signedIn: page,
  account,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { id } = await account.addNote({ content: LIST })
  await page.goto(`/notes/${id}`)
  await expect(page.getByRole('checkbox', { name: 'чай' })).toBeChecked()
  await page.getByRole('checkbox', { name: 'чай' }).evaluate((box) => {
    const list = box.closest('ul')
    if (list) getSelection()?.selectAllChildren(list.parentElement ?? list)
  })
  await page.keyboard.press('ControlOrMeta+C')
  await page.goto('/notes/add')
  await page.getByLabel('Название').fill('Копия')
  await editorOf(page).click()
  await page.keyboard.press('ControlOrMeta+V')
  await expect(editorOf(page).getByRole('checkbox', { name: 'чай' })).toBeChecked()
  const saving = savedBy(page, 'POST')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  const { content } = await (await saving).json()
  expect(content).toContain('<li data-checked="true"><p>чай</p></li>')
  expect(content).not.toContain('<s>')
})

test('the versions of a note show which tasks were done', async ({ signedIn: page, account }) => {
  const { id } = await account.addNote({ content: LIST })
  await page.goto(`/notes/${id}/edit`)
  await editorOf(page).getByRole('checkbox', { name: 'хлеб' }).check()
  const saving = savedBy(page, 'PUT')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await saving
  await page.goto(`/notes/${id}/versions`)
  await expect(page.getByRole('region', { name: /^Версия от/ }).getByText('☐ хлеб')).toBeVisible()
})
