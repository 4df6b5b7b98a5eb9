import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../random.ts'
import { change, changeTags, create, putBack, remove, type Writing } from './requests.ts'
import type { Entry, Version } from './write-log.ts'

export interface Writer extends Writing {
  /** Unique among the writers. */
  readonly name: string
  readonly random: Random
  /** False once writing is to stop. */
  readonly working: () => boolean
}

/** Shared by all writers, so that they compete to create them. */
const TAGS = ['работа', 'дом', 'сад', 'книги', 'музыка', 'поездки', 'рецепты', 'учёба', 'деньги', 'здоровье']

/** Milliseconds before a request without a response is retried. */
const RETRY_DELAY = 20

/** Creates, changes, deletes and restores its own items one after the other; retries a creation until it is acknowledged. */
export async function write(writer: Writer): Promise<void> {
  const { name, random, working, writeLog } = writer
  const known: Entry[] = []
  for (let at = 0; working(); at += 1) {
    const version = versionOf(`${name}v${at}`, random)
    const entry = known.length > 2 && random.chance(0.5) ? random.pick(known) : undefined
    if (!entry) {
      const fresh = writeLog.open(`${name}n${at}`, random.pick(['note', 'link']))
      if (await createWithRetries(writer, fresh, versionFor(fresh, version))) known.push(fresh)
      continue
    }
    const responded = random.chance(0.3)
      ? await removeOrUndo(writer, entry)
      : await changeSome(writer, entry, version)
    // An item in an unknown state is left alone.
    if (!responded || !entry.possible[0]) known.splice(known.indexOf(entry), 1)
    if (!responded) await sleep(RETRY_DELAY)
  }
}

async function createWithRetries(writer: Writer, entry: Entry, version: Version): Promise<boolean> {
  writer.writeLog.expect(entry, version)
  while (writer.working()) {
    if (await create(writer, entry, version)) return true
    await sleep(RETRY_DELAY)
  }
  return false
}

/** Half of the items come back: by an undo, or from the trash. */
async function removeOrUndo(writer: Writer, entry: Entry): Promise<boolean> {
  const [current] = entry.possible
  const operation = await remove(writer, entry)
  if (operation === undefined || !current || writer.random.chance(0.5)) return operation !== undefined
  return putBack(writer, entry, current, writer.random.chance(0.5) ? operation : undefined)
}

function changeSome(writer: Writer, entry: Entry, version: Version): Promise<boolean> {
  const [current] = entry.possible
  const changed = versionFor(entry, version)
  if (current && writer.random.chance(0.2)) return changeTags(writer, entry, current, changed.tags)
  if (writer.random.chance(0.3)) return change(writer, entry, { ...changed, tags: current?.tags ?? [] })
  return change(writer, entry, changed, changed.tags)
}

const versionFor = ({ name, kind }: Entry, { title, url, ...version }: Version): Version => ({
  ...version,
  title: `${name} ${title}`,
  url: kind === 'link' ? url : null,
})

/** A version whose word shares no prefix with those of other names. */
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
