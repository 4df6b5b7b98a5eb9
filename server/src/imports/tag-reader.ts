import { Tokenizer } from 'htmlparser2'
import { ImportError } from './row.ts'

/** UTF-16 units that one tag, comment or CDATA section may have. */
const MAX_PIECE = 32 * 1024 * 1024

/** What a file of tags is made of, in its order. Names of tags and attributes are in lower case. */
export type TagEvent =
  | { readonly type: 'open'; readonly name: string; readonly attributes: Readonly<Record<string, string>> }
  | { readonly type: 'close'; readonly name: string }
  | { readonly type: 'text'; readonly text: string }

interface Options {
  readonly xml?: boolean
  /** Elements to report; absent: all. Text is reported in any case. */
  readonly only?: ReadonlySet<string>
  /** Attributes to pass over: pictures in data: addresses, mostly. */
  readonly without?: readonly string[]
}

/**
 * Reads HTML or XML a piece at a time with htmlparser2's tokenizer, without a tree and without a stack: a million open
 * elements take no memory. Declarations are passed over, so XML entities stay what they are.
 */
export async function* tagEvents(
  text: AsyncIterable<string>,
  { xml = false, only, without = [] }: Options = {},
): AsyncGenerator<TagEvent> {
  let events: TagEvent[] = []
  // What the tokenizer may still refer to, by its position in the whole text.
  let [buffer, start, lastEvent, written] = ['', 0, 0, 0]
  let name = ''
  let attributes: Record<string, string> = {}
  let [attribute, value] = ['', '']

  const isReported = (element: string): boolean => only?.has(element) ?? true
  const slice = (from: number, to: number): string => buffer.slice(from - start, to - start)
  const seen = (end: number): void => {
    lastEvent = end
  }
  const onText = (from: number, to: number): void => {
    seen(to)
    events.push({ type: 'text', text: slice(from, to) })
  }
  const onOpen = (end: number): void => {
    seen(end)
    if (isReported(name)) events.push({ type: 'open', name, attributes })
    attributes = {}
  }
  const tokenizer = new Tokenizer(
    { xmlMode: xml, decodeEntities: true },
    {
      ontext: onText,
      ontextentity(codepoint, end) {
        seen(end)
        events.push({ type: 'text', text: String.fromCodePoint(codepoint) })
      },
      oncdata: (from, end, offset) => onText(from, end - offset),
      onopentagname(from, end) {
        seen(end)
        name = slice(from, end).toLowerCase()
      },
      onattribname(from, end) {
        seen(end)
        attribute = slice(from, end).toLowerCase()
        value = ''
      },
      onattribdata(from, end) {
        seen(end)
        if (!without.includes(attribute)) value += slice(from, end)
        if (value.length > MAX_PIECE) throw new ImportError('importLongEntry')
      },
      onattribentity(codepoint) {
        if (!without.includes(attribute)) value += String.fromCodePoint(codepoint)
      },
      onattribend(_, end) {
        seen(end)
        if (!Object.hasOwn(attributes, attribute)) attributes[attribute] = value
      },
      onopentagend: onOpen,
      onselfclosingtag(end) {
        onOpen(end)
        if (xml && isReported(name)) events.push({ type: 'close', name })
      },
      onclosetag(from, end) {
        seen(end)
        const closed = slice(from, end).trim().toLowerCase()
        if (isReported(closed)) events.push({ type: 'close', name: closed })
      },
      oncomment: (_, end) => seen(end),
      ondeclaration: (_, end) => seen(end),
      onprocessinginstruction: (_, end) => seen(end),
      onend: () => undefined,
    },
  )
  for await (const piece of text) {
    buffer += piece
    written += piece.length
    tokenizer.write(piece)
    if (written - lastEvent > MAX_PIECE) throw new ImportError('importLongEntry')
    buffer = buffer.slice(lastEvent - start)
    start = lastEvent
    yield* events
    events = []
  }
  tokenizer.end()
  yield* events
}
