import { expect, test } from './fixtures.ts'

const REMOTE = '<p>До <img src="https://pictures.example/a.png" alt="Закат над морем"> после</p>'

test.describe('a script that got into the page', () => {
  test.use({ expectedInConsole: [/TrustedHTML|TrustedScript|Content Security Policy/i] })

  test('cannot make HTML or code of a string, nor a policy that lets it', async ({ signedIn: page }) => {
    await page.goto('/notes')
    const outcomes = await page.evaluate(() => {
      const attempts: Record<string, () => unknown> = {
        innerHTML: () => {
          document.createElement('div').innerHTML = '<img src="x" onerror="0">'
        },
        insertAdjacentHTML: () => document.body.insertAdjacentHTML('beforeend', '<b>x</b>'),
        parseFromString: () => new DOMParser().parseFromString('<b>x</b>', 'text/html'),
        srcdoc: () => {
          document.createElement('iframe').srcdoc = '<b>x</b>'
        },
        'script src': () => {
          document.createElement('script').src = '/assets/x.js'
        },
        'script text': () => {
          document.createElement('script').text = '0'
        },
        handler: () => document.body.setAttribute('onclick', '0'),
        policy: () => Reflect.get(window, 'trustedTypes').createPolicy('other', {}),
        'policy twice': () => Reflect.get(window, 'trustedTypes').createPolicy('inert', {}),
      }
      return Object.entries(attempts).map(([name, attempt]) => {
        try {
          attempt()
          return `${name}: done`
        } catch (error) {
          return `${name}: ${(error as Error).name}`
        }
      })
    })
    expect(outcomes.filter((outcome) => !outcome.endsWith(': TypeError'))).toEqual([])
    expect(outcomes).toHaveLength(9)
  })
})

test('a picture of another host is named and not loaded, where it is read and where it is edited', async ({
  account,
  signedIn: page,
}) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const { id } = await account.addNote({ content: REMOTE })
  await page.goto(`/notes/${id}`)
  const picture = page.getByRole('link', { name: 'Картинка с pictures.example: Закат над морем' })
  await expect(picture).toHaveAttribute('href', 'https://pictures.example/a.png')
  await expect(picture).toHaveAttribute('rel', 'noopener noreferrer nofollow')

  await page.goto(`/notes/${id}/edit`)
  const text = page.getByRole('textbox', { name: 'Содержание' })
  await expect(text).toContainText('Картинка с pictures.example: Закат над морем')
  await text.press('Control+End')
  await text.pressSequentially(' и конец')
  await page.getByRole('button', { name: 'Сохранить', exact: true }).click()
  await expect(picture).toBeVisible()
  await expect(page.getByText('и конец')).toBeVisible()
  expect(asked.filter((url) => url.includes('pictures.example'))).toEqual([])

  const headers = { authorization: `Bearer ${account.session.access_token}` }
  const saved = await page.request.get(`/api/v1/notes/${id}/`, { headers })
  expect((await saved.json()).content).toContain(
    '<img src="https://pictures.example/a.png" alt="Закат над морем"',
  )
})
