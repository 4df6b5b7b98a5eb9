import { RAW_FACTOR, RAW_HTML_FACTOR, toLine, toText, url as urlField } from '@kopilka/contract/fields.ts'
import { MAX_LENGTH, MAX_TAGS_PER_ITEM } from '@kopilka/contract/limits.ts'
import * as z from 'zod/mini'
import { parseBody } from '../http/json-body.ts'

/** Messages by field, in the words of Django REST Framework: clients show them, and some compare them. */
export class InvalidFields extends Error {
  override name = 'InvalidFields'
  readonly fields: Readonly<Record<string, readonly string[]>>

  constructor(fields: Readonly<Record<string, readonly string[]>>) {
    super('invalid')
    this.fields = fields
  }
}

const REQUIRED = 'This field is required.'
export const URL_TAKEN = 'A bookmark with this URL already exists.'
export const TOO_MANY_TAGS = `Ensure there are no more than ${MAX_TAGS_PER_ITEM} tags.`

const wrong = (message: string) => ({
  error: ({ input }: { input?: unknown }) => (input === null ? 'This field may not be null.' : message),
})

const tooLong = (max: number) => `Ensure this field has no more than ${max} characters.`
const atMost = (max: number) => z.maxLength(max, tooLong(max))
/** Nothing is normalised that is far too long. */
const rawAtMost = (max: number, factor = RAW_FACTOR) =>
  z.refine<string>((text) => text.length <= max * factor, { error: tooLong(max), abort: true })

/** linkding allows so many characters; a longer title than ours is cut, not refused. */
const LINKDING_TITLE = 512

const bool = z.union(
  [
    z.boolean(),
    z.pipe(
      z.literal(['true', 'True', '1', 1]),
      z.transform(() => true),
    ),
    z.pipe(
      z.literal(['false', 'False', '0', 0]),
      z.transform(() => false),
    ),
  ],
  wrong('Must be a valid boolean.'),
)

/** The last moment that ISO 8601 writes with four digits of the year. */
const LATEST = Date.UTC(9999, 11, 31)

const date = z.pipe(
  z.string(wrong('Not a valid string.')).check(
    z.refine((text) => Date.parse(text) >= 0 && Date.parse(text) <= LATEST, {
      error:
        'Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].',
    }),
  ),
  z.transform((text) => Date.parse(text)),
)

const string = z.string(wrong('Not a valid string.'))
const line = (max: number) => string.check(rawAtMost(max), z.overwrite(toLine), atMost(max))
const text = (max: number) => string.check(rawAtMost(max, RAW_HTML_FACTOR), z.overwrite(toText), atMost(max))

/** As many names as are looked at, duplicates included. */
const MAX_NAMES = MAX_TAGS_PER_ITEM * RAW_FACTOR

/** Elements are validated only if the list is not far too long; a comma within one separates two names. */
const tagNames = z.pipe(
  // For the compiler alone: the second part checks that the elements are strings.
  z
    .array(z.unknown(), wrong('Expected a list of items.'))
    .check(z.maxLength(MAX_NAMES, TOO_MANY_TAGS)) as z.ZodMiniType<string[], string[]>,
  z
    .array(string.check(rawAtMost(MAX_LENGTH.tagName * MAX_TAGS_PER_ITEM), z.overwrite(toLine)))
    .check(z.refine((names) => names.join().split(',', MAX_NAMES + 1).length <= MAX_NAMES, TOO_MANY_TAGS)),
)

const bookmark = z.object(
  {
    url: z.optional(line(MAX_LENGTH.url)),
    title: z.optional(line(LINKDING_TITLE)),
    description: z.optional(text(MAX_LENGTH.html)),
    notes: z.optional(text(MAX_LENGTH.html)),
    tag_names: z.optional(tagNames),
    is_archived: z.optional(bool),
    unread: z.optional(bool),
    shared: z.optional(bool),
    date_added: z.optional(date),
    date_modified: z.optional(date),
  },
  { error: 'Invalid data. Expected a dictionary.' },
)
export type SentBookmark = z.output<typeof bookmark>

const tag = z.object(
  { name: z.string({ error: REQUIRED }).check(rawAtMost(MAX_LENGTH.tagName), z.overwrite(toLine)) },
  { error: 'Invalid data. Expected a dictionary.' },
)

function parsed<S extends z.ZodMiniType>(schema: S, body: unknown): z.output<S> {
  const { data, error } = schema.safeParse(body)
  if (!error) return data
  const fields: Record<string, string[]> = {}
  for (const { path, message } of error.issues) {
    const field = typeof path[0] === 'string' ? path[0] : 'non_field_errors'
    fields[field] = [...(fields[field] ?? []), message]
  }
  throw new InvalidFields(fields)
}

/** `needsUrl`: a PATCH may leave the address out. */
interface Rules {
  needsUrl: boolean
}

/** Throws {@link InvalidFields}. */
export function sentBookmark(body: unknown, { needsUrl }: Rules): SentBookmark {
  const sent = parsed(bookmark, body)
  if (sent.url === undefined) {
    if (needsUrl) throw new InvalidFields({ url: [REQUIRED] })
  } else if (sent.url === '') throw new InvalidFields({ url: ['This field may not be blank.'] })
  else if (!urlField.safeParse(sent.url).success) throw new InvalidFields({ url: ['Enter a valid URL.'] })
  return sent
}

/** A body and what it must have, for a worker thread. */
export interface BookmarkBytes extends Rules {
  bytes: Uint8Array<ArrayBuffer>
}

/** Parses a long body; runs in a worker thread, which can return {@link InvalidFields} but not throw them. */
export function parseBookmark({
  bytes,
  ...rules
}: BookmarkBytes): { sent: SentBookmark } | { invalid: InvalidFields['fields'] } {
  try {
    return { sent: sentBookmark(parseBody(bytes, z.unknown()), rules) }
  } catch (error) {
    if (error instanceof InvalidFields) return { invalid: error.fields }
    throw error
  }
}

/** Throws {@link InvalidFields}. */
export const sentTag = (body: unknown): string => parsed(tag, body).name
