import { defineConfig } from '@playwright/test'
import journeys from './playwright.config.ts'

/** `npm run lighthouse`: what Lighthouse thinks of the screens people see most. */
export default defineConfig(journeys, {
  testMatch: '*.lighthouse.ts',
  outputDir: '../.cache/lighthouse',
  timeout: 300_000,
  workers: 1,
  reporter: 'line',
})
