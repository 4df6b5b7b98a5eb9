import { defineConfig } from '@playwright/test'
import { findChromium } from '../scripts/find-chromium.mjs'

const chromium = findChromium()

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../.cache/e2e',
  fullyParallel: true,
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  // A machine with two cores runs the server, two browsers and perhaps more beside them.
  timeout: 40_000,
  expect: { timeout: 10_000 },
  use: {
    locale: 'ru-RU',
    timezoneId: 'Europe/Moscow',
    viewport: { width: 1280, height: 800 },
    actionTimeout: 10_000,
    trace: 'retain-on-failure',
    launchOptions: {
      ...(chromium?.executablePath !== undefined && { executablePath: chromium.executablePath }),
      args: [
        ...(chromium?.args ?? []),
        '--disable-quic',
        '--disable-background-networking',
        '--disable-component-update',
      ],
    },
  },
})
