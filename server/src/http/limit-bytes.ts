import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Bytes of a body after which its buffers are collected. */
const COLLECTED_AFTER = 4 * 1024 * 1024

// Node has no call for it: V8 puts the function into contexts that are made while the flag is set.
setFlagsFromString('--expose-gc')
const collectGarbage: (options: { type: 'minor'; execution: 'sync' }) => void = runInNewContext('gc')
setFlagsFromString('--no-expose-gc')

/**
 * A step of a pipeline that passes the chunks of a body on, and throws once there are more bytes than a limit. Collects their buffers
 * meanwhile, which takes half a millisecond: V8 lets up to 64 MB of them lie, and the allocator keeps what has lain there.
 */
export const limitBytes = (limit: number, tooLarge: () => Error) =>
  async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let [length, uncollected] = [0, 0]
    for await (const chunk of chunks) {
      length += chunk.length
      if (length > limit) throw tooLarge()
      yield chunk
      uncollected += chunk.length
      if (uncollected < COLLECTED_AFTER) continue
      collectGarbage({ type: 'minor', execution: 'sync' })
      uncollected = 0
    }
  }
