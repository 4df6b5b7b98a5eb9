import {
  ALLOWED_ATTRIBUTES,
  ALLOWED_TAGS,
  ALLOWED_VALUES,
  IMAGE_ATTRIBUTES,
  IMAGE_SCHEMES,
  LINK_ATTRIBUTES,
  LINK_SCHEMES,
} from '@kopilka/contract/allowed-html.ts'
import { html } from '@kopilka/contract/fields.ts'
import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../server/src/testing/create-test-app.ts'
import { type Account, newAccount } from '../server/src/testing/new-account.ts'
import { bundleCleaner } from './bundle-cleaner.ts'
import { corpus } from './corpus.ts'
import { openWatchedPage, type Seen } from './watched-page.ts'

const payloads = [...corpus('xss')].flatMap(([file, text]) =>
  (JSON.parse(text) as { title: string; payload: string }[]).map(({ title, payload }, at) => ({
    name: `${file} ${at}: ${title}`,
    payload,
  })),
)

let app: TestApp
let account: Account
let page: Awaited<ReturnType<typeof openWatchedPage>>
beforeAll(async () => {
  app = await createTestApp()
  account = await newAccount(app)
  page = await openWatchedPage(await bundleCleaner('cleaner'))
})
afterAll(async () => {
  await page.close()
  await app.close()
})

/** HTML as saved by the server in a note. The text before it keeps the note from being empty after cleaning. */
async function cleanedByServer(content: string): Promise<string> {
  const { id } = await app.call(notes.create, { body: { title: 'x', content } }, account.auth)
  return (await app.call(notes.read, { params: { id } }, account.auth)).content
}

const inScript = (text: string): string => JSON.stringify(text).replaceAll('<', '\\u003c')

/** HTML as displayed by the interface: cleaned in the browser, its nodes inserted into the page. */
const showCleaned = (text: string): Promise<Seen> =>
  page.show(`<script>document.currentScript.replaceWith(cleaner.createCleaner()(${inScript(text)}))</script>`)

const attributesOf = new Map<string, readonly string[]>(Object.entries(ALLOWED_ATTRIBUTES))
const setByUs: Record<string, Record<string, string>> = { a: LINK_ATTRIBUTES, img: IMAGE_ATTRIBUTES }
const hasScheme = (address: string, schemes: readonly string[]) =>
  schemes.some((scheme) => address.startsWith(scheme === 'data' ? 'data:image/' : `${scheme}:`))

function isAllowed(element: string, attribute: string, value: string): boolean {
  const ours = setByUs[element]?.[attribute]
  if (ours !== undefined) return value === ours
  if (!attributesOf.get(element)?.includes(attribute)) return false
  if (ALLOWED_VALUES[attribute]?.test(value) === false) return false
  if (attribute === 'href') return hasScheme(value, LINK_SCHEMES)
  return attribute !== 'src' || hasScheme(value, IMAGE_SCHEMES)
}

/** Everything in a page that the allow-list does not hold, and everything that happened. */
const faultsOf = ({ happened, elements }: Seen): string[] => [
  ...happened,
  ...elements.flatMap(({ name, attributes }) => [
    ...(ALLOWED_TAGS.some((tag) => tag === name) ? [] : [`<${name}>`]),
    ...Object.entries(attributes)
      .filter(([attribute, value]) => !isAllowed(name, attribute, value))
      .map(([attribute, value]) => `<${name} ${attribute}="${value}">`),
  ]),
]

it.each([
  ['<img src=x onerror=alert(1)>', 'dialog: 1'],
  ['<svg onload=alert(2)>', 'dialog: 2'],
  ['<script>var ran = true</script>', 'global: ran'],
  ['<script>console.log("ran")</script>', 'console: ran'],
  ['<script>throw new Error("ran")</script>', 'error: ran'],
  ['<iframe srcdoc="<script>parent.alert(3)</script>"></iframe>', 'dialog: 3'],
  ['<iframe></iframe>', 'frame'],
  ['<link rel=stylesheet href=https://evil.example/x.css>', 'request: https://evil.example/x.css'],
  ['<a href="java&#9;script:alert(1)">x</a>', '<a href="javascript:alert(1)">'],
  ['<a href=/notes>x</a>', '<a href="/notes">'],
  ['<img src="data:text/html,x">', '<img src="data:text/html,x">'],
  ['<p onclick=alert(1)>x</p>', '<p onclick="alert(1)">'],
  ['<p id=x class=y style="color:red">x</p>', '<p style="color:red">'],
  ['<form></form>', '<form>'],
])('control: %s is noticed where nothing cleans it', async (text, fault) => {
  expect(faultsOf(await page.show(text))).toContain(fault)
})

it.each(payloads)('$name', async ({ payload }) => {
  const sent = `<p>Текст</p>${payload}`
  const stored = await cleanedByServer(sent)
  const { id } = await app.call(
    links.create,
    { body: { title: 'x', url: 'https://example.org/', description: sent } },
    account.auth,
  )
  expect((await app.call(links.read, { params: { id } }, account.auth)).description).toBe(stored)

  const fromServer = await page.show(stored)
  const fromBrowser = await showCleaned(sent)
  const fromBoth = await showCleaned(stored)
  for (const seen of [fromServer, fromBrowser, fromBoth]) expect(faultsOf(seen)).toEqual([])

  expect(await cleanedByServer(stored), 'server, then server').toBe(stored)
  expect(fromBoth.html, 'server, then browser').toBe(fromServer.html)
  expect((await showCleaned(fromBrowser.html)).html, 'browser, then browser').toBe(fromBrowser.html)
  const again = await page.show(await cleanedByServer(fromBrowser.html))
  // The server drops control characters before cleaning.
  expect(again.html, 'browser, then server').toBe(html.parse(fromBrowser.html))
})
