import { textToHtml } from '@kopilka/text/text-to-html.ts'
import type { Adapter } from '../adapter.ts'
import { textOf } from '../file.ts'
import { ImportError, type ItemState, type RawRow } from '../row.ts'

const ADDRESS = /(?:https?|ftp):\/\/[^\s<>"|]+/i
/** As people write addresses without a scheme. */
const WWW = /^www\.[^\s<>"|.]+\.[^\s<>"|]+$/i

/** The address in a text, without the sentence around it: an end mark, or a bracket that closes none of its own. */
function addressIn(text: string): string | undefined {
  const found = ADDRESS.exec(text)?.[0]
  if (found === undefined) return undefined
  let unopened = found.split(')').length - found.split('(').length
  // A line that is nothing else is no sentence: 'https://en.wikipedia.org/wiki/Apple_Inc.'
  const marks = found === text.trim() ? /[,;]/ : /[,;.!'»]/
  let end = found.length
  for (; end > 0; end -= 1) {
    const last = found[end - 1] ?? ''
    if (last === ')' && unopened > 0) unopened -= 1
    else if (!marks.test(last)) break
  }
  return found.slice(0, end)
}
/** UTF-16 units of a line. */
const MAX_LINE = 1_000_000

/** A line's mark of a list, in Markdown or numbered, and that of a task. */
const BULLET = /^\s*(?:[-*+•]|\d+[.)])\s+(?:\[([ xX])\]\s+)?/
/** An address may have brackets in it, in pairs. */
const MARKDOWN_LINK = /^\[([^\]]*)\]\(((?:[^\s()]|\([^\s()]*\))+)(?:\s+"([^"]*)")?\)(.*)$/

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
      yield* rowsOf(line, number)
    }
  },
}

/** Whether a line is an address with at most a title: a sentence that names one is a note. */
function isListed(line: string): boolean {
  const text = line.replace(BULLET, '').trim()
  const address = addressIn(text)
  if (address === undefined) return /^javascript:|^data:/i.test(text) || WWW.test(text)
  const [start, end] = text.split(address, 2)
  return !/[^<("]/.test(start ?? '') || !/[^>)".,;]/.test(end ?? '') || MARKDOWN_LINK.test(text)
}

/** The addresses of a line that is nothing but a list of them. */
function listIn(text: string): string[] {
  const parts = text.split(/[\s,;](?=(?:https?|ftp):\/\/)/i)
  const urls = parts.map((part) => (/^(?:https?|ftp):/i.test(part) ? (addressIn(part) ?? '') : ''))
  const isList = urls.every((url, at) => url !== '' && /^[\s,;]*$/.test(parts[at]?.slice(url.length) ?? ''))
  return isList ? [...new Set(urls)] : []
}

/** What the tick of a task says. */
const statesOf = (line: string): ItemState[] => (/x/i.test(BULLET.exec(line)?.[1] ?? '') ? ['done'] : [])

function rowsOf(line: string, number: number): RawRow[] {
  const urls = listIn(line.replace(BULLET, '').trim())
  if (urls.length > 1) return urls.map((url) => ({ place: { line: number }, url, states: statesOf(line) }))
  const row = rowOf(line, number)
  return row ? [row] : []
}

function rowOf(line: string, number: number): RawRow | undefined {
  const text = line.replace(BULLET, '').trim()
  const place = { line: number }
  if (text === '') return undefined
  const states = statesOf(line)
  const [, name, target, about = '', rest = ''] = MARKDOWN_LINK.exec(text) ?? []
  if (target !== undefined) {
    const body = textToHtml(about) + textToHtml(withoutMarks(rest))
    return { place, url: target, title: name, body, states }
  }
  const address = addressIn(text)
  if (address !== undefined) {
    const around = text.replace(address, ' ').replace(/<\s>|\(\s\)|"\s"/, ' ')
    return { place, url: address, title: /[\p{L}\p{N}]/u.test(around) ? withoutMarks(around) : '', states }
  }
  if (/^[a-z][a-z\d+.-]*:\S/i.test(text)) return { place, url: text }
  if (/^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?:[:/?#]\S*)?$/u.test(text))
    return { place, url: `https://${text}` }
  return { place, state: 'ignored', reason: 'importNoAddressInLine', title: text.slice(0, 255) }
}

const MARK = /[\s|,;:–—-]/

/** A text without the marks at both ends. */
function withoutMarks(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && MARK.test(text.charAt(start))) start += 1
  while (start < end && MARK.test(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
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
