// `npm run settings`: writes docs/settings.md and .env.example from server/src/config.ts.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './prepare.mjs'
import { settingsPages } from './settings-pages.ts'

for (const [path, text] of Object.entries(settingsPages())) writeFileSync(join(ROOT, path), text)
