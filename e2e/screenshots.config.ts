import { defineConfig } from '@playwright/test'
import journeys from './playwright.config.ts'

/** `npm run screenshots`: every screen in three forms, into the folder screenshots/. */
export default defineConfig(journeys, {
  testMatch: '*.screenshots.ts',
  outputDir: '../.cache/screenshots',
  timeout: 300_000,
  use: { trace: 'off' },
})
