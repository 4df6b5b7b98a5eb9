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
