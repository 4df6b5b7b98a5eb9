/** UTF-16 has the surrogates of later characters before U+E000. */
const placeOf = (unit: number): number =>
  unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800

/** Compares texts by code points, as databases compare UTF-8, where JavaScript compares UTF-16 units. */
export function byCodePoints(one: string, other: string): number {
  const length = Math.min(one.length, other.length)
  for (let at = 0; at < length; at += 1) {
    const [first, second] = [one.charCodeAt(at), other.charCodeAt(at)]
    if (first !== second) return placeOf(first) - placeOf(second)
  }
  return one.length - other.length
}
