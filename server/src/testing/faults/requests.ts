import type { Endpoint } from '@kopilka/contract/endpoint.ts'
import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import type { ItemKind } from '../../db/schema.ts'
import type { Client, Reply } from '../client.ts'
import type { Entry, Ledger, Version } from './ledger.ts'

/** Where requests go, in whose name, and where what becomes of them is written down. */
export interface Writing {
  readonly client: Pick<Client, 'request'>
  readonly token: string
  readonly ledger: Ledger
}

const CALLS = { note: notes, link: links } as const

const BODIES: Readonly<Record<ItemKind, (version: Version) => object>> = {
  note: ({ title, body }) => ({ title, content: body }),
  link: ({ title, body, url }) => ({ title, url, description: body }),
}

/** Makes the item, also where the same was asked before without an answer. False: not acknowledged. */
export async function create(writing: Writing, entry: Entry, version: Version): Promise<boolean> {
  const body = { ...BODIES[entry.kind](version), tags: version.tags }
  const reply = await send(writing, CALLS[entry.kind].create, { body }, { 'idempotency-key': entry.name })
  if (!reply) return false
  entry.id = String(reply.body.id)
  writing.ledger.acknowledge(entry, version)
  return true
}

/** `tags`: the list to send; absent: the tags stay as they are, and the version carries those. */
export async function change(
  writing: Writing,
  entry: Entry,
  version: Version,
  tags?: readonly string[],
): Promise<boolean> {
  writing.ledger.ask(entry, version)
  const body = { ...BODIES[entry.kind](version), ...(tags && { tags }) }
  const reply = await send(writing, CALLS[entry.kind].update, { params: { id: entry.id }, body })
  if (reply) writing.ledger.acknowledge(entry, version)
  return reply !== undefined
}

export async function remove(writing: Writing, entry: Entry): Promise<boolean> {
  writing.ledger.ask(entry, undefined)
  const reply = await send(writing, CALLS[entry.kind].remove, { params: { id: entry.id } })
  if (reply) writing.ledger.acknowledge(entry, undefined)
  return reply !== undefined
}

/** The answer where it is a success; undefined where nobody knows what was done. */
async function send(
  { client, token, ledger }: Writing,
  call: Endpoint,
  asked: object,
  headers: Record<string, string> = {},
): Promise<Reply | undefined> {
  try {
    const reply = await client.request(call, asked, { token, headers })
    if (reply.status === call.status) return reply
    if (reply.status === 503) ledger.away += 1
    else
      ledger.wrongAnswers.push(`${call.method} ${call.path}: ${reply.status} ${JSON.stringify(reply.body)}`)
  } catch (error) {
    // What fetch throws where the connection breaks or nobody listens; without a cause it is a request that cannot be sent.
    if (!(error instanceof TypeError && error.cause)) throw error
  }
  return undefined
}
