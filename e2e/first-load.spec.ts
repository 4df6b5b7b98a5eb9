import type { Page } from '@playwright/test'
import { expect, signIn, test } from './fixtures.ts'
import { addressOf, PROTECTED_SCREENS, PUBLIC, type Screen } from './screens.ts'

interface Budget {
  js: number
  css: number
  /** The document, its assets and calls. */
  requests: number
}

/**
 * What each screen may load before anyone touches it, in kilobytes as sent (brotli) and in requests. Whoever needs more
 * looks first whether it could come later, then raises it here, to half a kilobyte above what was measured: names of
 * chunks alone move the sum by a tenth.
 */
const BUDGETS: Record<string, Budget> = {
  '/auth/login': { js: 140.5, css: 11, requests: 10 },
  '/auth/registration': { js: 143, css: 11, requests: 12 },
  '/auth/password-reset': { js: 143, css: 11, requests: 10 },
  '/auth/password-confirm': { js: 143, css: 11, requests: 10 },
  '/privacy': { js: 147.4, css: 9, requests: 10 },
  '/home': { js: 151.4, css: 12, requests: 12 },
  '/profile': { js: 175.9, css: 16.5, requests: 18 },
  '/profile/history': { js: 181.5, css: 17, requests: 24 },
  '/profile/data': { js: 188.8, css: 17, requests: 21 },
  '/profile/duplicates': { js: 185.9, css: 17, requests: 24 },
  '/profile/programs': { js: 178.1, css: 17, requests: 24 },
  '/trash': { js: 185.5, css: 17, requests: 24 },
  '/notes': { js: 156.4, css: 12, requests: 14 },
  '/notes/add': { js: 331.6, css: 21, requests: 26 },
  '/add?title=Idea&text=Text': { js: 331.6, css: 21, requests: 26 },
  '/notes/:note': { js: 180.2, css: 16, requests: 17 },
  '/notes/:note/versions': { js: 193, css: 17, requests: 24 },
  '/notes/:note/edit': { js: 331.6, css: 21, requests: 26 },
  '/notes?sort=title&tag=:tag&page=1': { js: 156.4, css: 12, requests: 15 },
  '/url-links': { js: 156.4, css: 12, requests: 14 },
  '/urllinks/add': { js: 331.6, css: 21, requests: 26 },
  '/urllinks/:link': { js: 180.2, css: 16, requests: 17 },
  '/urllinks/:link/versions': { js: 193, css: 17, requests: 24 },
  '/urllinks/:link/edit': { js: 331.6, css: 21, requests: 26 },
  '/tags': { js: 150, css: 15, requests: 16 },
  '/tags/:tag': { js: 173.1, css: 15, requests: 18 },
  '/tags/:tag/edit/': { js: 173.1, css: 15, requests: 18 },
}

/** Of a screen's calls those that it can make before the application runs. */
const EARLY_CALLS: Record<string, RegExp[]> = {
  '/home': [/users\/me/, /latest/],
  '/notes': [/users\/me/, /\/notes\/\?/],
  '/url-links': [/users\/me/, /\/urllinks\/\?/],
  '/notes?sort=title&tag=:tag&page=1': [/users\/me/, /\/notes\/\?page=1&tag=[\w-]+&sort=title&/],
  '/notes/:note': [/users\/me/, /\/notes\/[\w-]+\/$/],
  '/urllinks/:link/edit': [/users\/me/, /\/urllinks\/[\w-]+\/$/],
  '/tags': [/users\/me/, /\/tags\/\?/],
  '/tags/:tag': [/users\/me/, /\/tags\/[\w-]+\/$/, /\/tags\/[\w-]+\/items\//],
  '/notes/:note/versions': [/users\/me/, /\/notes\/[\w-]+\/$/, /\/notes\/[\w-]+\/versions\/$/],
  '/profile': [/users\/me/],
  '/profile/history': [/users\/me/, /\/operations\/\?/],
  '/profile/data': [/users\/me/, /\/imports\/$/],
  '/profile/duplicates': [/users\/me/, /\/urllinks\/duplicates\/\?page=1$/],
  '/profile/programs': [/users\/me/, /\/tokens\/$/],
  '/trash': [/users\/me/, /\/trash\/\?/],
}

/** A list as its filter, its order and its pages name it. */
const FILTERED: Screen = {
  path: '/notes?sort=title&tag=:tag&page=1',
  title: 'Заметки',
  loaded: (page) => page.getByRole('article').last(),
}
const SIGNED_IN: readonly Screen[] = [...PROTECTED_SCREENS, FILTERED]
const SCREENS: readonly Screen[] = [...PUBLIC, ...SIGNED_IN]

/** Keys and fingers of a selection, seconds after the screen or with the first input (web/src/selection/load-gestures.ts). */
const GESTURES = /\/assets\/gestures-[^/]+\.js$/

/**
 * With this chunk the copy of the account begins, seconds after the screen (web/src/app/app.tsx). Nothing of it is the screen's: it
 * arrives neither where the page asks for it nor where the service worker does, which then does not take the page over.
 */
const OFFLINE = /\/assets\/start-offline-[^/]+\.js$/

/** What the server has sent for the screen: its scripts and styles in kilobytes, and the number of requests in all. */
const sentTo = (page: Page) =>
  page.evaluate(() => {
    const entries = performance
      .getEntriesByType('resource')
      .filter((entry) => entry instanceof PerformanceResourceTiming)
    const names = entries.map(({ name }) => name)
    const kilobytes = (ending: string) =>
      entries
        .filter(({ name }) => new URL(name).pathname.endsWith(ending))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize / 1000, 0)
    // The document is one more.
    return {
      js: kilobytes('.js'),
      css: kilobytes('.css'),
      requests: entries.length + 1,
      twice: names.filter((name, at) => names.indexOf(name) !== at),
    }
  })

