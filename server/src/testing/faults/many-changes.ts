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
import { createNotes, send, type Writing } from './requests.ts'

/** Each change of all of them takes several steps. */
const ITEMS = 150
/** How many of them are merged into the one beside them. */
const MERGED = 10

/** How many notes are listed, deleted and found, the title of the one beside the others, and how many notes each tag has. */
interface State {
  listed: number
  trashed: number
  found: number
  title: string
  tags: Readonly<Record<string, number>>
}

const AT_FIRST: State = {
  ...{ listed: ITEMS + 1, trashed: 0, found: ITEMS, title: 'Ещё' },
  tags: { лес: ITEMS, дом: 1 },
}
const DELETED: State = { ...AT_FIRST, listed: 1, trashed: ITEMS, found: 0, tags: { лес: 0, дом: 1 } }
const WITH_OTHER_TAG: State = { ...AT_FIRST, tags: { лес: 0, дом: ITEMS + 1 } }
const TAGS_MERGED: State = { ...AT_FIRST, tags: { дом: ITEMS + 1 } }
const WITHOUT_TAG: State = { ...AT_FIRST, tags: { дом: 1 } }
const TAG_RENAMED: State = { ...AT_FIRST, tags: { роща: ITEMS, дом: 1 } }
const ITEMS_MERGED: State = {
  ...{ listed: ITEMS + 1 - MERGED, trashed: MERGED, found: ITEMS + 1 - MERGED, title: 'Ещё' },
  tags: { лес: ITEMS + 1 - MERGED, дом: 1 },
}
const VERSION_RESTORED: State = { ...AT_FIRST, title: 'Раньше' }

/** A call, what it is sent, and the state that it leads to. */
type Change = readonly [Endpoint, object, State]

/** Changes of many items, each undone before the next, that an incident interrupts. */
export interface ManyChanges {
  /** Begins nothing more; resolves once nothing is under way. */
  stop(): Promise<void>
  /**
   * Undoes what is not undone yet, and resolves to what was done or undone in part. `isRestarted`: the server has finished by now
   * what the killed one had begun.
   */
  faults(client: Client, isRestarted: boolean): Promise<string[]>
}

/** Creates notes, and changes all of them again and again. */
export async function beginManyChanges(
  { client, writeLog }: { client: Client; writeLog: Writing['writeLog'] },
  seed: number,
): Promise<ManyChanges> {
  const account = await newAccount(client)
  const { auth } = account
  const text = { content: '<p>Текст о поле</p>', tags: ['лес'] }
  const many = await createNotes(
    client,
    account,
    Array.from({ length: ITEMS }, (_, at) => ({ ...text, title: `Заметка ${at}` })),
  )
  const beside = { title: 'Раньше', content: 'x', tags: ['дом'] }
  const { id: keep } = await client.call(notes.create, { body: beside }, auth)
  await client.call(notes.update, { params: { id: keep }, body: { ...beside, title: 'Ещё' } }, auth)
  const named = await client.call(tags.list, { query: {} }, auth)
  const idOf = (name: string) => named.find((tag) => tag.name === name)?.id ?? ''
  const [id, into] = [idOf('лес'), idOf('дом')]

  const filter = { search: 'поле' }
  const deletion: Change = [bulk.change, { body: { filter, delete: true } }, DELETED]
  const merge = many.slice(0, MERGED)
  /** Each begins at first, and is undone from its end. */
  const choices: readonly (readonly Change[])[] = [
    [deletion],
    [deletion, [trash.restore, { body: { filter } }, AT_FIRST]],
    [
      [
        bulk.change,
        { body: { filter: { tag: id }, add_tags: ['дом'], remove_tags: ['лес'] } },
        WITH_OTHER_TAG,
      ],
    ],
    [[bulk.merge, { body: { keep, merge } }, ITEMS_MERGED]],
    [[notes.restoreVersion, { params: { id: keep, revision: '1' } }, VERSION_RESTORED]],
    [[tags.merge, { params: { id }, body: { into } }, TAGS_MERGED]],
    [[tags.remove, { params: { id } }, WITHOUT_TAG]],
    [[tags.update, { params: { id }, body: { name: 'роща' } }, TAG_RENAMED]],
  ]
  const random = createRandom(seed)
  let isWorking = true
  let possible: readonly [State, ...State[]] = [AT_FIRST]

  /** The response of a success; undefined where the outcome is unknown. */
  async function attempt([call, input, after]: Change): Promise<Reply | undefined> {
    possible = [...possible, after]
    const reply = await send({ client, token: auth.token, writeLog }, call, input)
    if (reply) possible = [after]
    return reply
  }

  async function work(): Promise<void> {
    while (isWorking) {
      const undos: Change[] = []
      for (const change of random.pick(choices)) {
        const [before] = possible
        const operation = (await attempt(change))?.headers.get('operation')
        if (!operation) return
        undos.unshift([operations.undo, { params: { id: operation } }, before])
      }
      for (const undo of undos) if (!(await attempt(undo))) return
    }
  }

  const working = work()
  return {
    async stop() {
      isWorking = false
      await working
    },

    async faults(server, isRestarted) {
      const found: string[] = []
      const look = async (wanted: readonly State[]) => {
        const state = await stateOf(server, account, keep)
        if (!wanted.some((one) => isDeepStrictEqual(state, one)))
          found.push(`записей и категорий ${JSON.stringify(state)}, а должно быть ${JSON.stringify(wanted)}`)
      }
      const { results } = await server.call(operations.list, { query: {} }, auth)
      const unfinished = results.flatMap(({ action, progress }) => (progress ? action : []))
      if (unfinished.length === 0) await look(possible)
      // A server that survived has yet to finish what it could not.
      else if (isRestarted) found.push(`начато и не закончено: ${unfinished}`)
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

async function stateOf(client: Client, { auth }: Account, beside: string): Promise<State> {
  const query = { search: 'поле', exact: '1', view: 'summary' } as const
  const named = await client.call(tags.list, { query: {} }, auth)
  return {
    listed: (await client.call(notes.list, { query: {} }, auth)).count,
    trashed: (await client.call(trash.list, { query: {} }, auth)).count,
    found: (await client.call(search, { query }, auth)).notes_count,
    title: String((await client.request(notes.read, { params: { id: beside } }, auth)).body.title),
    tags: Object.fromEntries(named.map(({ name, notes_count }) => [name, notes_count])),
  }
}
