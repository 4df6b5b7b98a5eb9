import { chromium } from '@playwright/test'
import { findChromium } from '../scripts/find-chromium.mjs'

const ADDRESS = 'http://watched.example'

/** Effects of HTML in a page, and the resulting document. */
export interface Seen {
  /** Scripts that ran, and requests for anything but images. */
  happened: string[]
  /** The elements of the body with their attributes; addresses are resolved by the browser. */
  elements: { name: string; attributes: Record<string, string> }[]
  /** The body as serialised by the browser. */
  html: string
}

/** Runs in the page. */
function look() {
  const understood = (element: Element, { name, value }: Attr): string => {
    const address: unknown = name === 'href' || name === 'src' ? Reflect.get(element, name) : undefined
    return typeof address === 'string' && !address.startsWith(location.origin) ? address : value
  }
  return {
    globals: Object.getOwnPropertyNames(window),
    elements: Array.from(document.body?.querySelectorAll('*') ?? [], (element) => ({
      name: element.localName,
      attributes: Object.fromEntries(
        Array.from(element.attributes, (attribute) => [attribute.name, understood(element, attribute)]),
      ),
    })),
    html: document.body?.innerHTML.trim() ?? '',
  }
}

/**
 * A real Chromium without a content security policy that reports the effects of HTML: dialogs, messages, errors, globals,
 * other pages, frames, requests. `script` runs before the HTML is inserted.
 */
export async function openWatchedPage(script: string) {
  const browser = await chromium.launch(findChromium())
  const page = await browser.newPage({ bypassCSP: true })
  let happened: string[] = []

  page.on('dialog', async (dialog) => {
    happened.push(`dialog: ${dialog.message()}`)
    await dialog.dismiss()
  })
  // Failed requests are reported below.
  page.on('console', (message) => {
    if (!message.text().startsWith('Failed to load resource')) happened.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => happened.push(`error: ${error.message}`))
  page.on('popup', (popup) => happened.push(`page: ${popup.url()}`))
  page.on('frameattached', () => happened.push('frame'))
  await page.route('**/*', async (route) => {
    const request = route.request()
    if (request.url() === `${ADDRESS}/`) return route.fulfill({ contentType: 'text/html' })
    if (request.resourceType() !== 'image') happened.push(`request: ${request.url()}`)
    // Pictures fail, which is what handlers wait for.
    return route.abort()
  })

  await page.goto(ADDRESS)
  await page.addScriptTag({ content: script })
  let { globals: usual } = await page.evaluate(look)

  return {
    /** What HTML does as the body of a page. */
    async show(html: string): Promise<Seen> {
      happened = []
      await page.setContent(`<!doctype html><title>x</title><body>${html}`)
      const { globals, ...seen } = await page.evaluate(look)
      const set = globals.filter((name) => !usual.includes(name)).map((name) => `global: ${name}`)
      usual = globals
      return { happened: [...happened, ...set], ...seen }
    },
    close: () => browser.close(),
  }
}
