import { isDeepStrictEqual } from 'node:util'
import { bulk } from '@kopilka/contract/bulk.ts'
import type { Endpoint } from '@kopilka/contract/endpoint.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { operations } from '@kopilka/contract/operations.ts'
import { search } from '@kopilka/contract/search.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { trash } from '@kopilka/contract/trash.ts'
import type { Client, Reply } from '../client.ts'
import { type Account, newAccount } from '../new-account.ts'
import { createRandom } from '../random.ts'
import { send, type Writing } from './requests.ts'

/** Each change takes several steps. */
const ITEMS = 150
const AT_ONCE = 10

/** How many notes are listed, deleted and found, and how many the two tags have. */
interface State {
  listed: number
  trashed: number
  found: number
  лес: number
  дом: number
}

const AT_FIRST: State = { listed: ITEMS + 1, trashed: 0, found: ITEMS, лес: ITEMS, дом: 1 }
const DELETED: State = { listed: 1, trashed: ITEMS, found: 0, лес: 0, дом: 1 }
const WITHOUT_TAG: State = { ...AT_FIRST, лес: 0 }
const WITH_OTHER_TAG: State = { ...WITHOUT_TAG, дом: ITEMS + 1 }

/** Changes of many items, each undone before the next, that an incident interrupts. */
export interface ManyChanges {
  /** Begins nothing more; resolves once nothing is under way. */
  stop(): Promise<void>
  /** Undoes what is not undone yet, and resolves to what was done or undone in part. */
  faults(client: Client): Promise<string[]>
}

/** Creates notes, and changes all of them again and again. */
export async function beginManyChanges(
  { client, writeLog }: { client: Client; writeLog: Writing['writeLog'] },
  seed: number,
): Promise<ManyChanges> {
  const account = await newAccount(client)
  const { auth } = account
  for (let at = 0; at < ITEMS; at += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, more) => create(client, account, at + more)))
  const last = { title: 'Ещё', content: 'x', tags: ['дом'] }
  await client.call(notes.create, { body: last }, auth)
  const named = await client.call(tags.list, { query: {} }, auth)
  const idOf = (name: string) => named.find((tag) => tag.name === name)?.id ?? ''
  const [id, into] = [idOf('лес'), idOf('дом')]

  const choices: readonly (readonly [Endpoint, object, State])[] = [
    [bulk.change, { body: { filter: { search: 'поле' }, delete: true } }, DELETED],
    [bulk.change, { body: { filter: { tag: id }, add_tags: ['дом'], remove_tags: ['лес'] } }, WITH_OTHER_TAG],
    [tags.merge, { params: { id }, body: { into } }, WITH_OTHER_TAG],
    [tags.remove, { params: { id } }, WITHOUT_TAG],
  ]
  const random = createRandom(seed)
  let isWorking = true
  let possible: readonly State[] = [AT_FIRST]

  /** The response of a success; undefined where the outcome is unknown. */
  async function attempt(call: Endpoint, input: object, after: State): Promise<Reply | undefined> {
    possible = [...possible, after]
    const reply = await send({ client, token: auth.token, writeLog }, call, input)
    if (reply) possible = [after]
    return reply
  }

  async function work(): Promise<void> {
    while (isWorking) {
      const [call, input, after] = random.pick(choices)
      const reply = await attempt(call, input, after)
      const operation = reply?.headers.get('operation')
      if (!operation || !(await attempt(operations.undo, { params: { id: operation } }, AT_FIRST))) return
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
      const look = async (wanted: readonly State[]) => {
        const state = await stateOf(server, account)
        if (!wanted.some((one) => isDeepStrictEqual(state, one)))
          found.push(`записей и категорий ${JSON.stringify(state)}, а должно быть ${JSON.stringify(wanted)}`)
      }
      const { results } = await server.call(operations.list, { query: {} }, auth)
      // A server that survived has yet to finish what it could not.
      if (!results.some(({ progress }) => progress)) await look(possible)
      for (const { id } of results.filter(({ undone_at }) => undone_at === null)) {
        const { status } = await server.request(operations.undo, { params: { id } }, auth)
        // What was being undone is by now.
        if (status !== operations.undo.status && status !== 409) found.push(`отмена: ${status}`)
      }
      await look([AT_FIRST])
      return found
    },
  }
}

const create = (client: Client, { auth }: Account, at: number) =>
  client.call(
    notes.create,
    { body: { title: `Заметка ${at}`, content: '<p>Текст о поле</p>', tags: ['лес'] } },
    auth,
  )

async function stateOf(client: Client, { auth }: Account): Promise<State> {
  const query = { search: 'поле', exact: '1', view: 'summary' } as const
  const named = await client.call(tags.list, { query: {} }, auth)
  const countOf = (name: string) => named.find((tag) => tag.name === name)?.notes_count ?? 0
  return {
    listed: (await client.call(notes.list, { query: {} }, auth)).count,
    trashed: (await client.call(trash.list, { query: {} }, auth)).count,
    found: (await client.call(search, { query }, auth)).notes_count,
    лес: countOf('лес'),
    дом: countOf('дом'),
  }
}
