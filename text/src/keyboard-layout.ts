/** The same keys under the English and the Russian layout, without and with Shift. */
const ENGLISH = '`qwertyuiop[]asdfghjkl;\'zxcvbnm,.~QWERTYUIOP{}ASDFGHJKL:"ZXCVBNM<>/?'
const RUSSIAN = 'ёйцукенгшщзхъфывапролджэячсмитьбюЁЙЦУКЕНГШЩЗХЪФЫВАПРОЛДЖЭЯЧСМИТЬБЮ.,'

const PUNCTUATION_AROUND = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu

const retyped = (text: string, from: string, to: string): string =>
  [...text].map((letter) => to[from.indexOf(letter)] ?? letter).join('')

/**
 * The same keys in the other layout: 'ghbdtn' is 'привет', 'руддщ' is 'hello'. The first result reads surrounding signs
 * as letters ('[jkjlbkmybr' is 'холодильник'), the second as signs.
 */
export function inOtherLayout(text: string): string[] {
  const bare = text.replace(PUNCTUATION_AROUND, '')
  const others = [
    ...(/[a-z]/i.test(text) ? [retyped(text, ENGLISH, RUSSIAN), retyped(bare, ENGLISH, RUSSIAN)] : []),
    ...(/[а-яё]/i.test(text) ? [retyped(text, RUSSIAN, ENGLISH), retyped(bare, RUSSIAN, ENGLISH)] : []),
  ]
  return [...new Set(others)].filter((other) => other !== text)
}
