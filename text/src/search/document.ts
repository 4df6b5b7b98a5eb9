import { readableAddress } from '../readable-address.ts'
import { stemsOf } from '../stems.ts'
import { countForms, siteKey } from '../tokenize.ts'
import { type IndexDocument, TERMS } from './terms.ts'

/** The searchable texts of an item, besides its tags; `body` is plain text. */
export interface ItemTexts {
  title: string
  body: string
  url: string
}

/** Occurrences from which a stem is often in a text; in a long text, its share of all words. */
const OFTEN = 3
const OFTEN_SHARE = 1 / 100

/** Most letters of a form in the vocabulary: longer ones are not words. */
export const LONGEST_FORM = 32
/** Forms in the vocabulary: shorter ones need no completion. */
const FORM = new RegExp(`^\\p{L}{3,${LONGEST_FORM}}$`, 'u')

/** Analyses the texts of an item. Takes about a second for 500,000 characters that are all different words. */
export function createIndexDocument({ title, body, url }: ItemTexts): IndexDocument {
  const forms = new Map<string, string>()
  const inTitle = countStems(title, forms)
  const inBody = countStems(body, forms)
  const inAddress = countStems(withoutScheme(readableAddress(url)), forms)
  let total = 0
  for (const times of inBody.values()) total += times
  const often = Math.max(OFTEN, total * OFTEN_SHARE)
  const terms: string[] = [TERMS.every]
  for (const stem of inTitle.keys()) terms.push(TERMS.text(stem), TERMS.title(stem))
  for (const [stem, times] of inBody) {
    if (!inTitle.has(stem)) terms.push(TERMS.text(stem))
    if (times >= often) terms.push(TERMS.often(stem))
  }
  for (const stem of inAddress.keys()) terms.push(TERMS.address(stem))
  for (const host of new Set(sitesOf(url))) terms.push(TERMS.site(host))
  // Sorted, so that concurrent saves lock the same forms in one order and cannot deadlock.
  const sorted = [...forms.keys()].sort()
  return {
    terms: terms.join(' '),
    forms: sorted.join(' '),
    stems: sorted.map((form) => forms.get(form)).join(' '),
  }
}

/** Counts the occurrences of each stem. Adds forms of the vocabulary to `forms`. */
function countStems(text: string, forms: Map<string, string>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [form, times] of countForms(text)) {
    const stems = stemsOf(form)
    for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + times)
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
