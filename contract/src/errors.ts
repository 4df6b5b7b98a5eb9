import * as z from 'zod/mini'

/**
 * Every failed call answers this: `detail` for a person, and for each field at fault a list of messages.
 * Calls that save a link or read a page repeat `detail` as `error`.
 */
export const failure = z.catchall(
  z.object({ detail: z.string(), error: z.optional(z.string()) }),
  z.unknown(),
)
export type Failure = z.output<typeof failure>

/** Messages by field, as a failure carries them beside `detail`. */
export type FieldMessages = Record<string, string[]>
