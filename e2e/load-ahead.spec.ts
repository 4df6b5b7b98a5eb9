import { expect, test } from './journey.ts'

for (const [how, reach] of [
  ['pointing at', 'hover'],
  ['focusing', 'focus'],
] as const) {
  test(`${how} a link to an item loads it, so that it opens without the server`, async ({
    signedIn: page,
    account,
  }) => {
    const { id } = await account.addNote({ title: 'Щи', content: '<p>Капуста</p>' })
    await page.goto('/notes')
    const open = page.getByRole('link', { name: 'Открыть заметку «Щи»' })
    const loaded = page.waitForResponse(`**/api/v1/notes/${id}/`)
    await open[reach]()
    await loaded
    await page.waitForLoadState('networkidle')
    await page.route('**/api/**', () => {})
    await open.click()
    await expect(page.getByText('Капуста')).toBeVisible()
  })
}