// What a browser loads in the background must not count here.
test.use({ serviceWorkers: 'allow' })

for (const screen of SCREENS) {
  const { path, loaded } = screen
  const budget = BUDGETS[path]
  test(`${path} loads no more than its budget`, async ({ page, context, crowded }) => {
    for (const later of [OFFLINE, GESTURES]) await context.route(later, () => {})
    if (SIGNED_IN.includes(screen)) await signIn(page, crowded.session)
    await page.goto(addressOf(screen, crowded))
    await expect(loaded(page)).toBeVisible()
    const sent = await sentTo(page)
    for (const what of ['js', 'css'] as const) {
      const most = budget?.[what] ?? 0
      expect(sent[what], what).toBeGreaterThan(most / 4)
      expect(sent[what], what).toBeLessThanOrEqual(most)
    }
    expect(sent.requests).toBeLessThanOrEqual(budget?.requests ?? 0)
    expect(path in EARLY_CALLS ? sent.twice : []).toEqual([])
  })
}

test('the copy of the account begins with the chunk that budgets leave out', async ({ page, crowded }) => {
  await signIn(page, crowded.session)
  const begins = page.waitForRequest(OFFLINE)
  await page.goto('/home')
  await begins
})

for (const screen of SCREENS.filter(({ path }) => path in EARLY_CALLS)) {
  test(`${screen.path} asks for what it needs before the application has come`, async ({ page, crowded }) => {
    await signIn(page, crowded.session)
    const [, early = ''] = /src="([^"]+)" data-chunks/.exec(await (await page.request.get('/')).text()) ?? []
    // Nothing else arrives.
    await page.route(/\/assets\//, (route) => {
      if (new URL(route.request().url()).pathname === early) return route.continue()
    })
    const requested = EARLY_CALLS[screen.path]?.map((call) => page.waitForRequest(call)) ?? []
    await page.goto(addressOf(screen, crowded), { waitUntil: 'commit' })
    const requests = await Promise.all(requested)
    const token = `Bearer ${crowded.session.access_token}`
    expect(requests.map((request) => request.headers().authorization)).toEqual(requests.map(() => token))
  })
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the document alone shows the frame, ${colorScheme}`, async ({ page, account }) => {
    await page.emulateMedia({ colorScheme })
    await signIn(page, account.session)
    // Neither a script nor a style sheet arrives.
    await page.route('**/assets/**', () => {})
    await page.goto('/home', { waitUntil: 'commit' })
    await expect(page.getByText('Копилка', { exact: true })).toBeVisible()
    await expect
      .poll(() => page.evaluate(() => performance.getEntriesByName('first-contentful-paint').length))
      .toBe(1)
    await page.unrouteAll()
    await page.reload()
    await expect(page.getByText('Пока ни одной заметки')).toBeVisible()
    await expect(page.locator('#frame')).toHaveCount(0)
  })
}
