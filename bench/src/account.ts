import { accounts, session, user } from '@kopilka/contract/accounts.ts'
import { API_PREFIX } from '@kopilka/contract/endpoint.ts'
import { PAGE_SIZE } from '@kopilka/contract/limits.ts'
import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { sampleItems } from '../../scripts/samples/sample-items.ts'
import type { Account } from './databases.ts'
import { sendOnce } from './load.ts'
import type { AccountData } from './scenarios.ts'

/** An account that somebody has signed in to. */
export interface SignedIn {
  /** Sent with every request: the token that the product needs, the owner that the baseline needs. */
  readonly headers: Readonly<Record<string, string>>
  readonly data: AccountData
}

type Send = (method: string, path: string, body?: unknown) => Promise<unknown>

/** How many different notes are read, the sampling step where fewer are, and how many are saved. */
const [NOTES, ONE_IN] = [1_000, 5]
const SAVES = 100

/** In 1 of 100 items of the samples, in most of them, and two of which each is in many. */
const WORDS = { middling: 'idea', common: 'в', two: 'что записа' } as const

/** The addresses of the samples hold numbers, most of them once. */
const numberIn = (url = ''): string => /\/(\d+)\//.exec(url)?.[1] ?? ''

/** Signs in and returns the headers of the account. An access token lives for a quarter of an hour. */
export async function signIn(port: number, { email, password }: Account): Promise<Record<string, string>> {
  const { access_token } = session.parse(
    await sending(port)('POST', accounts.login.path, { email, password }),
  )
  const authorization = `Bearer ${access_token}`
  const { id } = user.parse(await sending(port, { authorization })('GET', accounts.me.path))
  return { authorization, owner: id }
}

/** Reads what the requests of an account are made from. */
export async function readAccount(port: number, headers: Record<string, string>): Promise<AccountData> {
  const send = sending(port, headers)
  const page = async (number: number) =>
    notes.list.response.parse(await send('GET', `${notes.list.path}?page=${number}`))
  const pages = Math.ceil((await page(1)).count / PAGE_SIZE)
  const manyIds: string[] = []
  for (let number = 1; manyIds.length < NOTES; number += Math.ceil(pages / (NOTES / PAGE_SIZE + 1))) {
    const { results } = await page(number)
    if (results.length === 0) break
    manyIds.push(...results.map(({ id }) => id))
  }
  const samples = [...sampleItems({ count: SAVES * 3, seed: 7, until: Date.now() })]
  const saves = samples.flatMap((item) => (item.kind === 'note' ? [item.save] : [])).slice(0, SAVES)
  const { results: newest } = links.list.response.parse(await send('GET', links.list.path))
  const ids = manyIds.filter((_, at) => at % ONE_IN === 0)
  return { pages, ids, manyIds, saves, words: { ...WORDS, rare: numberIn(newest[0]?.url) } }
}

/** Deletes the notes created after `before` (ms), so that the next scenario finds the account as large as this one did. */
export async function deleteNewNotes(
  port: number,
  headers: Record<string, string>,
  before: number,
): Promise<void> {
  const send = sending(port, headers)
  for (;;) {
    const { results } = notes.list.response.parse(await send('GET', notes.list.path))
    const made = results.filter(({ created_at }) => Date.parse(created_at) > before)
    if (made.length === 0) return
    await Promise.all(made.map(({ id }) => send('DELETE', notes.remove.path.replace(':id', id))))
  }
}

const sending =
  (port: number, headers: Readonly<Record<string, string>> = {}): Send =>
  async (method, path, body) => {
    const response = await sendOnce(port, { method, path: `${API_PREFIX}${path}`, headers, body })
    if (response.status >= 400) throw new Error(`${method} ${path}: ${response.status} ${response.body}`)
    return response.body === '' ? undefined : JSON.parse(response.body)
  }
