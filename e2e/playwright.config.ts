import { defineConfig } from '@playwright/test'
import { findChromium } from '../scripts/find-chromium.mjs'

const chromium = findChromium()

/**
 * Features of Chromium that journeys go without. The last `--disable-features` is the one that counts, so that Playwright's own stand
 * here as well (`chromiumSwitches.ts`). The others draw the suggestions of the address bar in two pages of their own for each new
 * window, also in a headless one: half of the processor time of opening it.
 */
const WITHOUT = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
]

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../.cache/e2e',
  fullyParallel: true,
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  // A machine with two cores runs the server, two browsers and perhaps more beside them.
  timeout: 60_000,
  expect: { timeout: 20_000 },
  use: {
    locale: 'ru-RU',
    timezoneId: 'Europe/Moscow',
    viewport: { width: 1280, height: 800 },
    actionTimeout: 10_000,
    // Once a worker has taken a page over, Playwright no longer routes all of its requests (a PUT went past `page.route`), and
    // files that a journey lets fail come from the cache. Journeys about the worker allow it.
    serviceWorkers: 'block',
    // Recording costs a tenth of the time, and what a CI run prints is all that is left of it.
    trace: process.env.CI ? 'off' : 'retain-on-failure',
    launchOptions: {
      // In the C locale Chromium gives a file no name that has Russian letters.
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
      ...(chromium?.executablePath !== undefined && { executablePath: chromium.executablePath }),
      args: [
        ...(chromium?.args ?? []),
        '--disable-quic',
        '--disable-background-networking',
        '--disable-component-update',
        `--disable-features=${WITHOUT.join(',')}`,
      ],
    },
  },
})
