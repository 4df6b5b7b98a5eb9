import { Agent, request } from 'node:http'
import type { Socket } from 'node:net'
import { notes } from '@kopilka/contract/notes.ts'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openDb } from '../db/open.ts'
import { createClient, pathOf } from './client.ts'
import { newAccount } from './new-account.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

const CLIENTS = 24

let database: TestDatabase
let server: ServerProcess
beforeEach(async () => {
  database = await createTestDatabase()
})
afterEach(async () => {
  server.child.kill('SIGKILL')
  await server.ended
  await database.remove()
})

/** What came back: a status, with the whole answer behind it; nothing; or something that broke off. */
type Outcome = number | 'nothing' | 'half'

interface Asked {
  method: string
  path: string
  token: string
  body?: object
}

/** Asks over the one connection that the agent keeps. */
function ask(address: string, agent: Agent, { method, path, token, body }: Asked): Promise<Outcome> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) }
    const asking = request(`${address}${path}`, { method, agent, headers })
    let readBefore = 0
    asking.on('socket', (socket: Socket) => {
      readBefore = socket.bytesRead
    })
    asking.on('error', () =>
      resolve((asking.socket?.bytesRead ?? readBefore) > readBefore ? 'half' : 'nothing'),
    )
    asking.on('response', (answer) => {
      answer.resume()
      answer.on('error', () => {})
      answer.on('close', () => resolve(answer.complete ? (answer.statusCode ?? 0) : 'half'))
    })
    asking.end(body && JSON.stringify(body))
  })
}

it('SIGTERM under load breaks no answer: what is not answered whole is not answered, and not done', async () => {
  const settings = { ...database.settings, RATE_LIMIT: 'off' }
  for (const round of [1, 2, 3]) {
    server = startServer({ folder: database.settings.DATA_DIR, settings })
    const address = await server.address()
    const { session, id: owner_id } = await newAccount(createClient(address))
    const token = session.access_token
    const answered = new Set<string>()
    const outcomes: Outcome[] = []

    const work = async (client: number): Promise<void> => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      for (let at = 0, outcome: Outcome = 0; outcome !== 'nothing'; at += 1) {
        const title = `Заметка ${round} ${client} ${at}`
        const body = { title, content: '<p>слово</p>'.repeat(500), tags: ['метка'] }
        outcome = await ask(address, agent, { method: 'POST', path: pathOf(notes.create, {}), token, body })
        outcomes.push(outcome)
        if (outcome === 201) answered.add(title)
        // Large answers as well: they are longest under way.
        if (outcome === 201 && client % 4 === 0) {
          outcome = await ask(address, agent, { method: 'GET', path: pathOf(notes.list, {}), token })
          outcomes.push(outcome)
        }
      }
      agent.destroy()
    }
    const clients = Array.from({ length: CLIENTS }, (_, client) => work(client))
    await expect.poll(() => answered.size, { timeout: 20_000 }).toBeGreaterThan(100 * round)
    server.child.kill('SIGTERM')
    await Promise.all(clients)

    expect(await server.ended).toBe(0)
    expect(new Set(outcomes)).toEqual(new Set([200, 201, 'nothing']))
    const db = await openDb(database.settings)
    const stored = await db.selectFrom('items').select('title').where('owner_id', '=', owner_id).execute()
    await db.destroy()
    expect(stored.map(({ title }) => title).sort()).toEqual([...answered].sort())
  }
}, 90_000)
