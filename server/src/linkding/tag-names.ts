import { tagNameKey } from '@kopilka/contract/fields.ts'
import { type MessageKey, translate } from '@kopilka/contract/messages.ts'
import { inParts } from '../threads/yield-to-event-loop.ts'

/** Tags that are looked at in one iteration of the event loop: an account may have ten thousand. */
export const TAGS = 2000

const inBothLanguages = (key: MessageKey) => [translate(key, 'ru'), translate(key, 'en')] as const

/** States of linkding's bookmarks that are tags here, as in imports: their names in both languages, the first for new ones. */
const STATE_NAMES = {
  archived: inBothLanguages('importTagArchived'),
  unread: inBothLanguages('importTagUnread'),
}
export type State = keyof typeof STATE_NAMES

/** Lower case changes no length of these names, so that most others are known by theirs. */
const LENGTHS = new Set(Object.values(STATE_NAMES).flatMap((names) => names.map(({ length }) => length)))

const isOf = (state: State, name: string): boolean =>
  LENGTHS.has(name.length) && STATE_NAMES[state].includes(tagNameKey(name))

export const isStateTag = (name: string): boolean => isOf('archived', name) || isOf('unread', name)

export const hasState = (names: readonly string[], state: State): boolean =>
  names.some((name) => isOf(state, name))

/** A name as linkding has it: its clients separate names by blanks and commas. */
export const hyphenated = (name: string): string => name.replace(/[\s,]+/g, '-')

/** The names that linkding's clients see, each spelling once. */
export const shownNames = (names: readonly string[]): string[] => {
  const byKey = new Map<string, string>()
  for (const name of names) {
    if (isStateTag(name)) continue
    const shown = hyphenated(name)
    if (!byKey.has(tagNameKey(shown))) byKey.set(tagNameKey(shown), shown)
  }
  return [...byKey.values()].sort()
}

/** Names as clients send them: a comma within one separates two, a blank becomes '-'. */
export const namesIn = (sent: readonly string[]): string[] =>
  sent
    .join(',')
    .split(',')
    .map((name) => hyphenated(name.trim()))
    .filter((name) => name !== '')

/**
 * Returns a function that resolves a sent name to the name of a tag, as it is or as linkding’s clients see it; otherwise to
 * the name itself. `own`: tags of the bookmark, which come first; `all`: tags of the user. Passes over them once.
 */
export async function createTagNameLookup(
  own: readonly string[],
  all: readonly string[],
): Promise<(name: string) => string> {
  const known = new Map<string, string>()
  const add = (key: string, name: string) => {
    if (!known.has(key)) known.set(key, name)
  }
  for (const name of own) add(tagNameKey(hyphenated(name)), name)
  for (const keyOf of [tagNameKey, (name: string) => tagNameKey(hyphenated(name))])
    await inParts(all, TAGS, (some) => {
      for (const name of some) add(keyOf(name), name)
    })
  return (name) => known.get(tagNameKey(name)) ?? name
}

/** Resolves sent names to names of tags, without repeats. */
export async function resolveTagNames(
  sent: readonly string[],
  own: readonly string[],
  all: readonly string[],
): Promise<string[]> {
  const meaningOf = await createTagNameLookup(own, all)
  const meant = new Map<string, string>()
  for (const name of sent.map(meaningOf)) if (!meant.has(tagNameKey(name))) meant.set(tagNameKey(name), name)
  return [...meant.values()]
}

/** The names with or without the tag of a state, in the spelling that the user has. */
export function withState(
  names: readonly string[],
  all: readonly string[],
  states: Readonly<Record<State, boolean>>,
): string[] {
  const others = names.filter((name) => !isStateTag(name))
  const wanted = (['archived', 'unread'] as const).filter((state) => states[state])
  const stateTags = wanted.map(
    (state) => [...names, ...all].find((name) => isOf(state, name)) ?? STATE_NAMES[state][0],
  )
  return [...others, ...stateTags]
}

/** The tags that linkding's clients see, one of each spelling. */
export const tagSpellings = async <T extends { name: string }>(all: readonly T[]): Promise<T[]> => {
  const byKey = new Map<string, T>()
  await inParts(all, TAGS, (some) => {
    for (const tag of some) {
      const key = tagNameKey(hyphenated(tag.name))
      if (!isStateTag(tag.name) && !byKey.has(key)) byKey.set(key, tag)
    }
  })
  return [...byKey.values()]
}
