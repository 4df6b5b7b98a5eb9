import { bulk } from '@kopilka/contract/bulk.ts'
import type { Endpoint } from '@kopilka/contract/endpoint.ts'
import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { operations } from '@kopilka/contract/operations.ts'
import { trash } from '@kopilka/contract/trash.ts'
import type { ItemKind } from '../../db/schema.ts'
import type { Client, Reply } from '../client.ts'
import type { Account } from '../new-account.ts'
import type { Entry, Version, WriteLog } from './write-log.ts'

/** The client, the account's token, and the log of the writes. */
export interface Writing {
  readonly client: Pick<Client, 'request'>
  readonly token: string
  readonly writeLog: WriteLog
}

const CALLS = { note: notes, link: links } as const

const BODIES: Readonly<Record<ItemKind, (version: Version) => object>> = {
  note: ({ title, body }) => ({ title, content: body }),
  link: ({ title, body, url }) => ({ title, url, description: body }),
}

/** Creates the item; may be retried after a request without a response. False: not acknowledged. */
export async function create(writing: Writing, entry: Entry, version: Version): Promise<boolean> {
  const body = { ...BODIES[entry.kind](version), tags: version.tags }
  const reply = await send(writing, CALLS[entry.kind].create, { body }, { 'idempotency-key': entry.name })
  if (!reply) return false
  entry.id = String(reply.body.id)
  writing.writeLog.acknowledge(entry, version)
  return true
}

/** `tags`: the list to send; absent: the tags stay unchanged, and `version` has those. */
export async function change(
  writing: Writing,
  entry: Entry,
  version: Version,
  tags?: readonly string[],
): Promise<boolean> {
  writing.writeLog.expect(entry, version)
  const body = { ...BODIES[entry.kind](version), ...(tags && { tags }) }
  const reply = await send(writing, CALLS[entry.kind].update, { params: { id: entry.id }, body })
  if (reply) writing.writeLog.acknowledge(entry, version)
  return reply !== undefined
}

/** Resolves to the operation, which can be undone; undefined: not acknowledged. */
export async function remove(writing: Writing, entry: Entry): Promise<string | undefined> {
  writing.writeLog.expect(entry, undefined)
  const reply = await send(writing, CALLS[entry.kind].remove, { params: { id: entry.id } })
  if (reply) writing.writeLog.acknowledge(entry, undefined)
  return reply?.headers.get('operation') ?? undefined
}

/** Undoes an acknowledged removal, or restores the item from the trash. `version`: as it was. */
export async function putBack(
  writing: Writing,
  entry: Entry,
  version: Version,
  operation: string | undefined,
): Promise<boolean> {
  // Not as after a creation, which may be sent again.
  entry.possible = [version, undefined]
  const reply = await (operation === undefined
    ? send(writing, trash.restore, { body: { ids: [entry.id] } })
    : send(writing, operations.undo, { params: { id: operation } }))
  if (reply) writing.writeLog.acknowledge(entry, version)
  return reply !== undefined
}

/** Replaces the tags by a change of many items. */
export async function changeTags(
  writing: Writing,
  entry: Entry,
  version: Version,
  tags: readonly string[],
): Promise<boolean> {
  const changed = { ...version, tags }
  entry.possible = [version, changed]
  const [add_tags, remove_tags] = [tags, version.tags.filter((tag) => !tags.includes(tag))]
  const pinned = true
  const reply = await send(writing, bulk.change, { body: { ids: [entry.id], add_tags, remove_tags, pinned } })
  if (reply) writing.writeLog.acknowledge(entry, changed)
  return reply !== undefined
}

const AT_ONCE = 10

/** Creates notes before the incident. Resolves to their ids. */
export async function createNotes(
  client: Pick<Client, 'call'>,
  { auth }: Account,
  bodies: readonly { title: string; content: string; tags?: string[] }[],
): Promise<string[]> {
  const ids: string[] = []
  for (let at = 0; at < bodies.length; at += AT_ONCE) {
    const some = bodies.slice(at, at + AT_ONCE)
    const created = await Promise.all(some.map((body) => client.call(notes.create, { body }, auth)))
    ids.push(...created.map(({ id }) => id))
  }
  return ids
}

/** The response of a success; undefined where the outcome is unknown. */
export async function send(
  { client, token, writeLog }: Writing,
  call: Endpoint,
  input: object,
  headers: Record<string, string> = {},
): Promise<Reply | undefined> {
  try {
    const reply = await client.request(call, input, { token, headers })
    if (reply.status === call.status) return reply
    if (reply.status === 503) writeLog.unavailable += 1
    else
      writeLog.unexpectedResponses.push(
        `${call.method} ${call.path}: ${reply.status} ${JSON.stringify(reply.body)}`,
      )
  } catch (error) {
    // fetch sets a cause where the connection broke or was refused; without one the request itself is invalid.
    if (!(error instanceof TypeError && error.cause)) throw error
  }
  return undefined
}
