import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { accounts } from '@kopilka/contract/accounts.ts'
import { API_PREFIX, type Endpoint } from '@kopilka/contract/endpoint.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { latest } from '@kopilka/contract/search.ts'
import { ROOT } from '../../scripts/prepare.mjs'
import { signIn } from './account.ts'
import type { AttackName, Target } from './attacks.ts'
import { sendOnce } from './load.ts'
import { type RunningServer, startProduct } from './servers.ts'
import { table } from './table.ts'
import { memory } from './usage.ts'

const ATTACKS: readonly AttackName[] = [
  'large bodies',
  'saves of <td>x',
  'phrases',
  'unfinished bodies',
  'items of a tag',
  'hostile pages',
  'pipelining',
  'nonsense words',
]
const LENGTH = 15_000
const REST = 10_000
const INTERVAL = 100
const ATTACKERS = 4
const LONG_NOTES = 60

type Send = (call: Endpoint, body: object, headers?: Record<string, string>) => Promise<string>

/** Runs every attack on a server of its own and prints what another user noticed. See bench/README.md. */
export async function hostile(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'kopilka-hostile-'))
  const settings = { DATA_DIR: folder, RATE_LIMIT: 'on', FETCH_ALLOW: '127.0.0.1' }
  const server = await startProduct(ROOT, settings, ['--max-old-space-size=512'])
  try {
    const send: Send = async ({ method, path }, body, headers = {}) => {
      const response = await sendOnce(server.port, { method, path: `${API_PREFIX}${path}`, headers, body })
      if (response.status >= 400) throw new Error(`${method} ${path}: ${response.status} ${response.body}`)
      return response.body
    }
    const [user = '', ...authorizations] = await Promise.all(
      Array.from({ length: ATTACKERS + 1 }, (_, at) =>
        newAccount(send, server.port, `user-${at}@example.org`),
      ),
    )
    const tag = await saveLongNotes(send, authorizations[0] ?? '')
    const rows = [HEADS]
    for (const name of ATTACKS) {
      const row = await attack(server, { name, port: server.port, authorizations, tag }, user)
      console.error(row.join(' | '))
      rows.push(row)
    }
    console.log(table(rows))
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true })
  }
}

async function newAccount(send: Send, port: number, email: string): Promise<string> {
  const account = { email, password: 'a secret of the bench', items: 0 }
  await send(accounts.register, { email, password: account.password, first_name: 'Анна', last_name: 'К.' })
  const { authorization = '' } = await signIn(port, account)
  return authorization
}

/** Returns the id of their tag. */
async function saveLongNotes(send: Send, authorization: string): Promise<string> {
  const words = Array.from({ length: 35_000 }, (_, at) => `слово${at % 500}`)
  const body = { title: 'Длинная', content: `<p>${words.join(' ')}</p>`, tags: ['длинные'] }
  let saved = ''
  for (let count = 0; count < LONG_NOTES; count += 1)
    saved = await send(notes.create, body, { authorization })
  return notes.create.response.parse(JSON.parse(saved)).tags[0]?.id ?? ''
}

const HEADS: readonly string[] = [
  'attack',
  'slowest 1 % ms',
  'slowest ms',
  'not 200',
  'RSS before MB',
  'highest',
  '10 s after',
  'answered',
]

async function attack(
  { port, pid }: RunningServer,
  target: Target,
  user: string,
): Promise<readonly string[]> {
  const latencies: number[] = []
  const answered = new Map<string, number>()
  let failed = 0
  const before = memory(pid)
  let highest = before
  const agent = new Agent({ keepAlive: true })

  const ask = (path: string) => {
    const begun = performance.now()
    const settle = (status: number) => {
      latencies.push(performance.now() - begun)
      if (status !== 200) failed += 1
    }
    get({ host: '127.0.0.1', port, agent, path, headers: { authorization: user } }, (response) => {
      response.resume().on('end', () => settle(response.statusCode ?? 0))
    }).on('error', () => settle(0))
  }
  const timer = setInterval(() => {
    highest = Math.max(highest, memory(pid))
    ask(`${API_PREFIX}${latest.path}`)
    ask('/healthz')
  }, INTERVAL)
  const thread = new Worker(new URL('attacks.ts', import.meta.url), { workerData: target })
  thread.on('message', (status: string) => answered.set(status, (answered.get(status) ?? 0) + 1))
  thread.on('error', (error) => console.error(error))
  await sleep(LENGTH)
  await thread.terminate()
  clearInterval(timer)
  await sleep(REST)
  agent.destroy()

  const sorted = latencies.toSorted((one, other) => one - other)
  const whole = (value: number | undefined) => String(Math.round(value ?? Number.NaN))
  return [
    target.name,
    whole(sorted[Math.floor(sorted.length * 0.99)]),
    whole(sorted.at(-1)),
    String(failed),
    whole(before),
    whole(highest),
    whole(memory(pid)),
    [...answered].map(([status, times]) => `${times} × ${status}`).join(', '),
  ]
}
