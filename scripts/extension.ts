// `npm run extension`: builds the browser extension into extension/dist, a folder and a zip each for Chromium and Firefox.
import { buildExtensions } from './build-extension.ts'

for (const zip of await buildExtensions()) console.log(zip)
