/** Ids in a piece. */
const IDS = 100

/**
 * Many ids in their order, a hundred in each text: a million texts would take most of a second to move between threads, ten
 * thousand long ones a few milliseconds.
 */
export type IdPieces = readonly string[]

export const inPieces = (ids: readonly string[]): IdPieces =>
  Array.from({ length: Math.ceil(ids.length / IDS) }, (_, at) =>
    ids.slice(at * IDS, (at + 1) * IDS).join(' '),
  )

export const idsInPiece = (piece: string): string[] => piece.split(' ')
