import { everyCall } from '@kopilka/contract/calls.ts'
import { type Endpoint, MAX_SHORT_BODY_BYTES, type Schema } from '@kopilka/contract/endpoint.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { parse } from 'secure-json-parse'
import { AppError } from '../errors.ts'
import type { Pool } from '../threads/pool.ts'
import { fieldErrorsOf } from './errors.ts'
import { signalOf } from './large-transfers.ts'

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i
const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** Most values in a body and deepest nesting, far above those of our clients: a bulk change names a thousand ids. */
const MAX_VALUES = 20_000
const MAX_DEPTH = 32

/** Checks the headers before the body is read. Throws 'notJson' or 'encodedBody'. */
export function checkBodyHeaders({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding']
  if (encoding && encoding.trim().toLowerCase() !== 'identity') throw new AppError('encodedBody')
  const charset = CHARSET.exec(headers['content-type'] ?? '')?.[1]
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) throw new AppError('notJson')
}

/** A body, and the call that it belongs to: the call's schema itself cannot be sent to a thread. */
interface BodyOfCall {
  readonly method: Endpoint['method']
  readonly path: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/**
 * Parses and validates bodies. All but short ones go to threads: the twenty thousand values that 64 KB may hold take longer than
 * others should wait.
 */
export function createBodyParser(app: FastifyInstance, pool: Pool) {
  // Bodies stay bytes until the rest of the request has been checked.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )

  /** Throws as {@link parseBody} does. A long body is parsed no further once the client has gone. */
  return async (
    { method, path, body: schema }: Endpoint,
    { body }: FastifyRequest,
    { reply, owner_id = '' }: { reply: FastifyReply; owner_id: string | undefined },
  ): Promise<unknown> => {
    const buffer = body as Buffer | undefined
    if (!schema) return undefined
    if (buffer === undefined || buffer.length <= MAX_SHORT_BODY_BYTES) return parseBody(buffer, schema)
    const bytes = ownBytesOf(buffer)
    const task: BodyOfCall = { method, path, bytes }
    return pool.run('parseBody', task, { owner_id, transfer: [bytes.buffer], signal: signalOf(reply) })
  }
}

/** The bytes of a buffer in memory of their own, which can be moved to a thread: copied only where they are a part of more. */
export const ownBytesOf = ({ buffer, byteOffset, length }: Buffer): Uint8Array<ArrayBuffer> =>
  buffer instanceof ArrayBuffer && buffer.byteLength === length
    ? new Uint8Array(buffer)
    : new Uint8Array(new Uint8Array(buffer, byteOffset, length))

/** Runs in a worker thread. */
export function parseBodyOf({ method, path, bytes }: BodyOfCall): unknown {
  const [, call] = everyCall.find(([, one]) => one.method === method && one.path === path) ?? []
  return call?.body && parseBody(bytes, call.body)
}

/**
 * Parses a body with `schema`; an empty body is `{}`. Throws 'malformedJson', 'tooLarge' (too many values) or
 * 'formInvalid'. Keys that could reach a prototype are malformed.
 */
export function parseBody(bytes: Uint8Array | undefined, schema: Schema): unknown {
  const { data, error } = schema.safeParse(bytes && bytes.length > 0 ? parseJson(bytes) : {})
  if (error) throw new AppError('formInvalid', fieldErrorsOf(error.issues))
  return data
}

function parseJson(bytes: Uint8Array): unknown {
  checkStructure(bytes)
  try {
    return parse(UTF8.decode(bytes), { protoAction: 'error', constructorAction: 'error' })
  } catch {
    throw new AppError('malformedJson')
  }
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Counts values and nesting before parsing. In UTF-8 these bytes occur only as these characters. */
function checkStructure(bytes: Uint8Array): void {
  let [values, depth] = [0, 0]
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at]) {
      case QUOTE:
        at += 1
        while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
        break
      case OPEN_LIST:
      case OPEN_OBJECT:
        depth += 1
        if (depth > MAX_DEPTH) throw new AppError('malformedJson')
        break
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth -= 1
        break
      case COMMA:
      case COLON:
        values += 1
        if (values > MAX_VALUES) throw new AppError('tooLarge')
    }
  }
}
