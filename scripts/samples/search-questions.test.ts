import { htmlToText } from '@kopilka/text/html-to-text.ts'
import { stemOf } from '@kopilka/text/stems.ts'
import { isStopWord } from '@kopilka/text/stop-words.ts'
import { wordsOf } from '@kopilka/text/tokenize.ts'
import { expect } from 'vitest'
import { readConfig } from '../../server/src/config.ts'
import { openDb } from '../../server/src/db/open.ts'
import { quotasOf } from '../../server/src/db/usage.ts'
import { linkMapping, noteMapping } from '../../server/src/items/item.ts'
import { createItemStore } from '../../server/src/items/store.ts'
import { search } from '../../server/src/search/search.ts'
import { test } from '../../server/src/testing/fixtures.ts'
import { ENGLISH } from '../../server/src/testing/questions/english.ts'
import { RUSSIAN } from '../../server/src/testing/questions/russian.ts'
import { createWorkerPool } from '../../server/src/threads/worker-pool.ts'
import { sampleItems } from './sample-items.ts'

/** Beside the paragraphs that answer the questions. */
const SAMPLES = 2_000
const UNTIL = Date.UTC(2026, 0, 1)

const ANSWERS = [...RUSSIAN, ...ENGLISH].flatMap(({ title, paragraphs }) =>
  paragraphs.map(([text, question], at) => ({ title: `${title}, ${at + 1}`, text, question })),
)

/** Both kinds of samples, and a note for each paragraph, somewhere among them in time. */
function drafts(owner_id: string) {
  const samples = [...sampleItems({ count: SAMPLES, until: UNTIL })].map((item) => ({
    owner_id,
    kind: item.kind,
    created_at: item.created_at,
    draft: item.kind === 'note' ? noteMapping.toDraft(item.save) : linkMapping.toDraft(item.save),
  }))
  const answers = ANSWERS.map(({ title, text }, at) => ({
    owner_id,
    kind: 'note' as const,
    created_at: samples[at * 16]?.created_at ?? UNTIL,
    draft: noteMapping.toDraft({ title, content: `<p>${text}</p>` }),
  }))
  return [...samples, ...answers]
}

const it = test.extend('items', { scope: 'file' }, async ({ app, owner }, { onCleanup }) => {
  const config = readConfig({ LOG_LEVEL: 'silent', ...app.database.settings })
  const db = await openDb(config)
  const pool = createWorkerPool(config)
  onCleanup(() => db.destroy())
  const items = drafts(owner.id)
  const store = createItemStore({ db, clock: () => UNTIL, pool, quotas: quotasOf(config) })
  for (let at = 0; at < items.length; at += 100) await store.createMany(items.slice(at, at + 100))
  await pool.close()
  const rows = await db
    .selectFrom('items')
    .select(['id', 'title', 'body'])
    .where('kind', '=', 'note')
    .execute()
  return { db, rows }
})

/** Shares of all questions whose paragraph is the first, and among the first ten. */
function shares(places: readonly number[]) {
  const within = (most: number) => places.filter((place) => place >= 0 && place < most).length / places.length
  return { first: within(1), ten: within(10) }
}

/** Plain BM25 over stems, all in memory: what a search can be expected to reach. */
function baseline(rows: readonly { title: string; body: string }[]) {
  const stemsIn = (text: string) =>
    wordsOf(text)
      .filter((word) => !isStopWord(word))
      .map(stemOf)
  const texts = rows.map(({ title, body }) => {
    const stems = stemsIn(`${title} ${htmlToText(body)}`)
    return { title, length: stems.length, counts: Map.groupBy(stems, (stem) => stem) }
  })
  const average = texts.reduce((sum, { length }) => sum + length, 0) / texts.length
  return (question: string): string[] => {
    const stems = [...new Set(stemsIn(question))].map((stem) => {
      const having = texts.filter(({ counts }) => counts.has(stem)).length
      return { stem, weight: Math.log(1 + (texts.length - having + 0.5) / (having + 0.5)) }
    })
    const scored = texts.map(({ title, length, counts }) => {
      const score = stems.reduce((sum, { stem, weight }) => {
        const often = counts.get(stem)?.length ?? 0
        return sum + (weight * often * 2.2) / (often + 1.2 * (0.25 + (0.75 * length) / average))
      }, 0)
      return { title, score }
    })
    return scored.sort((one, other) => other.score - one.score).map(({ title }) => title)
  }
}

it('answers questions about as well as BM25 over all texts in memory', async ({
  items: { db, rows },
  owner,
}) => {
  expect(ANSWERS.length).toBeGreaterThanOrEqual(100)
  const titles = new Map(rows.map(({ id, title }) => [id, title]))
  const ask = baseline(rows)
  const [places, expected]: [number[], number[]] = [[], []]
  for (const { title, question } of ANSWERS) {
    const { ids } = await search(db, {
      ...{ owner_id: owner.id, text: question, exact: false, kinds: ['note', 'link'] },
      ...{ limit: 10, offset: 0, excerpts: false },
    })
    places.push(ids.note.findIndex((id) => titles.get(id) === title))
    expected.push(ask(question).indexOf(title))
  }
  const [found, best] = [shares(places), shares(expected)]
  expect(found.ten).toBeGreaterThanOrEqual(0.97)
  expect(found.first).toBeGreaterThanOrEqual(0.88)
  expect(found.ten).toBeGreaterThanOrEqual(best.ten - 0.02)
  expect(found.first).toBeGreaterThanOrEqual(best.first - 0.04)
}, 120_000)

it.for([
  'абырвалг жмыхло пердюк щукрат вымзок ряпуха блямс турлы кхекса фуфырь',
  'qwrtpl zxcvbn plmkoj oknijb bvcxza dfghqw jklpoi rtyuio pasdvb mnbvcx',
])('finds nothing by nonsense: %s', async (text, { items: { db }, owner }) => {
  const { counts, partial } = await search(db, {
    ...{ owner_id: owner.id, text, exact: false, kinds: ['note', 'link'] },
    ...{ limit: 10, offset: 0, excerpts: false },
  })
  expect([counts, partial]).toEqual([{ note: 0, link: 0 }, undefined])
})
