import { setTimeout as sleep } from 'node:timers/promises'
import { bulk } from '@kopilka/contract/bulk.ts'
import type { Endpoint } from '@kopilka/contract/endpoint.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { operations } from '@kopilka/contract/operations.ts'
import { search } from '@kopilka/contract/search.ts'
import { trash } from '@kopilka/contract/trash.ts'
import type { Client } from '../client.ts'
import { type Account, newAccount } from '../new-account.ts'
import { createRandom } from '../random.ts'
import { allPages } from './all-pages.ts'
import { createNotes, send, type Writing } from './requests.ts'

/** A word in the titles of each batch of notes, and how many a batch has: more than a step deletes for ever. */
const WORDS = ['река', 'гора', 'озеро', 'остров']
const BATCH = 60
/** Milliseconds before the next deletion, at most: the incident is to interrupt any of them. */
const MAX_PAUSE = 200

const TEXT = 'Текст о поле'
const BODY = `<p>${TEXT}</p>`

/** A call, what it is sent, and the titles of those that it deletes for ever. */
type Deletion = readonly [Endpoint, object, readonly string[]]

/** Deletions for ever that an incident interrupts. */
export interface DeletionsForEver {
  /** Begins nothing more; resolves once nothing is under way. */
  stop(): Promise<void>
  /**
   * Puts back what is still in the trash, then deletes it for ever. Resolves to what is gone or there against what was
   * acknowledged, or is there in part.
   */
  faults(client: Client): Promise<string[]>
}

/** Creates notes, deletes all of them, then deletes some for ever: one, those that a search finds, and the rest. */
export async function beginDeletionsForEver(
  { client, writeLog }: { client: Client; writeLog: Writing['writeLog'] },
  seed: number,
): Promise<DeletionsForEver> {
  const account = await newAccount(client)
  const { auth } = account
  const random = createRandom(seed)
  const titles = WORDS.flatMap((word) => Array.from({ length: BATCH }, (_, at) => `${word} ${at}`))
  const ids = await createNotes(
    client,
    account,
    titles.map((title) => ({ title, content: BODY })),
  )
  const removal = await client.request(bulk.change, { body: { filter: {}, delete: true } }, auth)
  const deletion = removal.headers.get('operation') ?? ''

  const [searched, other, ofOne] = random.sample(WORDS, 3)
  const withWord = (word = '') => titles.filter((title) => title.startsWith(word))
  const [one = ''] = withWord(ofOne)
  const foundBy = (word: string | undefined): Deletion => [
    trash.removeFound,
    { body: { filter: { search: word } } },
    withWord(word),
  ]
  const deletions: readonly Deletion[] = [
    ...random.sample<Deletion>(
      [
        [trash.remove, { params: { id: ids[titles.indexOf(one)] } }, [one]],
        foundBy(searched),
        foundBy(other),
      ],
      3,
    ),
    [trash.clear, { query: {} }, titles],
  ]
  let isWorking = true
  /** Titles in the trash, and of those that may be there or not. */
  const kept = new Set(titles)
  const doubtful = new Set<string>()

  async function work(): Promise<void> {
    for (const [call, input, gone] of deletions) {
      await sleep(random.between(0, MAX_PAUSE))
      if (!isWorking) return
      for (const title of gone) if (kept.delete(title)) doubtful.add(title)
      if (!(await send({ client, token: auth.token, writeLog }, call, input))) return
      doubtful.clear()
    }
  }

  const working = work()
  return {
    async stop() {
      isWorking = false
      await working
    },

    async faults(server) {
      const found: string[] = []
      const expectEqual = (what: string, is: unknown, wanted: unknown) => {
        if (is !== wanted) found.push(`${what}: ${is}, а должно быть ${wanted}`)
      }
      const trashed = await trashedTitles(server, account)
      const left = new Set(trashed)
      for (const title of kept) if (!left.has(title)) found.push(`«${title}» пропала из корзины`)
      for (const title of left)
        if (!kept.has(title) && !doubtful.has(title)) found.push(`«${title}» удалена навсегда, но есть`)
      const undone = await server.call(operations.undo, { params: { id: deletion } }, auth)
      expectEqual('возвращено из корзины', undone.restored, trashed.length)
      expectEqual('удалено навсегда', undone.skipped_count, titles.length - trashed.length)
      expectEqual('вернулись', (await listedTitles(server, account)).sort().join(), trashed.sort().join())
      const query = { search: TEXT, exact: '1', view: 'summary' } as const
      const { notes_count } = await server.call(search, { query }, auth)
      expectEqual('найдено', notes_count, trashed.length)
      await server.request(bulk.change, { body: { filter: {}, delete: true } }, auth)
      await server.call(trash.clear, { query: {} }, auth)
      expectEqual('осталось в корзине', (await trashedTitles(server, account)).join(), '')
      return found
    },
  }
}

async function trashedTitles(client: Client, { auth }: Account): Promise<string[]> {
  const all = await allPages((page) => client.call(trash.list, { query: { page } }, auth))
  return all.map(({ title }) => title)
}

/** Of those whose text is whole. */
async function listedTitles(client: Client, { auth }: Account): Promise<string[]> {
  const all = await allPages((page) => client.call(notes.list, { query: { page } }, auth))
  return all.flatMap(({ title, content }) => (content === BODY ? title : []))
}
