import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { bulk } from '@kopilka/contract/bulk.ts'
import { API_PREFIX, type Endpoint } from '@kopilka/contract/endpoint.ts'
import { operations } from '@kopilka/contract/operations.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { trash } from '@kopilka/contract/trash.ts'
import { ROOT } from '../../scripts/prepare.mjs'
import { signIn } from './account.ts'
import { copyOf, databaseWith } from './databases.ts'
import { type RunningServer, startProduct } from './servers.ts'
import { table } from './table.ts'
import { type Headers, watch } from './transfers.ts'
import { memory } from './usage.ts'

/** Items of the account that changes its notes (six in ten), and of the one that reads. */
const [ITEMS, OTHER_ITEMS] = [10_000, 1_000]
/** Milliseconds in which the reader's times without an operation are measured. */
const IDLE = 5_000

/** Tags that all notes and all links get. */
const [OF_NOTES, OF_LINKS] = ['шесть тысяч', 'четыре тысячи']

interface Change {
  readonly call: Endpoint
  /** In its path. */
  readonly id?: string
  readonly body?: object
}

const changeOf = (kind: 'note' | 'urllink', change: object): Change => ({
  call: bulk.change,
  body: { filter: { kind }, ...change },
})
const undo = (operation: string): Change => ({ call: operations.undo, id: operation })

interface Sent {
  /** How many items it changed; absent where the response does not say. */
  readonly changed: number | undefined
  readonly operation: string
  readonly text: string
}

async function send(
  { port }: RunningServer,
  headers: Headers,
  { call, id = '', body }: Change,
): Promise<Sent> {
  const path = call.path.replace(':id', id)
  const response = await fetch(`http://127.0.0.1:${port}${API_PREFIX}${path}`, {
    method: call.method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  const { changed, restored }: { changed?: number; restored?: number } = text === '' ? {} : JSON.parse(text)
  return { changed: changed ?? restored, operation: response.headers.get('operation') ?? '', text }
}

/**
 * `npm run bench -- bulk`: changes of all notes of an account at once, most of them undone, and what another user notices.
 * `server`: as of `databaseWith`.
 */
export async function measureBulk([server = 'sqlite']: readonly string[]): Promise<void> {
  const sizes = [ITEMS, OTHER_ITEMS]
  const database = await databaseWith({ server, sizes, items: ITEMS + OTHER_ITEMS })
  const [account, reader] = database.accounts
  if (!account || !reader) throw new RangeError('The database lacks an account.')
  const folder = mkdtempSync(join(tmpdir(), 'kopilka-bulk-'))
  const { settings, remove } = await copyOf(database, 'bulk', folder)
  const product = await startProduct(ROOT, settings)
  try {
    const headers: Headers = { authorization: (await signIn(product.port, account)).authorization ?? '' }
    const watching = watch(product, {
      authorization: (await signIn(product.port, reader)).authorization ?? '',
    })
    const rows = [['', 'items', 's', '+ memory MB', 'latest, slowest ms', 'latest, slowest 1 % ms']]
    await sleep(IDLE)
    const idle = memory(product.pid)
    const add = (name: string, changed: number | undefined, begun: number) => {
      const { slow, slowest, highest } = watching.figures()
      rows.push([
        ...[name, String(changed ?? ''), ((performance.now() - begun) / 1000).toFixed(2)],
        ...[(highest - idle).toFixed(0), slowest.toFixed(0), slow.toFixed(0)],
      ])
    }
    /** Does what is not measured. */
    const prepare = async (change: Change): Promise<Sent> => {
      const sent = await send(product, headers, change)
      watching.figures()
      return sent
    }
    const measure = async (name: string, change: Change): Promise<Sent> => {
      const begun = performance.now()
      const sent = await send(product, headers, change)
      add(name, sent.changed, begun)
      return sent
    }
    const measureBoth = async (name: string, change: Change): Promise<void> => {
      const { operation } = await measure(name, change)
      await measure(`${name}, undone`, undo(operation))
    }
    add('nothing', 0, performance.now() - IDLE)
    await measureBoth('tag', changeOf('note', { add_tags: [OF_NOTES] }))
    await measureBoth('pin', changeOf('note', { pinned: true }))
    const deletion = changeOf('note', { delete: true })
    await measureBoth('delete', deletion)
    await prepare(changeOf('note', { add_tags: [OF_NOTES] }))
    await prepare(changeOf('urllink', { add_tags: [OF_LINKS] }))
    const named = tags.list.response.parse(JSON.parse((await prepare({ call: tags.list })).text))
    const idOf = (name: string) => named.find((tag) => tag.name === name)?.id ?? ''
    const id = idOf(OF_NOTES)
    await measureBoth('merge tags', { call: tags.merge, id, body: { into: idOf(OF_LINKS) } })
    await measureBoth('delete tag', { call: tags.remove, id })
    await prepare(deletion)
    await measureBoth('restore', { call: trash.restore, body: { filter: {} } })
    await measure('delete for ever', { call: trash.clear })
    await watching.stop()
    console.log(table(rows))
  } finally {
    await product.stop()
    await remove()
    rmSync(folder, { recursive: true })
  }
}
