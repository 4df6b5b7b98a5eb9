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

/** The status of a complete response, no response, or an incomplete one. */
type Outcome = number | 'none' | 'incomplete'

interface TestRequest {
  method: string
  path: string
  token: string
  body?: object
}

/** Sends a request over the agent's only connection. */
function send(address: string, agent: Agent, { method, path, token, body }: TestRequest): Promise<Outcome> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) }
    const sent = request(`${address}${path}`, { method, agent, headers })
    let readBefore = 0
    sent.on('socket', (socket: Socket) => {
      readBefore = socket.bytesRead
    })
    sent.on('error', () =>
      resolve((sent.socket?.bytesRead ?? readBefore) > readBefore ? 'incomplete' : 'none'),
    )
    sent.on('response', (response) => {
      response.resume()
      response.on('error', () => {})
      response.on('close', () => resolve(response.complete ? (response.statusCode ?? 0) : 'incomplete'))
    })
    sent.end(body && JSON.stringify(body))
  })
}

it('sends only complete responses after SIGTERM under load, and performs no request without one', async () => {
  const settings = { ...database.settings, RATE_LIMIT: 'off' }
  for (const round of [1, 2, 3]) {
    server = startServer({ folder: database.settings.DATA_DIR, settings })
    const address = await server.address()
    const { session, id: owner_id } = await newAccount(createClient(address))
    const token = session.access_token
    const acknowledged = new Set<string>()
    const outcomes: Outcome[] = []

    const work = async (client: number): Promise<void> => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      for (let at = 0, outcome: Outcome = 0; outcome !== 'none'; at += 1) {
        const title = `Заметка ${round} ${client} ${at}`
        const body = { title, content: '<p>слово</p>'.repeat(500), tags: ['метка'] }
        outcome = await send(address, agent, { method: 'POST', path: pathOf(notes.create, {}), token, body })
        outcomes.push(outcome)
        if (outcome === 201) acknowledged.add(title)
        // Large responses as well: they take the longest to send.
        if (outcome === 201 && client % 4 === 0) {
          outcome = await send(address, agent, { method: 'GET', path: pathOf(notes.list, {}), token })
          outcomes.push(outcome)
        }
      }
      agent.destroy()
    }
    const clients = Array.from({ length: CLIENTS }, (_, client) => work(client))
    await expect.poll(() => acknowledged.size, { timeout: 60_000 }).toBeGreaterThan(100 * round)
    server.child.kill('SIGTERM')
    await Promise.all(clients)

    expect(await server.ended).toBe(0)
    expect(new Set(outcomes)).toEqual(new Set([200, 201, 'none']))
    const db = await openDb(database.settings)
    const stored = await db.selectFrom('items').select('title').where('owner_id', '=', owner_id).execute()
    await db.destroy()
    expect(stored.map(({ title }) => title).sort()).toEqual([...acknowledged].sort())
  }
}, 90_000)
