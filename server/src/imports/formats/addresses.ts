import type { Adapter } from '../adapter.ts'
import { textOf } from '../file.ts'
import { ImportError, type RawRow } from '../row.ts'

const ADDRESS = /(?:https?|ftp):\/\/[^\s<>"|]+/i
/** UTF-16 units of a line. */
const MAX_LINE = 1_000_000

/** A line's mark of a list, in Markdown or numbered. */
const BULLET = /^\s*(?:[-*+•]|\d+[.)])\s+(?:\[[ xX]\]\s+)?/
const MARKDOWN_LINK = /^\[([^\]]*)\]\((\S+?)(?:\s+"[^"]*")?\)(.*)$/

/** A plain list of addresses, one a line, with a title before or after it perhaps ('address | title' as OneTab writes it). */
export const addresses: Adapter = {
  id: 'addresses',
  recognises({ name, head }) {
    // A note in Markdown may be a list of links, and stays one note.
    if (/\.(?:md|markdown|mdown|mkd)$/i.test(name) || head.startsWith('---')) return false
    const lines = head
      .split(/\r\n?|\n/)
      .slice(0, 200)
      .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    const listed = lines.filter((line) => isListed(line))
    return listed.length > 0 && listed.length * 2 > lines.length
  },
  async *rows(file): AsyncGenerator<RawRow> {
    let number = 0
    for await (const line of linesOf(textOf(file))) {
      number += 1
      const row = rowOf(line, number)
      if (row) yield row
    }
  },
}

/** Whether a line is an address with at most a title: a sentence that names one is a note. */
function isListed(line: string): boolean {
  const text = line.replace(BULLET, '').trim()
  const address = ADDRESS.exec(text)?.[0]
  if (address === undefined) return /^javascript:|^data:/i.test(text)
  return text.startsWith(address) || text.endsWith(address) || MARKDOWN_LINK.test(text)
}

function rowOf(line: string, number: number): RawRow | undefined {
  const text = line.replace(BULLET, '').trim()
  const place = { line: number }
  if (text === '') return undefined
  const [, name, target] = MARKDOWN_LINK.exec(text) ?? []
  if (target !== undefined) return { place, url: target, title: name }
  const address = ADDRESS.exec(text)?.[0]
  if (address !== undefined)
    return {
      place,
      url: address,
      title: text.replace(address, '').replace(/^[\s|,;:–—-]+|[\s|,;:–—-]+$/g, ''),
    }
  if (/^[a-z][a-z\d+.-]*:\S/i.test(text)) return { place, url: text }
  if (/^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?:[:/?#]\S*)?$/u.test(text))
    return { place, url: `https://${text}` }
  return { place, state: 'ignored', reason: 'importNoAddressInLine', title: text.slice(0, 255) }
}

async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of text) {
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    if (rest.length > MAX_LINE) throw new ImportError('importLongEntry')
    yield* lines
  }
  if (rest !== '') yield rest
}
