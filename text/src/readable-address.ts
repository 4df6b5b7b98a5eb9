/** RFC 3492, section 5. */
const BASE = 36
const T_MIN = 1
const T_MAX = 26
const SKEW = 38
const DAMP = 700
const FIRST_BIAS = 72
const FIRST_CODE = 128

/** The address for display, with percent-encoding and punycode decoded. The stored address is not changed. */
export function readableAddress(url: string): string {
  return url
    .replace(
      /^([a-z]+:\/\/(?:[^/?#@]*@)?)([^/?#:]+)/i,
      (_, before: string, host: string) => before + readableHost(host),
    )
    .replace(/(?:%[\da-f]{2})+/gi, decoded)
}

/** Decodes the punycode labels of a host: 'xn--80a1acny.xn--p1ai' is 'почта.рф'. */
export const readableHost = (host: string): string =>
  host
    .split('.')
    .map((label) => (/^xn--/i.test(label) ? readableLabel(label) : label))
    .join('.')

/** Matches a name that mixes look-alike letters of two alphabets, as in a homograph attack. */
const MIXED = /[a-z].*[\p{Script=Cyrillic}\p{Script=Greek}]|[\p{Script=Cyrillic}\p{Script=Greek}].*[a-z]/iu

function readableLabel(label: string): string {
  const letters = fromPunycode(label.slice(4))
  return letters === undefined || MIXED.test(letters) ? label : letters
}

/** Decodes letters and digits; characters that are invisible or have a meaning in an address stay percent-encoded. */
function decoded(encoded: string): string {
  try {
    return decodeURIComponent(encoded).replace(/[^\p{L}\p{M}\p{N}\-._~()',!«»—–]/gu, encodeURIComponent)
  } catch {
    return encoded
  }
}

/** Decodes punycode; undefined if the text is not valid. */
function fromPunycode(text: string): string | undefined {
  const delimiter = text.lastIndexOf('-')
  const codes = [...text.slice(0, Math.max(delimiter, 0))].map((letter) => letter.charCodeAt(0))
  let [code, bias, index] = [FIRST_CODE, FIRST_BIAS, 0]
  for (let at = delimiter + 1; at < text.length; ) {
    const before = index
    for (let [weight, position] = [1, BASE]; ; position += BASE) {
      const digit = digitOf(text[at])
      at += 1
      if (digit === undefined) return undefined
      index += digit * weight
      const threshold = Math.min(Math.max(position - bias, T_MIN), T_MAX)
      if (digit < threshold) break
      weight *= BASE - threshold
    }
    bias = adapted(index - before, codes.length + 1, before === 0)
    code += Math.floor(index / (codes.length + 1))
    index %= codes.length + 1
    if (code > 0x10_ff_ff) return undefined
    codes.splice(index, 0, code)
    index += 1
  }
  return String.fromCodePoint(...codes)
}

function digitOf(letter = ''): number | undefined {
  if (/[a-z]/i.test(letter)) return letter.toLowerCase().charCodeAt(0) - 97
  return /\d/.test(letter) ? Number(letter) + 26 : undefined
}

function adapted(delta: number, length: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? DAMP : 2))
  rest += Math.floor(rest / length)
  let position = 0
  while (rest > ((BASE - T_MIN) * T_MAX) / 2) {
    rest = Math.floor(rest / (BASE - T_MIN))
    position += BASE
  }
  return position + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW))
}
