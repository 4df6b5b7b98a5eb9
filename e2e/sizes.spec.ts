import type { Page, Route } from '@playwright/test'
import { expect, signIn, test } from './journey.ts'

/**
 * What each screen may load before anyone touches it, in kilobytes as sent (brotli). Login and registration are the goals
 * of the product; the others are what they were plus a little: whoever needs more looks first whether it could come
 * later, then raises it here.
 * `:note`, `:link` and `:tag` stand for ids.
 */
const BUDGETS = {
  '/auth/login': { js: 150, css: 20 },
  '/auth/registration': { js: 150, css: 20 },
  '/auth/password-reset': { js: 145, css: 12 },
  '/auth/password-confirm': { js: 148, css: 12 },
  '/privacy': { js: 145, css: 9 },
  '/home': { js: 158, css: 14 },
  '/profile': { js: 186, css: 16 },
  '/notes': { js: 162, css: 15 },
  '/notes/add': { js: 316, css: 22 },
  '/notes/:note': { js: 192, css: 16 },
  '/notes/:note/edit': { js: 318, css: 22 },
  '/url-links': { js: 162, css: 15 },
  '/urllinks/add': { js: 316, css: 22 },
  '/urllinks/:link': { js: 192, css: 16 },
  '/urllinks/:link/edit': { js: 318, css: 22 },
  '/tags': { js: 154, css: 14 },
  '/tags/:tag': { js: 183, css: 15 },
  '/tags/:tag/edit': { js: 182, css: 15 },
} as const

/** Waits until the page asks for nothing more; sums what the server has sent of its scripts and styles. */
async function sizesOf(page: Page, address: string): Promise<{ js: number; css: number }> {
  await page.goto(address)
  await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
  await page.waitForLoadState('networkidle')
  return page.evaluate(() => {
    const kilobytes = (ending: string) =>
      performance
        .getEntriesByType('resource')
        .filter((entry) => entry instanceof PerformanceResourceTiming)
        .filter(({ name }) => new URL(name).pathname.endsWith(ending))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize / 1000, 0)
    return { js: kilobytes('.js'), css: kilobytes('.css') }
  })
}

for (const [path, budget] of Object.entries(BUDGETS)) {
  test(`${path} loads ${budget.js} KB of scripts and ${budget.css} KB of styles at most`, async ({
    page,
    crowded,
  }) => {
    if (!path.startsWith('/auth')) await signIn(page, crowded.session)
    const { note, link } = crowded
    const ids = { ':note': note.id, ':link': link.id, ':tag': note.tags[0]?.id ?? '' }
    const address = path.replace(
      /:\w+/,
      (name) => Object.entries(ids).find(([key]) => key === name)?.[1] ?? '',
    )
    const sent = await sizesOf(page, address)
    for (const sort of ['js', 'css'] as const) {
      expect(sent[sort], sort).toBeGreaterThan(budget[sort] / 4)
      expect(sent[sort], sort).toBeLessThanOrEqual(budget[sort])
    }
  })
}

for (const path of ['/auth/login', '/home']) {
  test(`${path} shows something two round trips after its document`, async ({ page, account, address }) => {
    if (path === '/home') await signIn(page, account.session)
    const document = await (await fetch(address + path)).text()
    const waiting: Route[] = []
    // The first round trip brings what the document names, the second what that asks for. No answer of the API helps.
    await page.route('**/assets/**', (route) =>
      document.includes(new URL(route.request().url()).pathname) ? route.continue() : waiting.push(route),
    )
    await page.route('**/api/**', () => {})
    await page.goto(path, { waitUntil: 'commit' })
    await expect.poll(() => waiting.length).toBeGreaterThan(0)
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
    for (const route of waiting.splice(0)) await route.continue()
    await expect
      .poll(() => page.evaluate(() => performance.getEntriesByName('first-contentful-paint').length))
      .toBe(1)
  })
}
