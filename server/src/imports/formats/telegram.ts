import { escapeHtml } from '@kopilka/text/escape-html.ts'
import { textToHtml } from '@kopilka/text/text-to-html.ts'
import type { Adapter } from '../adapter.ts'
import { dateOf } from '../dates.ts'
import { textOf as textOfFile } from '../file.ts'
import { isEnd, type JsonPath, jsonEvents } from '../json-events.ts'
import { type RawRow, remarkOnOthers } from '../row.ts'
import { codeBlock, isAddress, withScheme } from '../text-body.ts'
import { countFilled, type Fields, fieldsOf, listOf, textOf } from '../values.ts'

/**
 * Telegram Desktop's result.json, of one chat or of the whole account. Of the account, «Saved messages» and chats without a
 * type are imported: what others wrote elsewhere is left there.
 */
export const telegram: Adapter = {
  id: 'telegram-json',
  recognises: ({ json }) =>
    json.has('messages.*.type') ||
    json.has('chats.list') ||
    // Contacts stand before the chats, and may be many.
    (json.has('about') && json.has('personal_information')),
  async *rows(file): AsyncGenerator<RawRow> {
    let [entry, type] = [0, '']
    for await (const event of jsonEvents(textOfFile(file), choose)) {
      if (isEnd(event)) {
        if (event.path.length === 3) type = ''
        continue
      }
      if (event.path.at(-1) === 'type') type = textOf(event.value)
      else {
        entry += 1
        const isOwn = type === 'saved_messages'
        const isOthers =
          event.path[0] === 'left_chats' || (event.path[0] === 'chats' && type !== '' && !isOwn)
        yield rowOf(fieldsOf(event.value), entry, { isOwn, isOthers })
      }
    }
  },
}

/** type and messages.N of one chat; chats.list.N.type and chats.list.N.messages.N of an account, the same of left_chats. */
function choose(path: JsonPath): 'enter' | 'take' | 'skip' {
  const [root, list, , key] = path
  if (root === 'type') return 'take'
  if (root === 'messages') return path.length === 1 ? 'enter' : 'take'
  if ((root !== 'chats' && root !== 'left_chats') || (path.length > 1 && list !== 'list')) return 'skip'
  if (path.length <= 3) return 'enter'
  if (key === 'type') return 'take'
  return key !== 'messages' ? 'skip' : path.length === 4 ? 'enter' : 'take'
}

/** What is said of a message beside its text. */
const OTHERS = ['reactions', 'reply_to_message_id', 'inline_bot_buttons', 'location_information']

interface Chat {
  readonly isOwn: boolean
  readonly isOthers: boolean
}

function rowOf(fields: Fields, entry: number, { isOwn, isOthers }: Chat): RawRow {
  const place = { entry }
  const parts = partsOf(fields)
  const text = parts.map((part) => part.text).join('')
  if (fields.type !== 'message')
    return { place, state: 'ignored', reason: 'importServiceMessage', title: textOf(fields.action) }
  if (isOthers) return { place, state: 'ignored', reason: 'importOthersChat', title: text.slice(0, 100) }
  if (text.trim() === '')
    return {
      place,
      state: 'ignored',
      reason: 'importNoText',
      title: textOf(fieldsOf(fields.poll).question) || textOf(fields.file_name) || textOf(fields.media_type),
    }
  const from = textOf(fields.forwarded_from) || textOf(fields.saved_from)
  const authors = new Set([from, isOwn ? '' : textOf(fields.from)].filter((name) => name !== ''))
  const common = {
    place,
    tags: parts.filter(({ type }) => type === 'hashtag').map((part) => part.text.replace(/^#/, '')),
    createdAt: timeOf(fields, 'date'),
    updatedAt: timeOf(fields, 'edited'),
    remarks: [
      ...(fields.photo || fields.file ? (['importAttachments:1'] as const) : []),
      ...remarkOnOthers(countFilled(fields, OTHERS)),
    ],
  }
  const source = [...authors].map((name) => textToHtml(`— ${name}`)).join('')
  const [only, more] = parts.filter((part) => part.text.trim() !== '')
  const url = only && !more && only.type === 'link' ? addressOf(only) : text
  if (isAddress(url)) return { ...common, url: url.trim(), body: source }
  return {
    ...common,
    title: text.trim().split('\n')[0],
    body: bodyOf(parts) + source,
  }
}

interface Part {
  readonly type: string
  readonly text: string
  readonly href: string
  /** Of code. */
  readonly language: string
}

/** Newer exports repeat the text as `text_entities`; in older ones `text` is a text or a list of texts and objects. */
function partsOf({ text, text_entities }: Fields): Part[] {
  const whole = listOf(Array.isArray(text) ? text : [text]).map(partOf)
  const entities = listOf(text_entities).map(partOf)
  const isSame = entities.map((part) => part.text).join('') === whole.map((part) => part.text).join('')
  return isSame ? entities : whole
}

function partOf(value: unknown): Part {
  const { type, text, href, language } = fieldsOf(value)
  return {
    type: textOf(type),
    text: typeof value === 'string' ? value : textOf(text),
    href: textOf(href),
    language: textOf(language),
  }
}

const ELEMENTS: Readonly<Record<string, string>> = {
  bold: 'strong',
  italic: 'em',
  underline: 'u',
  strikethrough: 's',
  code: 'code',
}

const BREAK = '<br />'

/** Code and quotations are blocks, all else is in paragraphs. */
function bodyOf(parts: readonly Part[]): string {
  let [html, line] = ['', '']
  const endParagraph = (): void => {
    let [start, end] = [0, line.length]
    while (line.startsWith(BREAK, start)) start += BREAK.length
    while (end > start && line.endsWith(BREAK, end)) end -= BREAK.length
    const inner = line.slice(start, end)
    if (inner.trim() !== '') html += `<p>${inner}</p>`
    line = ''
  }
  for (const part of parts)
    if (part.type === 'pre' || part.type === 'blockquote') {
      endParagraph()
      html +=
        part.type === 'pre'
          ? codeBlock(part.text, part.language)
          : `<blockquote>${textToHtml(part.text)}</blockquote>`
    } else line += htmlOf(part)
  endParagraph()
  return html
}

/** Where a part leads; a link may be written without its scheme. */
const addressOf = ({ type, text, href }: Part): string =>
  type === 'text_link' ? href : type === 'link' ? withScheme(text.trim()) : ''

function htmlOf(part: Part): string {
  const { type, text } = part
  const html = escapeHtml(text).replaceAll('\n', BREAK)
  const address = addressOf(part)
  // Cleaning takes away what leads to another program, or is code; a remark tells of it (finish-row.ts).
  if (address !== '') return `<a href="${escapeHtml(address.trim())}">${html}</a>`
  const element = ELEMENTS[type]
  return element ? `<${element}>${html}</${element}>` : html
}

/** Newer exports tell the second; older ones tell a local time without its zone. */
const timeOf = (fields: Fields, name: string): number | undefined =>
  dateOf(textOf(fields[`${name}_unixtime`]), textOf(fields[name]))
