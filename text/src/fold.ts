/** Lower-case letters, digits and signs of ASCII: folding does not change them. */
const PLAIN = /^[ -~а-я]*$/

/**
 * Folds a word for comparison: case, accents and the dots of ё make no difference. й stays different from и, although
 * Unicode decomposes it.
 */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  if (PLAIN.test(lower)) return lower
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/и\u0306/g, 'й')
    .replace(/\p{M}+/gu, '')
    .replaceAll('ß', 'ss')
    .replaceAll('ς', 'σ')
}
