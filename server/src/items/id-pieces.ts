/** Ids in a piece. */
const IDS = 100

/**
 * Many ids in their order, a hundred in each text: a million texts would take most of a second to move between threads, ten
 * thousand long ones a few milliseconds.
 */
export type IdPieces = readonly IdPiece[]

/** An object, so that the compiler does not take it for an id. */
export interface IdPiece {
  readonly joined: string
}

export const inPieces = (ids: readonly string[]): IdPieces =>
  Array.from({ length: Math.ceil(ids.length / IDS) }, (_, at) => ({
    joined: ids.slice(at * IDS, (at + 1) * IDS).join(' '),
  }))

export const idsInPiece = ({ joined }: IdPiece): string[] => joined.split(' ')

/** How many ids the pieces of a list have: all but the last are full. */
export const countIds = (pieces: IdPieces): number =>
  pieces.slice(-1).reduce((_, last) => (pieces.length - 1) * IDS + idsInPiece(last).length, 0)

function* idsIn(pieces: IdPieces): Generator<string, undefined> {
  for (const piece of pieces) yield* idsInPiece(piece)
}

function* merged(one: Generator<string, undefined>, other: Generator<string, undefined>): Generator<string> {
  let [first, second] = [one.next().value, other.next().value]
  for (;;) {
    const next = first === undefined || (second !== undefined && second < first) ? second : first
    if (next === undefined) return
    yield next
    if (first === next) first = one.next().value
    if (second === next) second = other.next().value
  }
}

/** The ids of two sorted lists, each once and sorted. Takes a tenth of a second for a million: runs in a worker thread. */
export const unionOf = ([one, other]: readonly [IdPieces, IdPieces]): IdPieces =>
  inPieces([...merged(idsIn(one), idsIn(other))])
