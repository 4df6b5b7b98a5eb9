import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { sampleItems } from '../../scripts/samples/sample-items.ts'

/** A row of the baseline's table. */
export interface BareRow {
  readonly title: string
  readonly body: string
}

type Lines = Generator<{ line: string; row?: BareRow }>

/** Of the samples six in ten are notes, four are links. */
const samplesFor = (count: number) => sampleItems({ count: count * 3, seed: 15, until: Date.now() })

const inHtml = (text: string): string =>
  text.replace(/[<>&"]/g, (sign) => ({ '<': '&lt;', '>': '&gt;', '&': '&amp;' })[sign] ?? '&quot;')

/** A browser's bookmarks, a hundred in each folder. */
export function* bookmarks(count: number): Lines {
  yield { line: '<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>' }
  let written = 0
  for (const item of samplesFor(count)) {
    if (item.kind === 'note' || written === count) continue
    const { title, url, tags = [] } = item.save
    if (written % 100 === 0)
      yield { line: `${written > 0 ? '</DL><p>\n' : ''}<DT><H3>Папка ${written / 100}</H3>\n<DL><p>` }
    written += 1
    const attributes = `ADD_DATE="${Math.floor(item.created_at / 1000)}" TAGS="${inHtml(tags.join(','))}"`
    yield {
      line: `<DT><A HREF="${inHtml(url)}${written}" ${attributes}>${inHtml(title)}</A>`,
      row: { title, body: url },
    }
  }
  yield { line: '</DL><p>\n</DL><p>' }
}

/** Characters of the HTML of a note, so that 50,000 of them are some 300 MB. */
const NOTE_LENGTH = 3_400

/** The lines of Копилка's own archive. */
export function* longNotes(count: number): Lines {
  yield { line: JSON.stringify({ type: 'kopilka', version: 1, exported_at: new Date().toISOString() }) }
  let [written, body] = [0, '']
  for (let seed = 1; ; seed += 1)
    for (const item of sampleItems({ count: 100_000, seed, until: Date.now() })) {
      if (item.kind === 'link') continue
      body += item.save.content
      if (body.length < NOTE_LENGTH) continue
      const { title, tags } = item.save
      const created_at = new Date(item.created_at).toISOString()
      yield {
        line: JSON.stringify({ type: 'note', title, content: body, tags, created_at }),
        row: { title, body },
      }
      ;[written, body] = [written + 1, '']
      if (written === count) return
    }
}

/** Writes a file; resolves to the rows of it that the baseline inserts. */
export async function writeFile(path: string, lines: Lines): Promise<BareRow[]> {
  const file = createWriteStream(path)
  const rows: BareRow[] = []
  for (const { line, row } of lines) {
    if (row) rows.push(row)
    if (!file.write(`${line}\n`)) await once(file, 'drain')
  }
  file.end()
  await finished(file)
  return rows
}
