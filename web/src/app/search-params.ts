import { flag } from '@kopilka/contract/fields.ts'
import { sort } from '@kopilka/contract/items.ts'
import * as z from 'zod/mini'

/** Unusable values are as good as absent: an address someone mistyped still opens its screen. */
const text = z.catch(z.optional(z.string().check(z.trim(), z.minLength(1))), undefined)
const page = z.catch(z.optional(z.coerce.number().check(z.int(), z.positive())), undefined)
const one = z.catch(flag, undefined)
const order = z.catch(sort, undefined)
const whole = z.catch(z.optional(z.string().check(z.regex(/^\d+$/))), undefined)

const listSearch = z.object({ page, search: text, exact: one, tag: text, untagged: one, sort: order })
const searchOnly = z.object({ search: text, exact: one })
const pagedSearch = z.object({ page, search: text })
const tagListSearch = z.object({ search: text, sort: z.catch(z.optional(z.literal('count')), undefined) })
const versionsSearch = z.object({ revision: whole })
const addSearch = z.object({ title: text })
const givenSearch = z.object({ url: text, title: text, text, tags: text })
const loginSearch = z.object({ redirect: text })
const passwordConfirmSearch = z.object({ uid: text, token: text })

type Raw = Record<string, unknown>
export const readListSearch = (raw: Raw): z.output<typeof listSearch> => z.parse(listSearch, raw)
export const readSearch = (raw: Raw): z.output<typeof searchOnly> => z.parse(searchOnly, raw)
export const readPagedSearch = (raw: Raw): z.output<typeof pagedSearch> => z.parse(pagedSearch, raw)
export const readTagListSearch = (raw: Raw): z.output<typeof tagListSearch> => z.parse(tagListSearch, raw)
export const readVersionsSearch = (raw: Raw): z.output<typeof versionsSearch> => z.parse(versionsSearch, raw)
export const readAddSearch = (raw: Raw): z.output<typeof addSearch> => z.parse(addSearch, raw)
export const readGivenSearch = (raw: Raw): z.output<typeof givenSearch> => z.parse(givenSearch, raw)
export const readLoginSearch = (raw: Raw): z.output<typeof loginSearch> => z.parse(loginSearch, raw)
export const readPasswordConfirmSearch = (raw: Raw): z.output<typeof passwordConfirmSearch> =>
  z.parse(passwordConfirmSearch, raw)

/** Search parameters as plain text: a search for 2024 stays '2024'. */
export const parseSearch = (query: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(query))

export const stringifySearch = (search: Record<string, unknown>): string => {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== '') params.set(name, String(value))
  }
  return params.size > 0 ? `?${params}` : ''
}
