import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { search } from '@kopilka/contract/search.ts'
import { stemsOf } from '@kopilka/text/stems.ts'
import { describe, expect, vi } from 'vitest'
import { openReader } from '../db/open.ts'
import { test } from '../testing/fixtures.ts'
import { search as searchItems } from './search.ts'

const it = test
  .extend('options', { scope: 'file' }, () => ({
    onStatement: (sql) => {
      if (IN_SEARCH.test(sql)) statements += 1
    },
  }))
  .extend('found', ({ app, owner }) => async (text: string) => {
    const response = await app.call(search, { query: { search: text, view: 'summary' } }, owner.auth)
    return response.notes_count
  })
  .extend('doneInTurn', ({ app }) => async (send: () => Promise<unknown>): Promise<string[]> => {
    const done: string[] = []
    const asked = send().then(() => done.push('request'))
    const health = fetch(`${app.address}/healthz`).then(() => done.push('health'))
    await Promise.all([asked, health])
    return done
  })

/** A read of the index, its vocabulary or items: jobs and the upkeep of the index send others meanwhile. */
const IN_SEARCH = /^\s*(?:select|with)\b.*\b(?:search_words|search_docs|search_forms|items)\b/s

/** Number of such statements sent to the database. */
let statements = 0
it.beforeAll(async ({ app, owner }) => {
  const content = `${'а б в г д е '.repeat(20_000)}конец`
  for (let at = 0; at < 3; at += 1) {
    await app.call(notes.create, { body: { title: `Записка ${at}`, content, tags: [] } }, owner.auth)
  }
})

describe('a query of nothing but phrases, over texts of 240,000 characters', () => {
  it.for(['"а"'.repeat(166), `конец ${'-"а а"'.repeat(82)}`])('completes (%#)', async (text, { found }) => {
    expect(await found(text)).toBe(3)
  })

  it('does not delay other requests', async ({ found, doneInTurn }) => {
    expect(await doneInTurn(() => found('"б а"'))).toEqual(['health', 'request'])
  })
})

describe('a partial search that reads whole texts', () => {
  it('does not delay other requests', async ({ found, doneInTurn }) => {
    const partial = async () => expect(await found('конец неведомое -"б а"')).toBe(3)
    expect(await doneInTurn(partial)).toEqual(['health', 'request'])
  })
})

describe('what is similar to a note of 3,000 different words', () => {
  it('does not delay other requests', async ({ app, account, doneInTurn }) => {
    const letters = (at: number) => [...String(at)].map((digit) => 'абвгдежзик'[Number(digit)]).join('')
    const content = Array.from({ length: 3_000 }, (_, at) => `щук${letters(at)}`).join(' ')
    const create = () =>
      app.call(notes.create, { body: { title: 'Список', content, tags: [] } }, account.auth)
    const [{ id }, other] = [await create(), await create()]
    const similar = async () => {
      const { results } = await app.call(notes.similar, { params: { id } }, account.auth)
      expect(results.map((one) => one.id)).toEqual([other.id])
    }
    expect(await doneInTurn(similar)).toEqual(['health', 'request'])
  })
})

describe('an excluded phrase', () => {
  it.for([
    ['записка -"шкаф стол"', 3, 0],
    ['записка -"б а"', 3, 1],
    ['записка -"а б"', 0, 1],
  ] as const)(
    'reads only the texts that may have it: %s',
    async ([text, count, expectedReads], { app, owner, onTestFinished }) => {
      let read = 0
      const db = openReader(app.database.settings, ({ sql }) => {
        read += Number(sql.includes('octet_length(body)'))
      })
      onTestFinished(() => db.destroy())
      const { counts } = await searchItems(db, {
        ...{ owner_id: owner.id, text, exact: true, kinds: ['note'], limit: 10, offset: 0, excerpts: true },
      })
      expect([counts.note, read]).toEqual([count, expectedReads])
    },
  )
})

