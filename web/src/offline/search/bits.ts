/** A set of numbers: bit n of the words is set for the number n. Sets of different lengths can be joined. */
export type Bits = Uint32Array<ArrayBuffer>

/** An empty set for numbers below `size`, or `from` with room for them. Grows by half, so that few numbers in turn copy it. */
export function bitsFor(size: number, from?: Bits): Bits {
  const words = (size + 31) >> 5
  if (from && words <= from.length) return from
  const bits = new Uint32Array(from ? Math.max(words, (from.length * 3) >> 1) : words)
  if (from) bits.set(from)
  return bits
}

export const has = (bits: Bits, number: number): boolean =>
  ((bits[number >> 5] ?? 0) & (1 << (number & 31))) !== 0

/** Adds a number. The result is another array where there was no room. */
export function set(bits: Bits, number: number): Bits {
  const ample = bitsFor(number + 1, bits)
  ample[number >> 5] = (ample[number >> 5] ?? 0) | (1 << (number & 31))
  return ample
}

export function unset(bits: Bits, number: number): void {
  bits[number >> 5] = (bits[number >> 5] ?? 0) & ~(1 << (number & 31))
}

/** Each changes the first set, and returns it. */
export function and(bits: Bits, others: Bits): Bits {
  for (let at = 0; at < bits.length; at += 1) bits[at] = (bits[at] ?? 0) & (others[at] ?? 0)
  return bits
}

export function andNot(bits: Bits, others: Bits): Bits {
  for (let at = 0; at < bits.length; at += 1) bits[at] = (bits[at] ?? 0) & ~(others[at] ?? 0)
  return bits
}

export function or(bits: Bits, others: Bits): Bits {
  for (let at = 0; at < bits.length; at += 1) bits[at] = (bits[at] ?? 0) | (others[at] ?? 0)
  return bits
}

/** How many numbers a set has. */
export function count(bits: Bits): number {
  let total = 0
  for (const word of bits) {
    const pairs = word - ((word >>> 1) & 0x55555555)
    const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
    total += Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
  }
  return total
}
