/** Characters that are serialised in one turn of the event loop: some 5 ms. */
const PIECE = 256 * 1024

/**
 * A response as JSON. A long one, which can have five megabytes, is made in pieces: other requests come in between. A
 * single member of its lists is never cut.
 */
export async function jsonOf(response: unknown): Promise<string | Buffer> {
  const finished: Buffer[] = []
  let text = ''
  for (const piece of piecesOf(response)) {
    text += piece
    if (text.length < PIECE) continue
    finished.push(Buffer.from(text))
    text = ''
    await new Promise(setImmediate)
  }
  return finished.length === 0 ? text : Buffer.concat([...finished, Buffer.from(text)])
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
