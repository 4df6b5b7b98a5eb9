import { Readable } from 'node:stream'
import { yieldToEventLoop } from '../threads/yield-to-event-loop.ts'

/** Characters that are serialised in one iteration of the event loop: some 5 ms. */
const PIECE = 256 * 1024

/**
 * A response as JSON. A long one, which can have megabytes, is a stream of bytes whose pieces are made as they are read: other
 * requests come in between, and one that nobody reads takes no memory. A single text or member of a list is never cut.
 * `count` is called with the bytes of each piece that is made.
 */
export function jsonOf(response: unknown, count: (bytes: number) => void = () => {}): string | Readable {
  const pieces = piecesOf(response)
  const first = joined(pieces)
  if (first.isLast) {
    count(Buffer.byteLength(first.text))
    return first.text
  }
  return Readable.from(streamed(first, pieces, count))
}

interface Piece {
  text: string
  isLast: boolean
}

async function* streamed(first: Piece, pieces: Generator<string>, count: (bytes: number) => void) {
  for (let piece = first; ; piece = joined(pieces)) {
    // Encoded once: of a text, node:http finds out the length in bytes first.
    const bytes = Buffer.from(piece.text)
    count(bytes.length)
    yield bytes
    if (piece.isLast) return
    await yieldToEventLoop()
  }
}

/** The next pieces, together as long as {@link PIECE}. */
function joined(pieces: Generator<string>): Piece {
  let text = ''
  for (;;) {
    const { value, done } = pieces.next()
    if (done) return { text, isLast: true }
    text += value
    if (text.length >= PIECE) return { text, isLast: false }
  }
}

/** The members of lists one by one, as deep as responses have long ones: in the response itself and in its fields. */
function* piecesOf(value: unknown): Generator<string> {
  if (Array.isArray(value)) return yield* piecesOfList(value)
  if (typeof value !== 'object' || value === null) return yield JSON.stringify(value)
  let separator = '{'
  for (const [key, field] of Object.entries(value)) {
    if (field === undefined) continue
    yield `${separator}${JSON.stringify(key)}:`
    if (Array.isArray(field)) yield* piecesOfList(field)
    else yield JSON.stringify(field)
    separator = ','
  }
  yield separator === '{' ? '{}' : '}'
}

function* piecesOfList(list: readonly unknown[]): Generator<string> {
  let separator = '['
  for (const member of list) {
    yield `${separator}${JSON.stringify(member)}`
    separator = ','
  }
  yield separator === '[' ? '[]' : ']'
}
