import { API_PREFIX, type Endpoint } from '@kopilka/contract/endpoint.ts'
import fc from 'fast-check'
import * as z from 'zod/mini'
import { headerText, queryString, text, value } from './hostile-values.ts'
import { SAMPLES, sample } from './pictures.ts'

/** A raw HTTP request. */
export interface RawRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: string | Buffer | undefined
}

/** What a valid request needs: a token, existing ids, and by field a valid value or what generates some. */
export interface ValidInput {
  token: string
  ids: readonly string[]
  values: Readonly<Record<string, unknown>>
}

const namesIn = (schema: Endpoint['body']): string[] =>
  schema instanceof z.ZodMiniObject ? Object.keys(schema.shape) : []

/** Mostly valid values and some invalid ones, so that requests pass the first check. */
const mostly = <T>(fitting: fc.Arbitrary<T>, other: fc.Arbitrary<T>, weight = 5): fc.Arbitrary<T> =>
  fc.oneof({ arbitrary: fitting, weight }, { arbitrary: other, weight: 1 })

const valid = (values: ValidInput['values'], name: string): fc.Arbitrary<unknown> => {
  const found = values[name]
  return found instanceof fc.Arbitrary ? found : fc.constant(found)
}

/** Fields that a valid request does not have together: the first, or the others. */
const ALTERNATIVES: readonly (readonly [string, ...string[]])[] = [
  ['ids', 'filter'],
  ['delete', 'add_tags', 'remove_tags', 'pinned'],
  ['tags', 'add_tags', 'remove_tags'],
]

/** Valid fields, of each of the alternatives one; nothing where the call has no alternatives. */
function validTogether(names: readonly string[], { values }: ValidInput): fc.Arbitrary<object>[] {
  const both = ALTERNATIVES.filter(
    ([first, ...others]) => names.includes(first) && others.some((name) => names.includes(name)),
  )
  if (both.length === 0) return []
  const left = both.map(([first, ...others]) => fc.constantFrom([first], others))
  return [
    fc.tuple(...left).chain((without) => {
      const taken = names.filter((name) => !without.flat().includes(name))
      return fc.record(Object.fromEntries(taken.map((name) => [name, valid(values, name)])))
    }),
  ]
}

/** A picture with some of its bytes changed, or cut. */
const brokenPicture: fc.Arbitrary<Buffer> = fc
  .record({
    name: fc.constantFrom(...SAMPLES),
    length: mostly(fc.constant(10_000), fc.nat(500)),
    changes: fc.array(fc.tuple(fc.nat(800), fc.nat(255)), { maxLength: 3 }),
  })
  .map(({ name, length, changes }) => {
    const bytes = sample(name)
    for (const [at, value] of changes) bytes[at] = value
    return bytes.subarray(0, length)
  })

function bodyOf(call: Endpoint, now: ValidInput): fc.Arbitrary<string | Buffer | undefined> {
  if (call.takesFile)
    return fc.oneof(
      text,
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc.constantFrom(undefined, '', 'https://example.org/', '{"a":', 'url,title\n', 'PK\x03\x04'),
      brokenPicture,
    )
  if (!call.body) return fc.constant(undefined)
  const names = namesIn(call.body)
  const fields = Object.fromEntries(
    names.map((name) => [name, mostly(valid(now.values, name), value, 2)] as const),
  )
  const some = fc
    .tuple(
      fc.record(fields, { requiredKeys: [] }),
      fc.record(fields),
      fc.dictionary(text, value, { maxKeys: 2 }),
    )
    .chain(([some, all, more]) => fc.constantFrom<object>({ ...more, ...some }, all, { ...all, ...more }))
  const whole = fc.oneof(some, ...validTogether(names, now))
  const broken = fc.oneof(
    value.map((found) => JSON.stringify(found) ?? ''),
    text,
    fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes)),
    fc.constantFrom(
      '{"title":',
      '[[[[',
      '{"__proto__":{"a":1}}',
      '{"constructor":{"prototype":1}}',
      'null',
      '\ufeff{}',
    ),
  )
  return mostly<string | Buffer | undefined>(
    whole.map((found) => JSON.stringify(found)),
    broken,
  )
}

const NAMES = [
  'if-match',
  'if-none-match',
  'cookie',
  'x-forwarded-for',
  'x-forwarded-proto',
  'range',
  'accept',
  'origin',
]

function headersOf(call: Endpoint, { token }: ValidInput): fc.Arbitrary<Record<string, string>> {
  const junk = fc.dictionary(fc.constantFrom(...NAMES, 'idempotency-key', 'accept-encoding'), headerText, {
    maxKeys: 2,
  })
  const authorization = mostly(fc.constant(`Bearer ${token}`), headerText, 15)
  const type = mostly(
    fc.constantFrom('application/json', 'application/json; charset=utf-8'),
    fc.oneof(
      headerText,
      fc.constantFrom('text/plain', 'application/json;charset=koi8-r', 'multipart/form-data'),
    ),
    15,
  )
  const fileType = mostly(fc.constantFrom('application/octet-stream', 'image/png'), type)
  const disposition = mostly(
    fc.constantFrom("attachment; filename*=UTF-8''%D1%84", 'attachment; filename="../../x"', 'attachment'),
    headerText,
    2,
  )
  return fc
    .record({ junk, authorization, type, fileType, disposition, etag: fc.constantFrom('"1"', '"2"', '') })
    .map((found) => ({
      ...found.junk,
      ...(call.supportsIfMatch && found.etag && { 'if-match': found.etag }),
      ...(call.access === 'signed-in' && { authorization: found.authorization }),
      ...(call.body && { 'content-type': found.type }),
      ...(call.takesFile && { 'content-type': found.fileType, 'content-disposition': found.disposition }),
    }))
}

/** Ids as path segments. */
const id = ({ ids }: ValidInput): fc.Arbitrary<string> =>
  mostly(
    fc.constantFrom(...ids),
    fc.oneof(
      text.map((found) => encodeURIComponent(found.slice(0, 1500).toWellFormed()) || '%20'),
      fc.constantFrom('..', '.', '%00', '%E0%A4%A', '%2e%2e%2f', ';', '*', 'x'.repeat(3000)),
    ),
    2,
  )

/** Requests of a call, most of them invalid in some way. `known` is called for each. */
export const requestsOf = (call: Endpoint, known: () => ValidInput): fc.Arbitrary<RawRequest> =>
  fc.constant(null).chain(() => {
    const now = known()
    return fc
      .record({
        id: id(now),
        revision: mostly(fc.constantFrom('1', '2'), id(now), 2),
        query: mostly(fc.constant(''), queryString(namesIn(call.query)), call.query ? 1 : 9),
        headers: headersOf(call, now),
        body: bodyOf(call, now),
      })
      .map(({ id, revision, query, headers, body }) => ({
        method: call.method,
        path: `${API_PREFIX}${call.path.replace(':id', id).replace(':revision', revision)}${query && `?${query}`}`,
        headers,
        body,
      }))
  })
