import { type ImportFile, textOf } from './file.ts'
import { ImportError } from './row.ts'

export type JsonPath = readonly (string | number)[]

/** A value that was asked for, or the end of a container that was entered. */
export type JsonEvent =
  | { readonly path: JsonPath; readonly value: unknown }
  | { readonly path: JsonPath; readonly end: true }

/** What to do with a value: look into it, parse it whole, or pass over it. */
export type JsonChoice = 'enter' | 'take' | 'skip'

/** Containers inside one another that are entered. */
const MAX_DEPTH = 200
/** UTF-16 units of one value that is parsed whole. */
const MAX_VALUE = 16 * 1024 * 1024

interface Container {
  readonly kind: '{' | '['
  key: string | number
  state: 'key' | 'colon' | 'value' | 'next'
}

export const isEnd = (event: JsonEvent): event is Extract<JsonEvent, { end: true }> => 'end' in event

/**
 * Reads JSON of any size a piece at a time: `choose` says of each value, by its path, what to do with it. Throws
 * 'importBrokenJson' where the text is no JSON, 'importCutFile' where it ends too early.
 */
export async function* jsonEvents(
  text: AsyncIterable<string>,
  choose: (path: JsonPath) => JsonChoice,
): AsyncGenerator<JsonEvent> {
  const scanner = createScanner(choose)
  for await (const piece of text) yield* scanner.write(piece)
  if (!scanner.isWhole()) throw new ImportError('importCutFile')
}

/** The paths of the first values of a JSON text that may be cut off, indexes as '*': 'items.*.title'. Three levels deep. */
export function jsonShape(head: string): Set<string> {
  const paths = new Set<string>()
  const scanner = createScanner((path) => {
    paths.add(path.map((key) => (typeof key === 'number' ? '*' : key)).join('.'))
    return path.length < 3 ? 'enter' : 'skip'
  })
  try {
    for (const _ of scanner.write(head)) if (paths.size > 5000) break
  } catch (error) {
    if (!(error instanceof ImportError)) throw error
  }
  return paths
}

