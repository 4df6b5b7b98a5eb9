import { describe, expect, it } from 'vitest'
import { encodeSingleByte } from '../testing/encode-single-byte.ts'
import { decodePage } from './charset.ts'

const RUSSIAN = ['windows-1251', 'koi8-r', 'ibm866', 'iso-8859-5']
const utf8 = (text: string) => new TextEncoder().encode(text)
const bytesOf = (...parts: (string | number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => Buffer.from(part)))

describe('the encoding is that', () => {
  const page = '<title>Ёж в тумане</title>'

  it.each([
    ['UTF-8', bytesOf([0xef, 0xbb, 0xbf], page)],
    ['UTF-16, little end first', bytesOf([0xff, 0xfe], [...Buffer.from(page, 'utf16le')])],
    ['UTF-16, big end first', bytesOf([0xfe, 0xff], [...Buffer.from(page, 'utf16le').swap16()])],
  ])('of the byte order mark, whatever the header says: %s', (_, bytes) => {
    expect(decodePage(bytes, 'text/html; charset=koi8-r')).toBe(page)
  })

  it.each([
    'text/html; charset=koi8-r',
    'text/html;CHARSET="KOI8-R"',
    "text/html; a=b; charset = 'koi8' ; c=d",
  ])('of the header %j, whatever the page says', (header) => {
    const text = `<meta charset=windows-1251>${page}`
    expect(decodePage(encodeSingleByte(text, 'koi8-r'), header)).toBe(text)
  })

  it.each([
    '<meta charset=koi8-r>',
    '<META CharSet = "KOI8-R" >',
    '<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">',
    '<meta content=\'text/html;charset="koi8-r"\' http-equiv=content-type>',
    '<meta charset=nonsense><meta charset=koi8-r>',
    '<!-- <meta charset=windows-1251> --><meta charset=koi8-r>',
    '<script>"<meta charset=windows-1251>"</script><meta charset=koi8-r>',
    `<!-- ${' '.repeat(2_000)} --><meta charset=koi8-r>`,
    '<?xml version="1.0" encoding="windows-1251"?><meta charset=koi8-r>',
    '<?xml version="1.0" encoding="koi8-r"?>',
  ])('of the page: %s', (declaration) => {
    const text = `${declaration}${page}`
    expect(decodePage(encodeSingleByte(text, 'koi8-r'), 'text/html')).toBe(text)
    expect(decodePage(encodeSingleByte(text, 'koi8-r'), 'text/html; charset=nonsense')).toBe(text)
  })

  it('UTF-8 for a page that declares UTF-16 but is readable byte by byte', () => {
    const text = `<meta charset=utf-16le>${page}`
    expect(decodePage(utf8(text), '')).toBe(text)
  })

  it.each([
    ['big5', [0xa4, 0xa4, 0xa4, 0xe5], '中文'],
    ['shift_jis', [0x93, 0xfa, 0x96, 0x7b], '日本'],
    ['euc-kr', [0xc7, 0xd1, 0xb1, 0xdb], '한글'],
    ['iso-8859-1', [0x93, 0xe9, 0x94], '“é”'],
    ['x-mac-cyrillic', [0x8f, 0xf0, 0xe8], 'При'],
  ])('of any label of the web: %s', (label, bytes, text) => {
    expect(decodePage(Uint8Array.from(bytes), `text/html; charset=${label}`)).toBe(text)
  })
})

describe('where nothing is declared', () => {
  it('UTF-8 is recognised', () => {
    expect(decodePage(utf8('Ёж'), '')).toBe('Ёж')
    expect(decodePage(utf8('plain'), '')).toBe('plain')
  })

  it.each(RUSSIAN)('Russian in %s is recognised from a word, a headline or a page', (encoding) => {
    for (const text of [
      'Привет',
      'Новости',
      'НОВОСТИ ДНЯ',
      'О компании',
      'Главная страница',
      'Объявления',
      'Война и мир. Том первый',
      'Съешь же ещё этих мягких французских булок, да выпей чаю',
      'Рецепты блюд: борщ, щи, пельмени. Цены и отзывы покупателей.',
      'ПРАЙС-ЛИСТ НА ЗАПЧАСТИ ДЛЯ ЖИГУЛЕЙ И ВОЛГИ',
      'Расписание электричек <b>Москва</b> (Ярославский вокзал) 2003 г.',
    ]) {
      const page = `<html><title>${text}</title><body class="x">`
      expect(decodePage(encodeSingleByte(page, encoding), 'text/html')).toBe(page)
    }
  })

  it('punctuation of windows-1251 does not change the guess', () => {
    const page = '<title>«Мастер и Маргарита» — роман… № 1</title>'
    expect(decodePage(encodeSingleByte(page, 'windows-1251'), '')).toBe(page)
  })

  it.each(['Café crème à la française', 'Größe über alles: Äpfel', 'El niño mañana “comerá” — señor'])(
    'western text is not taken for Russian: %s',
    (text) => {
      expect(decodePage(encodeSingleByte(text, 'windows-1252'), '')).toBe(text)
    },
  )
})

describe('UTF-8 that is declared', () => {
  const header = 'text/html; charset=utf-8'

  it.each(RUSSIAN)(
    'but impossible gives way to the declaration in the page, and to a guess: %s',
    (encoding) => {
      const text = '<title>Погода на завтра</title>'
      expect(decodePage(encodeSingleByte(text, encoding), header)).toBe(text)
      const said = `<meta charset=${encoding}>${text}`
      expect(decodePage(encodeSingleByte(said, encoding), header)).toBe(said)
    },
  )

  it('stays if a few bytes are invalid', () => {
    const bytes = bytesOf('Погода на завтра', [0xd0], ' и послезавтра')
    expect(decodePage(bytes, header)).toBe('Погода на завтра\uFFFD и послезавтра')
  })

  it('stays if the text is cut in the middle of a character', () => {
    expect(decodePage(utf8('Ёж').subarray(0, 3), header)).toBe('Ё')
  })
})

it.each(['koi8-r', 'windows-1251', 'gbk', 'shift_jis'])(
  '%s that is declared and is UTF-8 all the same is read as UTF-8',
  (label) => {
    const text = `<meta charset=${label}><title>Погода на завтра</title>`
    expect(decodePage(utf8(text), '')).toBe(text)
    expect(decodePage(utf8('<title>Погода на завтра</title>'), `text/html; charset=${label}`)).toContain(
      'Погода',
    )
  },
)
