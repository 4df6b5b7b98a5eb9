/** Encodes text in a single-byte encoding; throws on a character that the encoding lacks. */
export function encodeSingleByte(text: string, encoding: string): Uint8Array<ArrayBuffer> {
  const decoder = new TextDecoder(encoding)
  const bytes = new Map(
    Array.from({ length: 256 }, (_, byte): [string, number] => [decoder.decode(Uint8Array.of(byte)), byte]),
  )
  return Uint8Array.from(text, (character) => {
    const byte = bytes.get(character)
    if (byte === undefined) throw new Error(`${encoding} has no ${character}`)
    return byte
  })
}
