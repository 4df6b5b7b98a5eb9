import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../random.ts'
import type { Entry, Version } from './ledger.ts'
import { change, create, remove, type Writing } from './requests.ts'

export interface Writer extends Writing {
  /** Unlike that of any other writer. */
  readonly name: string
  readonly random: Random
  /** Until when to write. */
  readonly working: () => boolean
}

/** Shared by all writers, who are in each other's way when they make them. */
const TAGS = ['работа', 'дом', 'сад', 'книги', 'музыка', 'поездки', 'рецепты', 'учёба', 'деньги', 'здоровье']

/** Milliseconds after which a client asks again whose request was not answered. */
const PAUSE = 20

/** Creates, changes and deletes items of its own, one after the other. Like a good client, it sends a creation again until it is answered. */
export async function write(writer: Writer): Promise<void> {
  const { name, random, working, ledger } = writer
  const known: Entry[] = []
  for (let at = 0; working(); at += 1) {
    const version = versionOf(`${name}v${at}`, random)
    const entry = known.length > 2 && random.chance(0.5) ? random.pick(known) : undefined
    if (!entry) {
      const fresh = ledger.open(`${name}n${at}`, random.pick(['note', 'link']))
      if (await createAtLast(writer, fresh, versionFor(fresh, version))) known.push(fresh)
      continue
    }
    const answered = random.chance(0.3)
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
  if (writer.random.chance(0.3)) return change(writer, entry, { ...changed, tags: current?.tags ?? [] })
  return change(writer, entry, changed, changed.tags)
}

const versionFor = ({ name, kind }: Entry, { title, url, ...version }: Version): Version => ({
  ...version,
  title: `${name} ${title}`,
  url: kind === 'link' ? url : null,
})

/** Words that share no beginning, whatever the names are. */
function versionOf(name: string, random: Random): Version {
  const word = `ж${createHash('sha256').update(name).digest('hex').slice(0, 20)}`
  return {
    title: 'Запись',
    body: `<p>${'слово '.repeat(random.between(1, 400))}${word}</p>`,
    url: `https://example.org/${name}`,
    tags: random.sample(TAGS, random.between(0, 4)),
    word,
  }
}
