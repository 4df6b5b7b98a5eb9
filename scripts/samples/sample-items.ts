import type { LinkSave } from '@kopilka/contract/links.ts'
import type { NoteSave } from '@kopilka/contract/notes.ts'
import { createRandom, type Random } from '../../server/src/testing/random.ts'
import { ENGLISH } from './english.ts'
import type { Language, Topic } from './language.ts'
import { RUSSIAN } from './russian.ts'
import { sampleBody } from './sample-body.ts'
import { fill } from './sentences.ts'

/** A generated item in the API's format, and its time of creation in milliseconds since 1970. */
export type SampleItem = { readonly created_at: number } & (
  | { readonly kind: 'note'; readonly save: NoteSave }
  | { readonly kind: 'link'; readonly save: LinkSave }
)

interface Wanted {
  readonly count: number
  readonly seed?: number
  /** The dates are spread over the three years up to this moment. */
  readonly until: number
}

const THREE_YEARS = 3 * 365 * 24 * 60 * 60_000
const RUSSIAN_SHARE = 0.7
const NOTE_SHARE = 0.6

/**
 * Believable notes and links, oldest first: about 400 characters of text and 3 of 200 tags each, most of them in
 * Russian. The same seed gives the same items; only their dates follow `until`.
 */
export function* sampleItems({ count, seed = 1, until }: Wanted): Generator<SampleItem> {
  for (let at = 0; at < count; at += 1) {
    const random = createRandom(seed * 1_000_003 + at)
    const created_at = Math.floor(until - THREE_YEARS * (1 - (at + random.next()) / count))
    yield { created_at, ...sampleItem(random) }
  }
}

function sampleItem(random: Random): { kind: 'note'; save: NoteSave } | { kind: 'link'; save: LinkSave } {
  const language = random.chance(RUSSIAN_SHARE) ? RUSSIAN : ENGLISH
  const topic = random.pick(language.topics)
  const title = fill(random.pick(language.titles), language, topic, random)
  const tags = sampleTags(language, topic, random)
  const body = sampleBody(language, topic, random)
  return random.chance(NOTE_SHARE)
    ? { kind: 'note', save: { title, content: body, tags } }
    : { kind: 'link', save: { title, url: sampleUrl(title, language, random), description: body, tags } }
}

/** Three on average, mostly of the item's own topic. */
function sampleTags(language: Language, topic: Topic, random: Random): string[] {
  const own = random.sample(topic.tags, random.between(1, 3))
  const others = random.sample(random.pick(language.topics).tags, random.between(0, 2))
  return [...new Set([...own, ...others])]
}

const sampleUrl = (title: string, language: Language, random: Random): string =>
  `${random.pick(language.sites)}/${random.between(1000, 999_999)}/${slugOf(title)}/`

const LATIN: Readonly<Record<string, string>> = Object.fromEntries(
  'а=a б=b в=v г=g д=d е=e ё=e ж=zh з=z и=i й=j к=k л=l м=m н=n о=o п=p р=r с=s т=t у=u ф=f х=h ц=c ч=ch ш=sh щ=sch ъ= ы=y ь= э=e ю=yu я=ya'
    .split(' ')
    .map((pair) => pair.split('=')),
)

/** «Ржаной хлеб: с чего начать» becomes rzhanoj-hleb-s-chego-nachat. */
const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[а-яё]/g, (letter) => LATIN[letter] ?? '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
