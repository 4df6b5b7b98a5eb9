import { randomInt } from 'node:crypto'
import { API_PREFIX } from '@kopilka/contract/endpoint.ts'
import type { Page } from '@playwright/test'
import { type Account, expect } from './fixtures.ts'

/* A page that works without its server. */

/** Below the ports that systems give out by themselves: nobody else takes it while the server is away. */
export const ownPort = () => ({ PORT: String(randomInt(20_000, 30_000)) })

export const DATABASE = 'kopilka-offline'

/** All that the database of the copy holds, by store; undefined where there is none. */
export const stored = (page: Page): Promise<Record<string, unknown[]> | undefined> =>
  page.evaluate(async (name) => {
    if (!(await indexedDB.databases()).some((one) => one.name === name)) return undefined
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open(name)
      opening.onsuccess = () => resolve(opening.result)
      opening.onerror = () => reject(opening.error)
    })
    const contents: Record<string, unknown[]> = {}
    for (const store of database.objectStoreNames) {
      const reading = database.transaction(store).objectStore(store).getAll()
      await new Promise((resolve) => {
        reading.onsuccess = resolve
      })
      contents[store] = reading.result
    }
    database.close()
    return contents
  }, DATABASE)

/** What the database says after a sign-out: nothing of the user, but that this sign-in was ended. */
export const SIGNED_OUT = {
  ...{ format: 1, user: '', signIn: 'ended', isWhole: false },
  ...{ revision: expect.any(Number), signedOut: [expect.any(String)] },
}

/** All that the database holds. */
export const contents = async (page: Page): Promise<unknown[]> =>
  Object.values((await stored(page)) ?? {}).flat()

/** Resolves once this browser has so many items of the account, and the page would open without a server. */
export const copied = async (page: Page, items: number): Promise<void> => {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
    if (navigator.serviceWorker.controller) return
    await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve))
  })
  await expect
    .poll(
      async () => {
        const { owner, items } = (await stored(page)) ?? {}
        const [state] = (owner ?? []) as { isWhole: boolean }[]
        return state?.isWhole ? items?.length : undefined
      },
      { timeout: 40_000 },
    )
    .toBe(items)
}

/** What the top bar says of the network and of changes. */
export const bar = (page: Page) => page.getByRole('banner').getByRole('status').first()

/** A list as the server has it. */
export const serverItems = async (address: string, { session }: Account, path: string) => {
  const response = await fetch(`${address}${API_PREFIX}${path}`, {
    headers: { authorization: `Bearer ${session.access_token}` },
  })
  return (await response.json()) as {
    results: { id: string; title: string; pinned: boolean; tags: { name: string }[] }[]
  }
}

/** Changes the title of a note in its form. */
export const retitle = async (page: Page, address: string, id: string, title: string) => {
  await page.goto(`${address}/notes/${id}/edit`)
  await page.getByLabel('Название').fill(title)
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(page.getByRole('heading', { name: title })).toBeVisible()
}

/** Adds a note in its form. */
export const addNote = async (page: Page, address: string, title: string, text = 'Текст') => {
  await page.goto(`${address}/notes/add`)
  await page.getByLabel('Название').fill(title)
  await page.getByRole('textbox', { name: 'Содержание' }).click()
  await page.keyboard.type(text)
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(page).toHaveURL(`${address}/notes`)
}

/** What the caches hold: the paths by the version of the build. */
export const cached = (page: Page): Promise<Record<string, string[]>> =>
  page.evaluate(async () => {
    const contents = (await caches.keys()).map(async (name) => {
      const requests = await (await caches.open(name)).keys()
      return [name.replace('kopilka-build-', ''), requests.map(({ url }) => new URL(url).pathname)]
    })
    return Object.fromEntries(await Promise.all(contents))
  })

/** The version of the build that a page is of. */
export const versionOf = async (page: Page): Promise<string> =>
  (await page.locator('meta[name=version]').getAttribute('content')) ?? ''
