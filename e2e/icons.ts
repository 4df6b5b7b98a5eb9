import { readFile } from 'node:fs/promises'
import { chromium } from '@playwright/test'
import { findChromium } from '../scripts/find-chromium.mjs'

/*
 * Draws the icons of the installed page and of the extension from web/public/favicon.svg: `npm run icons`, after a change
 * of the drawing. They are committed, as a build must not need a browser.
 */

const ROOT = new URL('../', import.meta.url)

/** Pixels, and whether the colour reaches the edges: systems cut such an icon into their own shape. */
const ICONS = [
  { file: 'web/public/icons/icon-192.png', size: 192, full: false },
  { file: 'web/public/icons/icon-512.png', size: 512, full: false },
  { file: 'web/public/icons/maskable-512.png', size: 512, full: true },
  { file: 'web/public/icons/apple-touch-180.png', size: 180, full: true },
  ...[16, 32, 48, 128].map((size) => ({ file: `extension/icons/icon-${size}.png`, size, full: false })),
]

const drawing = await readFile(new URL('web/public/favicon.svg', ROOT), 'utf8')
const browser = await chromium.launch(findChromium())
for (const { file, size, full } of ICONS) {
  const page = await browser.newPage({ viewport: { width: size, height: size } })
  const shape = full ? drawing.replace(' rx="8"', '') : drawing
  await page.setContent(`<style>body { margin: 0 } svg { display: block; width: 100vw }</style>${shape}`)
  await page.screenshot({ path: new URL(file, ROOT).pathname, omitBackground: true })
  await page.close()
}
await browser.close()
