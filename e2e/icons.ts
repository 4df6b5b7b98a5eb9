import { readFile } from 'node:fs/promises'
import { chromium } from '@playwright/test'
import { findChromium } from '../scripts/find-chromium.mjs'

/*
 * Draws the icons of the installed page from web/public/favicon.svg: `npm run icons`, after a change of the drawing. They
 * are committed, as a build must not need a browser.
 */

const FOLDER = new URL('../web/public/', import.meta.url)

/** Pixels, and whether the colour reaches the edges: systems cut such an icon into their own shape. */
const ICONS = [
  { file: 'icons/icon-192.png', size: 192, full: false },
  { file: 'icons/icon-512.png', size: 512, full: false },
  { file: 'icons/maskable-512.png', size: 512, full: true },
  { file: 'icons/apple-touch-180.png', size: 180, full: true },
] as const

const drawing = await readFile(new URL('favicon.svg', FOLDER), 'utf8')
const browser = await chromium.launch(findChromium())
for (const { file, size, full } of ICONS) {
  const page = await browser.newPage({ viewport: { width: size, height: size } })
  const shape = full ? drawing.replace(' rx="8"', '') : drawing
  await page.setContent(`<style>body { margin: 0 } svg { display: block; width: 100vw }</style>${shape}`)
  await page.screenshot({ path: new URL(file, FOLDER).pathname, omitBackground: true })
  await page.close()
}
await browser.close()
