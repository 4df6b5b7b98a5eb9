import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { glob, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, expect, type Page } from '@playwright/test'
import { findChromium } from '../scripts/find-chromium.mjs'

/** A browser with a profile on the disk, whose process a test can kill. */
export interface OwnBrowser {
  /** Starts it with what its profile holds; resolves to a new page. */
  start(): Promise<Page>
  /** Ends it as a person does: what it has in memory goes to the disk. */
  close(): Promise<void>
  /** Ends it at once, as a crash or a flat battery does. */
  kill(): Promise<void>
  /** Deletes the files in which its databases keep long values, as a disk that fails does; it must not run. */
  loseFiles(): Promise<void>
  /** Kills it if it runs, and deletes the profile. */
  remove(): Promise<void>
}

/** Playwright itself neither tells the process of a browser with a profile nor kills it. */
export const ownBrowser = async (): Promise<OwnBrowser> => {
  const profile = await mkdtemp(join(tmpdir(), 'kopilka-profile-'))
  const found = findChromium({ fullBrowser: true })
  const port = join(profile, 'DevToolsActivePort')
  let child: ChildProcess | undefined
  let browser: Browser | undefined
  const ended = async (end: (child: ChildProcess) => unknown) => {
    if (!child) return
    const exit = once(child, 'exit')
    await end(child)
    await exit
    child = undefined
  }
  const kill = () => ended((child) => child.kill('SIGKILL'))
  return {
    async start() {
      await rm(port, { force: true })
      child = spawn(
        found?.executablePath ?? chromium.executablePath(),
        [
          ...(found?.args ?? []),
          '--headless',
          '--no-first-run',
          '--disable-background-networking',
          '--disable-component-update',
          '--remote-debugging-port=0',
          `--user-data-dir=${profile}`,
          'about:blank',
        ],
        { stdio: 'ignore' },
      )
      // The file comes before its lines do.
      await expect.poll(() => readFile(port, 'utf8').catch(() => '')).toMatch(/^\d+\n./)
      const [number] = (await readFile(port, 'utf8')).split('\n')
      browser = await chromium.connectOverCDP(`http://127.0.0.1:${number}`)
      const page = await browser.contexts()[0]?.newPage()
      if (!page) throw new Error('the browser has no profile')
      return page
    },
    close: () =>
      ended(async () => {
        const session = await browser?.newBrowserCDPSession()
        // The connection ends with the browser.
        await session?.send('Browser.close').catch(() => undefined)
      }),
    kill,
    async loseFiles() {
      for await (const folder of glob('**/IndexedDB/*.indexeddb.blob', { cwd: profile }))
        await rm(join(profile, folder), { recursive: true })
    },
    async remove() {
      await kill()
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