function createScanner(choose: (path: JsonPath) => JsonChoice) {
  const stack: Container[] = []
  let [isStarted, isDone] = [false, false]
  /** The value that is being read: its text where it is taken. */
  let value:
    | { choice: JsonChoice; text: string; depth: number; isString: boolean; isEscape: boolean }
    | undefined
  /** A key that is being read. */
  let key: string | undefined
  /** The last character of the key before this piece begins an escape. */
  let isKeyEscape = false

  const pathHere = (): JsonPath => stack.map((container) => container.key)

  function* write(piece: string): Generator<JsonEvent> {
    let at = 0
    while (at < piece.length) {
      if (value) {
        const end = endOf(piece, at)
        if (value.choice === 'take') value.text += piece.slice(at, end.at)
        if (value.text.length > MAX_VALUE) throw new ImportError('importLongEntry')
        at = end.at
        if (!end.isEnd) continue
        const { choice, text } = value
        value = undefined
        if (choice === 'take') yield { path: pathHere(), value: parsed(text) }
        closeValue()
        continue
      }
      if (key !== undefined) {
        at = readKey(piece, at)
        continue
      }
      const character = piece[at] ?? ''
      if (/\s|\uFEFF/.test(character)) at += 1
      else if (isDone) throw new ImportError('importBrokenJson')
      else {
        const closed = structure(character)
        if (closed === 'value') openValue(character)
        else {
          if (closed === 'end') {
            yield { path: pathHere(), end: true }
            closeValue()
          }
          at += 1
        }
        if (closed === 'value' && value === undefined) at += 1
      }
    }
  }

  /** Handles a character between values; 'value' where one begins, 'end' where a container has ended. */
  function structure(character: string): 'value' | 'end' | undefined {
    const top = stack.at(-1)
    if (!top) return 'value'
    const isBefore = top.state === (top.kind === '{' ? 'key' : 'value')
    if (character === (top.kind === '{' ? '}' : ']') && (isBefore || top.state === 'next')) {
      stack.pop()
      return 'end'
    }
    if (top.state === 'next' && character === ',') {
      if (typeof top.key === 'number') top.key += 1
      top.state = top.kind === '{' ? 'key' : 'value'
    } else if (top.state === 'colon' && character === ':') top.state = 'value'
    else if (top.state === 'key' && character === '"') key = ''
    else if (top.state === 'value') return 'value'
    else throw new ImportError('importBrokenJson')
    return undefined
  }

  function openValue(character: string): void {
    isStarted = true
    const isContainer = character === '{' || character === '['
    const path = pathHere()
    const choice = stack.length === 0 && isContainer ? 'enter' : choose(path)
    if (choice === 'enter' && isContainer) {
      if (stack.length >= MAX_DEPTH) throw new ImportError('importTooDeep')
      stack.push(
        character === '{' ? { kind: '{', key: '', state: 'key' } : { kind: '[', key: 0, state: 'value' },
      )
      return
    }
    if (!/["{[\-\dtfn]/.test(character)) throw new ImportError('importBrokenJson')
    value = {
      // A plain value where a container was expected is taken: the adapter sees that it is none.
      choice: choice === 'enter' ? 'take' : choice,
      text: '',
      depth: 0,
      isString: false,
      isEscape: false,
    }
  }

  /** Where the current value ends in a piece. */
  function endOf(piece: string, from: number): { at: number; isEnd: boolean } {
    if (!value) return { at: from, isEnd: true }
    const isPlain =
      value.text === '' && value.depth === 0 && !value.isString && /[-\dtfn]/.test(piece[from] ?? '')
    if (isPlain || value.depth < 0) {
      value.depth = -1
      PLAIN_END.lastIndex = from
      const end = PLAIN_END.exec(piece)?.index
      return end === undefined ? { at: piece.length, isEnd: false } : { at: end, isEnd: true }
    }
    for (let at = from; ; ) {
      if (value.isEscape) {
        value.isEscape = false
        at += 1
      }
      const marks = value.isString ? STRING_MARKS : MARKS
      marks.lastIndex = at
      const found = marks.exec(piece)
      if (!found) return { at: piece.length, isEnd: false }
      at = found.index + 1
      const [mark] = found
      if (mark === '\\') value.isEscape = true
      else if (mark === '"') value.isString = !value.isString
      else value.depth += mark === '{' || mark === '[' ? 1 : -1
      if (value.depth === 0 && !value.isString && !value.isEscape) return { at, isEnd: true }
      if (at >= piece.length) return { at: piece.length, isEnd: false }
    }
  }

  function readKey(piece: string, from: number): number {
    const top = stack.at(-1)
    for (let at = from; at < piece.length; ) {
      if (isKeyEscape) {
        isKeyEscape = false
        at += 1
        continue
      }
      STRING_MARKS.lastIndex = at
      const found = STRING_MARKS.exec(piece)
      if (!found) break
      at = found.index + 1
      if (found[0] === '\\') {
        isKeyEscape = true
        continue
      }
      const text = checked(key + piece.slice(from, found.index))
      if (top) {
        top.key = String(parsed(`"${text}"`))
        top.state = 'colon'
      }
      key = undefined
      return at
    }
    key = checked(key + piece.slice(from))
    return piece.length
  }

  function closeValue(): void {
    const top = stack.at(-1)
    if (top) top.state = 'next'
    else isDone = true
  }

  return {
    write,
    isWhole: (): boolean => isStarted && stack.length === 0 && (isDone || value?.depth === -1),
  }
}

const PLAIN_END = /[\s,\]}]/g
const STRING_MARKS = /["\\]/g
const MARKS = /["{}[\]]/g

/** UTF-16 units of a key. */
const MAX_KEY = 10_000

function checked(key: string): string {
  if (key.length > MAX_KEY) throw new ImportError('importBrokenJson')
  return key
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ImportError('importBrokenJson')
  }
}

/** The elements of a list under a key of the outermost object, with their numbers from 1. */
export async function* elementsOf(
  file: ImportFile,
  list: string,
): AsyncGenerator<{ value: unknown; entry: number }> {
  let entry = 0
  const choose = (path: JsonPath): JsonChoice =>
    path[0] !== list ? 'skip' : path.length === 1 ? 'enter' : 'take'
  for await (const event of jsonEvents(textOf(file), choose))
    if (!isEnd(event)) {
      entry += 1
      yield { value: event.value, entry }
    }
}
