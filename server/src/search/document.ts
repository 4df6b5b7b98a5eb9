import { readableAddress } from '@kopilka/text/readable-address.ts'
import { stemsOf } from '@kopilka/text/stems.ts'
import { formsOf, siteKey, tokenGroups } from '@kopilka/text/tokenize.ts'

/**
 * The version of the analysis: with another number every item is indexed anew (search/indexer.ts). Where forms get other
 * stems, a migration has to empty the tables of the index as well.
 */
export const ANALYSER = 3

/** The searchable texts of an item, besides its tags; `body` is plain text. */
export interface ItemTexts {
  title: string
  body: string
  url: string
}

/** What the index stores of an item, each list separated by spaces: strings cross threads sooner than lists. */
export interface IndexDocument {
  /** Each once. */
  readonly terms: string
  /** The words that may complete what is typed, or correct its spelling; each once, in alphabetical order. */
  readonly forms: string
  /** The first stem of each form. */
  readonly stems: string
}

/** The list in a field of an index document. */
export const listOf = (field: string): string[] => (field === '' ? [] : field.split(' '))

/** Index terms by what their first character says of an item. No word begins with one of these characters. */
export const TERMS = {
  /** The title or the text has a word with this stem. */
  text: (stem: string) => `=${stem}`,
  title: (stem: string) => `^${stem}`,
  /** The text has it so often that it is about it. */
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

/** Times a stem occurs before a text is taken to be about it, and in a long text its share of all words. */
const OFTEN = 3
const OFTEN_SHARE = 1 / 100

/** Forms that people type; longer ones are no words, shorter ones have nothing to complete. */
const FORM = /^\p{L}{3,32}$/u

/** Analyses the texts of an item. Takes about a second for 500,000 characters that are all different words. */
export function createIndexDocument({ title, body, url }: ItemTexts): IndexDocument {
  const forms = new Map<string, string>()
  const inTitle = countStems(title, forms)
  const inBody = countStems(body, forms)
  const inAddress = countStems(withoutScheme(readableAddress(url)), forms)
  const total = [...inBody.values()].reduce((sum, times) => sum + times, 0)
  const often = Math.max(OFTEN, total * OFTEN_SHARE)
  const terms = new Set<string>([TERMS.every])
  for (const stem of inTitle.keys()) terms.add(TERMS.text(stem)).add(TERMS.title(stem))
  for (const [stem, times] of inBody) {
    terms.add(TERMS.text(stem))
    if (times >= often) terms.add(TERMS.often(stem))
  }
  for (const stem of inAddress.keys()) terms.add(TERMS.address(stem))
  for (const host of sitesOf(url)) terms.add(TERMS.site(host))
  // In one order: of two saves that add the same forms one waits for the other, and never each for the other.
  const sorted = [...forms.keys()].sort()
  return {
    terms: [...terms].join(' '),
    forms: sorted.join(' '),
    stems: sorted.map((form) => forms.get(form)).join(' '),
  }
}

/** Times each stem occurs. Adds the forms that people type to `forms`. */
function countStems(text: string, forms: Map<string, string>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const group of tokenGroups(text))
    for (const form of formsOf(group)) {
      const stems = stemsOf(form)
      for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1)
      if (FORM.test(form)) forms.set(form, stems[0])
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
