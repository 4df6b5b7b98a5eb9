import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { bulk } from '@kopilka/contract/bulk.ts'
import { API_PREFIX } from '@kopilka/contract/endpoint.ts'
import { operations } from '@kopilka/contract/operations.ts'
import { ROOT } from '../../scripts/prepare.mjs'
import { signIn } from './account.ts'
import { databaseWith } from './databases.ts'
import { type RunningServer, startProduct } from './servers.ts'
import { table } from './table.ts'
import { type Headers, watch } from './transfers.ts'
import { memory } from './usage.ts'

/** Items of the account that changes its notes (six in ten), and of the one that reads. */
const [ITEMS, OTHER_ITEMS] = [10_000, 1_000]
/** Milliseconds in which the reader's times without an operation are measured. */
const IDLE = 5_000

const CHANGES = [
  ['tag', { add_tags: ['пять тысяч'] }],
  ['pin', { pinned: true }],
  ['delete', { delete: true }],
] as const

interface Sent {
  readonly changed: string
  readonly operation: string
}

async function post(
  { port }: RunningServer,
  { path, headers, body }: { path: string; headers: Headers; body: object },
): Promise<Sent> {
  const sent = { 'content-type': 'application/json', ...headers }
  const url = `http://127.0.0.1:${port}${API_PREFIX}${path}`
  const response = await fetch(url, { method: 'POST', headers: sent, body: JSON.stringify(body) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  const { changed, restored }: { changed?: number; restored?: number } = JSON.parse(text)
  return { changed: String(changed ?? restored), operation: response.headers.get('operation') ?? '' }
}

/** `npm run bench -- bulk`: changes of all notes of an account at once, each undone, and what another user notices. */
export async function measureBulk(): Promise<void> {
  const sizes = [ITEMS, OTHER_ITEMS]
  const { settings, accounts } = await databaseWith({
    server: 'sqlite',
    sizes,
    items: ITEMS + OTHER_ITEMS,
  })
  const [account, reader] = accounts
  if (!account || !reader) throw new RangeError('The database lacks an account.')
  const folder = mkdtempSync(join(tmpdir(), 'kopilka-bulk-'))
  cpSync(settings.DATA_DIR, folder, { recursive: true })
  const product = await startProduct(ROOT, { DATA_DIR: folder })
  try {
    const headers: Headers = { authorization: (await signIn(product.port, account)).authorization ?? '' }
    const watching = watch(product, {
      authorization: (await signIn(product.port, reader)).authorization ?? '',
    })
    const rows = [['', 'items', 's', '+ memory MB', 'latest, slowest ms', 'latest, slowest 1 % ms']]
    await sleep(IDLE)
    const idle = memory(product.pid)
    const add = (name: string, changed: string, begun: number) => {
      const { slow, slowest, highest } = watching.figures()
      const seconds = ((performance.now() - begun) / 1000).toFixed(2)
      rows.push([name, changed, seconds, (highest - idle).toFixed(0), slowest.toFixed(0), slow.toFixed(0)])
    }
    add('nothing', '0', performance.now() - IDLE)
    for (const [name, change] of CHANGES) {
      let begun = performance.now()
      const body = { filter: { kind: 'note' }, ...change }
      const { changed, operation } = await post(product, { path: bulk.change.path, headers, body })
      add(name, changed, begun)
      begun = performance.now()
      const path = operations.undo.path.replace(':id', operation)
      const undone = await post(product, { path, headers, body: {} })
      add(`${name}, undone`, undone.changed, begun)
    }
    await watching.stop()
    console.log(table(rows))
  } finally {
    await product.stop()
    rmSync(folder, { recursive: true })
  }
}
