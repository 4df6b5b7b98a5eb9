import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Entry, Version } from './ledger.ts'
import { change, create, remove, type Writing } from './requests.ts'

/** Chance that can be repeated. */
export interface Chance {
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number
  /** True in this share of all cases. */
  chance(share: number): boolean
  pick<T>(choices: readonly T[]): T
  sample<T>(choices: readonly T[], count: number): T[]
}

export interface Writer extends Writing {
  /** Unlike that of any other writer. */
  readonly name: string
  readonly chance: Chance
  /** Until when to write. */
  readonly working: () => boolean
}

/** Shared by all writers, who are in each other's way when they make them. */
const TAGS = ['работа', 'дом', 'сад', 'книги', 'музыка', 'поездки', 'рецепты', 'учёба', 'деньги', 'здоровье']

/** Milliseconds after which a client asks again whose request was not answered. */
const PAUSE = 20

/** Creates, changes and deletes items of its own, one after the other. Like a good client, it sends a creation again until it is answered. */
export async function write(writer: Writer): Promise<void> {
  const { name, chance, working, ledger } = writer
  const known: Entry[] = []
  for (let at = 0; working(); at += 1) {
    const version = versionOf(`${name}v${at}`, chance)
    const entry = known.length > 2 && chance.chance(0.5) ? chance.pick(known) : undefined
    if (!entry) {
      const fresh = ledger.open(`${name}n${at}`, chance.pick(['note', 'link']))
      if (await createAtLast(writer, fresh, versionFor(fresh, version))) known.push(fresh)
      continue
    }
    const answered = chance.chance(0.3)
      ? await remove(writer, entry)
      : await changeSome(writer, entry, version)
    // Nothing more is asked of an item of which nobody knows what it is.
    if (!answered || !entry.possible[0]) known.splice(known.indexOf(entry), 1)
    if (!answered) await sleep(PAUSE)
  }
}

async function createAtLast(writer: Writer, entry: Entry, version: Version): Promise<boolean> {
  writer.ledger.ask(entry, version)
  while (writer.working()) {
    if (await create(writer, entry, version)) return true
    await sleep(PAUSE)
  }
  return false
}

function changeSome(writer: Writer, entry: Entry, version: Version): Promise<boolean> {
  const [current] = entry.possible
  const changed = versionFor(entry, version)
  if (writer.chance.chance(0.3)) return change(writer, entry, { ...changed, tags: current?.tags ?? [] })
  return change(writer, entry, changed, changed.tags)
}

const versionFor = ({ name, kind }: Entry, { title, url, ...version }: Version): Version => ({
  ...version,
  title: `${name} ${title}`,
  url: kind === 'link' ? url : null,
})

/** Words that share no beginning, whatever the names are. */
function versionOf(name: string, chance: Chance): Version {
  const word = `ж${createHash('sha256').update(name).digest('hex').slice(0, 20)}`
  return {
    title: 'Запись',
    body: `<p>${'слово '.repeat(chance.between(1, 400))}${word}</p>`,
    url: `https://example.org/${name}`,
    tags: chance.sample(TAGS, chance.between(0, 4)),
    word,
  }
}
