import { defineConfig } from '@playwright/test'
import journeys from './playwright.config.ts'

/** `npm run typing`: how long a key takes to be painted in notes of several shapes. */
export default defineConfig(journeys, {
  testMatch: '*.typing.ts',
  outputDir: '../.cache/typing',
  timeout: 900_000,
  workers: 1,
  reporter: 'line',
  use: { trace: 'off' },
})
