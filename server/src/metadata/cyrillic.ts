/** Encodings of Russian, most frequent first. */
const ENCODINGS = ['windows-1251', 'koi8-r', 'ibm866', 'iso-8859-5'] as const

/** Letter frequencies of Russian, per hundred thousand (Russian National Corpus). */
const LETTERS: Readonly<Record<string, number>> = {
  ...{ о: 10_983, е: 8_483, а: 7_998, и: 7_367, н: 6_700, т: 6_318, с: 5_473, р: 4_746, в: 4_533, л: 4_343 },
  ...{ к: 3_486, м: 3_203, д: 2_977, п: 2_804, у: 2_615, я: 2_001, ы: 1_898, ь: 1_735, г: 1_687, з: 1_641 },
  ...{ б: 1_592, ч: 1_450, й: 1_208, х: 966, ж: 940, ш: 718, ю: 639, ц: 486, щ: 361, э: 331, ф: 267 },
  ...{ ъ: 37, ё: 13 },
}
/** Frequency of characters between words. */
const MARK = 100
const MARKS = new Set('«»—–…„“”’№\u00a0')
/** Frequency of any other character. */
const STRANGER = 0.1
/** Factor for capitals: rarer than lower-case letters, above all after one. Wrong encodings swap the two. */
const CAPITAL = 0.1
const CAPITAL_INSIDE = 0.001

/** Most characters that are examined. */
const ENOUGH = 20_000

/** Guesses the encoding of a page that declares none and is not UTF-8; `windows-1252` if it does not look Russian. */
export function guessEncoding(bytes: Uint8Array): string {
  if (isLatin(new TextDecoder('windows-1252').decode(bytes))) return 'windows-1252'
  const guesses = ENCODINGS.map((encoding) => ({
    encoding,
    likelihood: likelihoodOf(new TextDecoder(encoding).decode(bytes)),
  }))
  return guesses.reduce((best, other) => (other.likelihood > best.likelihood ? other : best)).encoding
}

/** Whether most letters above ASCII are next to ASCII letters, as in café and not as in Привет. */
function isLatin(text: string): boolean {
  let [runs, besideAscii] = [0, 0]
  for (const [run] of text.matchAll(/[a-z]?[\u0080-\uffff]+[a-z]?/gi)) {
    runs += 1
    if (/[a-z]/i.test(run)) besideAscii += 1
    if (runs === ENOUGH) break
  }
  return besideAscii * 2 > runs
}

/** Log-likelihood that a text is Russian. */
function likelihoodOf(text: string): number {
  let [sum, seen] = [0, 0]
  for (const [run] of text.matchAll(/[\u0080-\uffff]+/g)) {
    for (let at = 0; at < run.length && seen < ENOUGH; at += 1) {
      sum += Math.log(frequencyOf(run.charAt(at), run.charAt(at - 1)))
      seen += 1
    }
    if (seen === ENOUGH) break
  }
  return sum
}

function frequencyOf(character: string, previous: string): number {
  const small = character.toLowerCase()
  const frequency = LETTERS[small] ?? (MARKS.has(character) ? MARK : STRANGER)
  if (small === character) return frequency
  if (previous in LETTERS) return frequency * CAPITAL_INSIDE
  return previous.toLowerCase() in LETTERS ? frequency : frequency * CAPITAL
}
