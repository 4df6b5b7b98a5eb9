/** The same keys under the English and the Russian layout, without and with Shift. */
const ENGLISH = '`qwertyuiop[]asdfghjkl;\'zxcvbnm,.~QWERTYUIOP{}ASDFGHJKL:"ZXCVBNM<>/?'
const RUSSIAN = 'ёйцукенгшщзхъфывапролджэячсмитьбюЁЙЦУКЕНГШЩЗХЪФЫВАПРОЛДЖЭЯЧСМИТЬБЮ.,'

const PUNCTUATION_AROUND = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu

const keysFrom = (from: string, to: string): ReadonlyMap<string, string> =>
  new Map([...from].map((letter, at) => [letter, to[at] ?? letter]))
const TO_RUSSIAN = keysFrom(ENGLISH, RUSSIAN)
const TO_ENGLISH = keysFrom(RUSSIAN, ENGLISH)

const retyped = (text: string, keys: ReadonlyMap<string, string>): string =>
  Array.from(text, (letter) => keys.get(letter) ?? letter).join('')

/**
 * The same keys in the other layout: 'ghbdtn' is 'привет', 'руддщ' is 'hello'. The first result reads surrounding signs
 * as letters ('[jkjlbkmybr' is 'холодильник'), the second as signs.
 */
export function inOtherLayout(text: string): string[] {
  const bare = text.replace(PUNCTUATION_AROUND, '')
  const others = [
    ...(/[a-z]/i.test(text) ? [text, bare].map((one) => retyped(one, TO_RUSSIAN)) : []),
    ...(/[а-яё]/i.test(text) ? [text, bare].map((one) => retyped(one, TO_ENGLISH)) : []),
  ]
  return [...new Set(others)].filter((other) => other !== text)
}
