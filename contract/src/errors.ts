import * as z from 'zod/mini'

/**
 * The body of every error response: `detail` for a person, and a list of messages for each invalid field.
 * Calls that save a link or read a page repeat `detail` as `error`.
 */
export const failure = z.catchall(
  z.object({ detail: z.string(), error: z.optional(z.string()) }),
  z.unknown(),
)
export type Failure = z.output<typeof failure>

/** Messages by field, as a failure carries them beside `detail`. */
export type FieldMessages = Record<string, string[]>
