import { readableAddress } from '@kopilka/text/readable-address.ts'
import { readingsOf } from '@kopilka/text/stems.ts'
import { eachRunOf, foldedOf, siteKey } from '@kopilka/text/tokenize.ts'
import type { Form } from './index.ts'

/** Counts how texts are taken apart: another number, and every item is indexed anew (items/reindex.ts). */
export const ANALYSER = 2

/** By what an item is found, besides its tags; `body` is plain text. */
export interface IndexedText {
  title: string
  body: string
  url: string
}

/** What an index keeps of an item. */
export interface Entries {
  /** Each once. */
  readonly traits: readonly string[]
  /** From which forms search completes what is typed, and mends typing mistakes. */
  readonly forms: readonly Form[]
}

/** What a trait says of its item, by its first character. No word begins with one of these. */
export const TRAITS = {
  /** Title or text hold a word with this stem. */
  text: (stem: string) => `=${stem}`,
  title: (stem: string) => `^${stem}`,
  /** The text holds it so often that it is about it. */
  often: (stem: string) => `+${stem}`,
  address: (stem: string) => `/${stem}`,
  tag: (id: string) => `#${id.replaceAll('-', '')}`,
  /** The host of the address, and each domain above it. */
  site: (host: string) => `@${host}`,
  /** Every item. */
  every: '*',
  /** No item. */
  none: '!',
} as const

/** Times a stem occurs before a text is taken to be about it, and the share of all words from which it is in a long one. */
const OFTEN = 3
const OFTEN_SHARE = 1 / 100

/** Runs of a text between which nobody gets a turn. */
const AT_ONCE = 100

/** Forms that people type; longer ones are no words, shorter ones have nothing to complete. */
const FORM = /^\p{L}{3,32}$/u

/**
 * Takes the texts of an item apart into what its index keeps. That of 500,000 characters can take a second: others get
 * their turn in `pause`.
 */
export async function entriesOf(
  { title, body, url }: IndexedText,
  pause: () => Promise<void>,
): Promise<Entries> {
  const forms = new Map<string, string>()
  const count = (text: string) => countStems(text, forms, pause)
  const inTitle = await count(title)
  const inBody = await count(body)
  const inAddress = await count(withoutScheme(readableAddress(url)))
  const words = [...inBody.values()].reduce((sum, times) => sum + times, 0)
  const isOften = (times: number): boolean => times >= Math.max(OFTEN, words * OFTEN_SHARE)
  const often = [...inBody].filter(([, times]) => isOften(times)).map(([stem]) => stem)
  await pause()
  const traits = new Set([
    TRAITS.every,
    ...mapped(inTitle.keys(), TRAITS.text),
    ...mapped(inTitle.keys(), TRAITS.title),
    ...mapped(inBody.keys(), TRAITS.text),
    ...often.map(TRAITS.often),
    ...mapped(inAddress.keys(), TRAITS.address),
    ...sitesOf(url).map(TRAITS.site),
  ])
  await pause()
  return { traits: [...traits], forms: [...forms].map(([form, stem]) => ({ stem, form })).sort(byStem) }
}

/** With the ids of the item's tags, not their names: a tag is renamed or deleted without touching the index of its items. */
export const tagged = ({ traits, forms }: Entries, ids: readonly string[]): Entries => ({
  traits: [...traits, ...ids.map(TRAITS.tag)],
  forms,
})

/** In one order: two saves that add the same forms wait for one another, and never each for the other. */
const byStem = (one: Form, other: Form): number =>
  compare(one.stem, other.stem) || compare(one.form, other.form)
const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other))

function* mapped(stems: Iterable<string>, trait: (stem: string) => string): Generator<string> {
  for (const stem of stems) yield trait(stem)
}

async function countStems(
  text: string,
  forms: Map<string, string>,
  pause: () => Promise<void>,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  const add = (folded: string): void => {
    const stems = readingsOf(folded)
    for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1)
    if (FORM.test(folded)) forms.set(folded, stems[0])
  }
  let runs = 0
  for (const run of eachRunOf(text)) {
    for (const folded of foldedOf(run)) add(folded)
    runs += 1
    if (runs % AT_ONCE === 0) await pause()
  }
  return counts
}

const withoutScheme = (url: string): string => url.replace(/^[a-z]+:\/\//i, '')

/** 'www.example.org' belongs to the sites www.example.org, example.org and org. */
function sitesOf(url: string): string[] {
  const [, host = ''] = /^[a-z]+:\/\/(?:[^/?#@]*@)?([^/?#:]+)/i.exec(readableAddress(url)) ?? []
  const labels = siteKey(host).split('.').filter(Boolean)
  return labels.map((_, at) => labels.slice(at).join('.'))
}