describe('a query of 80 unknown words', () => {
  it('runs a few dozen statements', async ({ found }) => {
    const text = Array.from({ length: 80 }, (_, at) => `жщ${'абвгд'[at % 5]}${'клмнопрс'[at % 8]}ъ`).join(' ')
    statements = 0
    expect(await found(text)).toBe(0)
    expect(statements).toBeGreaterThan(0)
    expect(statements).toBeLessThan(100)
  })
})

describe('a query with 20 spelling corrections that lack its stop word, found among the links alone', () => {
  it('runs a few dozen statements on the notes', async ({ app, account }) => {
    const [one, other] = ['жжжжж', 'щщщщщ'].map((stem) => [...'клмнп'].map((letter) => `${stem}${letter}`))
    const body = { title: 'Слова', url: 'https://example.org/', tags: [] }
    const description = [...(one ?? []), ...(other ?? [])].join(' ')
    await app.call(links.create, { body: { ...body, description } }, account.auth)
    const query = { search: 'что жжжжжб щщщщщб', view: 'summary' } as const
    statements = 0
    const { count } = await app.call(notes.list, { query }, account.auth)
    expect(count).toBe(0)
    expect(statements).toBeGreaterThan(20)
    expect(statements).toBeLessThan(100)
  })
})

describe('a query of 250 single letters', () => {
  it('is searched in the other layout once', async ({ app, owner, onTestFinished }) => {
    let searched = 0
    const db = openReader(app.database.settings, ({ sql }) => {
      searched += Number(sql.includes('search_words'))
    })
    onTestFinished(() => db.destroy())
    const { counts } = await searchItems(db, {
      ...{ owner_id: owner.id, text: 'а б в г д е ж з и к '.repeat(25), exact: false },
      ...{ kinds: ['note', 'link'], limit: 10, offset: 0, excerpts: true },
    })
    expect(counts).toEqual({ note: 0, link: 0 })
    expect(searched).toBeGreaterThan(0)
    expect(searched).toBeLessThan(10)
  })
})

describe('a query of ten unknown words of 33 letters', () => {
  it('computes few stems, looks up few forms and keeps the cache of stems', async ({
    app,
    owner,
    onTestFinished,
  }) => {
    let [forms, together] = [0, 0]
    const db = openReader(app.database.settings, ({ sql, parameters }) => {
      statements += 1
      const lists = parameters.flatMap((value): unknown[][] => {
        if (Array.isArray(value)) return [value]
        return /^\[/.test(String(value)) ? [JSON.parse(String(value))] : []
      })
      if (sql.includes('search_forms')) for (const { length } of lists) forms += length
      // Terms that must occur together: in FTS5, and in a tsquery.
      else together += lists.flat().filter((condition) => / (?:AND|&) /.test(String(condition))).length
    })
    onTestFinished(() => db.destroy())
    const words = Array.from(
      { length: 10 },
      (_, at) => 'жщъыэюфхцчш'.repeat(3).slice(at) + 'жщъыэ'.repeat(3).slice(0, at),
    )
    expect(words.map(({ length }) => length)).toEqual(Array(10).fill(33))
    const cached = stemsOf('книгами')
    const stored = vi.spyOn(Map.prototype, 'set')
    onTestFinished(() => stored.mockRestore())
    statements = 0
    const { counts, corrected } = await searchItems(db, {
      owner_id: owner.id,
      text: words.join(' '),
      exact: false,
      kinds: ['note', 'link'],
      limit: 10,
      offset: 0,
      excerptLength: 100,
    })
    expect([counts, corrected]).toEqual([{ note: 0, link: 0 }, undefined])
    const isLong = (key: unknown) => typeof key === 'string' && key.length > 30
    const keys = new Set(stored.mock.calls.map(([key]) => key).filter(isLong))
    expect(keys.size).toBeLessThan(100)
    // The vocabulary has no form of 33 letters or more: only those without one letter of the word can be in it, and those with its
    // first letters.
    expect(forms).toBe(5)
    // In the other layout each is several words, of which the longest is in no item.
    expect(together).toBe(0)
    expect(statements).toBeLessThan(100)
    expect(stemsOf('книгами')).toBe(cached)
  })
})
