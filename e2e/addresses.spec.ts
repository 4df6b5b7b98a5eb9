import { expect, test } from './journey.ts'

test('an address is shown as people read it and leads where it was saved', async ({
  signedIn: page,
  account,
}) => {
  const url = 'https://xn--80a1acny.xn--p1ai/wiki/%D0%9C%D0%BE%D1%81%D0%BA%D0%B2%D0%B0'
  const { id } = await account.addLink({ title: 'Почта', url })
  await page.goto('/url-links')
  await expect(page.getByRole('article')).toContainText('почта.рф')
  await page.goto(`/urllinks/${id}`)
  const link = page.getByRole('main').getByRole('link', { name: 'https://почта.рф/wiki/Москва' })
  await expect(link).toHaveAttribute('href', url)
  await page.goto(`/urllinks/${id}/edit`)
  await expect(page.getByLabel('URL')).toHaveValue(url)
})
