import { execFile } from 'node:child_process'
import { createServer } from 'node:net'
import { promisify } from 'node:util'
import { chromium } from '@playwright/test'
import { expect, signIn, test } from './fixtures.ts'

/** No dependency: it is fetched when it is asked for. */
const LIGHTHOUSE = 'lighthouse@13.5.0'

/** The rest judges what agents make of a page. */
const CATEGORIES = 'performance,accessibility,best-practices,seo'

interface Report {
  categories: Record<string, { title: string; score: number | null }>
  audits: Record<string, { id: string; title: string; score: number | null; numericValue?: number }>
}

/** A port that was free a moment ago. */
const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

async function ask(address: string, port: number): Promise<Report> {
  const { stdout } = await promisify(execFile)(
    'npx',
    [
      '--yes',
      LIGHTHOUSE,
      address,
      `--port=${port}`,
      `--only-categories=${CATEGORIES}`,
      '--disable-storage-reset',
      '--output=json',
      '--quiet',
    ],
    { maxBuffer: 100_000_000 },
  )
  return JSON.parse(stdout)
}

test('scores', async ({ account, address }, info) => {
  const note = await account.addNote({
    title: 'Рецепт борща',
    content: '<p>Свёкла и капуста</p>',
    tags: ['кухня'],
  })
  await account.addLink({ title: 'Рецепты', tags: ['кухня'] })
  const port = await freePort()
  const { executablePath, args = [] } = info.project.use.launchOptions ?? {}
  // Lighthouse opens tabs of its own, which share what is stored only where it is the browser's own profile.
  const context = await chromium.launchPersistentContext('', {
    ...(executablePath !== undefined && { executablePath }),
    args: [...args, `--remote-debugging-port=${port}`],
    locale: 'ru-RU',
  })
  const page = context.pages()[0] ?? (await context.newPage())
  const lines = []
  for (const path of ['/auth/login', '/home', '/notes', `/notes/${note.id}`]) {
    if (path === '/home') {
      await signIn(page, account.session)
      await page.goto(`${address}/home`)
    }
    const { categories, audits } = await ask(address + path, port)
    const scores = Object.values(categories).map(
      ({ title, score }) => `${title} ${Math.round((score ?? 0) * 100)}`,
    )
    const lost = Object.values(audits).filter(({ score }) => score !== null && score < 0.9)
    const seconds = (id: string) => `${((audits[id]?.numericValue ?? 0) / 1000).toFixed(1)} s`
    lines.push(`${path}: ${scores.join(', ')}`)
    lines.push(
      `  first paint ${seconds('first-contentful-paint')}, largest ${seconds('largest-contentful-paint')}`,
    )
    lines.push(...lost.map(({ id, title, score }) => `  ${score} ${id}: ${title}`))
  }
  await context.close()
  console.log(lines.join('\n'))
})

/** A poor mobile line. */
const SLOW_LINE = {
  offline: false,
  latency: 400,
  downloadThroughput: 400_000 / 8,
  uploadThroughput: 400_000 / 8,
}

test('on a slow line the frame shows within 1.5 s and the content within 6 s', async ({ page, account }) => {
  const note = await account.addNote({ title: 'Рецепт борща', tags: ['кухня'] })
  await signIn(page, account.session)
  const devtools = await page.context().newCDPSession(page)
  const times = []
  for (const path of ['/home', '/notes', `/notes/${note.id}`]) {
    await devtools.send('Network.clearBrowserCache')
    await devtools.send('Network.emulateNetworkConditions', SLOW_LINE)
    await page.goto(path, { waitUntil: 'commit' })
    await page.locator('#root').getByText('Рецепт борща').first().waitFor()
    const [frame = 0, content] = await page.evaluate(() => [
      performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
      performance.now(),
    ])
    times.push({ path, frame: Math.round(frame), content: Math.round(content ?? 0) })
  }
  console.log(times)
  for (const { frame, content } of times) {
    expect(frame).toBeLessThan(1_500)
    expect(content).toBeLessThan(6_000)
  }
})
