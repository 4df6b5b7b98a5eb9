import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressKey } from './address-key.ts'

const ONE_PAGE = [
  [
    'http://example.org',
    'https://example.org/',
    'HTTPS://WWW.Example.ORG',
    'https://m.example.org/',
    'http://example.org:80',
    'https://example.org:443/',
    'https://example.org./',
  ],
  [
    'https://example.org/a',
    'https://example.org/a/',
    'https://example.org/a#part',
    'https://example.org/a?',
    'https://example.org/a#:~:text=part',
    'https://example.org/b/../a',
  ],
  ['https://m.vk.com/wall-1_2', 'https://vk.com/wall-1_2', 'http://www.vk.com/wall-1_2?from=feed'],
  [
    'https://yandex.ru/maps/?ll=1&z=2',
    'https://yandex.ru/maps?z=2&ll=1&utm_source=x&utm_campaign=y',
    'https://yandex.ru/maps?z=2&ysclid=abc&ll=1&yclid=1&fbclid=2&gclid=3&_openstat=4',
  ],
  [
    'https://ru.wikipedia.org/wiki/Россия',
    'https://ru.wikipedia.org/wiki/%D0%A0%D0%BE%D1%81%D1%81%D0%B8%D1%8F',
    'https://ru.wikipedia.org/wiki/%d0%a0%d0%be%d1%81%d1%81%d0%b8%d1%8f',
  ],
  [
    'https://почта.рф/письма',
    'https://xn--80a1acny.xn--p1ai/%D0%BF%D0%B8%D1%81%D1%8C%D0%BC%D0%B0',
    'http://www.ПОЧТА.рф/письма/',
  ],
  ['https://example.org/?q=a+b', 'https://example.org/?q=a%20b', 'https://example.org/?q=%61%20b'],
  ['https://app.example.org/#!/mail/', 'http://app.example.org#!/mail', 'https://app.example.org/#%21/mail'],
  [
    'https://ru.wikipedia.org/wiki/Ёж_(значения)',
    'https://ru.m.wikipedia.org/wiki/%D0%81%D0%B6_%28%D0%B7%D0%BD%D0%B0%D1%87%D0%B5%D0%BD%D0%B8%D1%8F%29',
    'http://ru.wikipedia.org/wiki/Ёж_(значения)#Литература',
  ],
  ['https://www.youtube.com/watch?v=a&list=b', 'https://m.youtube.com/watch?list=b&v=a&utm_source=share'],
  ['https://habr.com/ru/articles/1/', 'https://habr.com/ru/articles/1?utm_source=habrahabr#comment_2'],
  ['https://www.ozon.ru/product/chay-1/?from=share_android', 'https://m.ozon.ru/product/chay-1'],
  ['https://www.avito.ru/moskva/x_1?utm_campaign=native', 'https://m.avito.ru/moskva/x_1'],
  ['https://t.me/durov/1', 'http://t.me/durov/1/'],
  ['https://github.com/a/b', 'https://github.com/a/b/#readme', 'https://github.com/a/b#L10-L20'],
  ['https://example.org/a#part:~:text=b/c', 'https://example.org/a'],
  ['https://example.org/%7Euser', 'http://example.org/~user/'],
  ['https://ПРИМЕР.рф', 'http://www.xn--e1afmkfd.xn--p1ai./'],
  ['http://[::1]:80/a', 'http://[::1]/a'],
  ['https://1.1.1.1/', 'http://0x1010101'],
  ['https://example.org/?a=1&&b=2&', 'https://example.org?b=2&a=1'],
  ['https://example.org/?FROM=y&id=1&from=x', 'https://example.org/?id=1'],
  ['https://example.org/a?utm_source', 'https://example.org/a/?#', 'https://example.org/a?%75tm_source=x'],
  ['https://example.org/%D0%B9?x=%D1%91', 'https://example.org/й?x=ё'],
]
const PAGES = [
  [
    'https://example.org/?id=1',
    'https://example.org/?id=2',
    'https://example.org/?ID=1',
    'https://example.org/?id=1&id=2',
    'https://example.org/?id=2&id=1',
    'https://example.org/',
  ],
  [
    'https://app.example.org/#!/mail',
    'https://app.example.org/#!/notes',
    'https://app.example.org/#/notes',
    'https://app.example.org/',
  ],
  [
    'https://example.org/Path',
    'https://example.org/path',
    'https://example.org/path/a',
    'https://example.org/path%2Fa',
  ],
  [
    'https://example.org',
    'https://example.com',
    'https://news.example.org',
    'https://example.org:8080',
    'ftp://example.org',
    'https://user@example.org',
  ],
  ['https://m.ru/', 'https://www.ru/', 'https://ru/'],
  [
    'https://youtu.be/a',
    'https://www.youtube.com/watch?v=a',
    'https://www.youtube.com/watch?v=A',
    'https://www.youtube.com/watch?v=a&t=10',
  ],
  ['https://example.org/?q=a%2Bb', 'https://example.org/?q=a+b'],
  ['https://example.org/?fromage=1', 'https://example.org/'],
  ['https://mail.google.com/mail/u/0/#inbox/1', 'https://mail.google.com/mail/u/0/#inbox/2'],
  ['https://web.telegram.org/k/#-1', 'https://web.telegram.org/k/#-2', 'https://web.telegram.org/k/#@durov'],
  ['https://t.me/durov/1', 'https://t.me/durov/2', 'https://t.me/s/durov', 'https://t.me/durov/1?comment=2'],
  ['https://ru.wikipedia.org/wiki/A', 'https://en.wikipedia.org/wiki/A', 'https://m.wikipedia.org/wiki/A'],
  [
    'https://example.org/a%26b',
    'https://example.org/a&b',
    'https://example.org/a%3Fb',
    'https://example.org/a?b',
  ],
  ['https://example.org/1.html', 'https://example.org/1', 'https://example.org/1?print'],
  ['https://www.m.co/', 'https://mm.co/', 'https://wwww.m.co/', 'https://www2.m.co/'],
  ['https://example.org/?a=1;b=2', 'https://example.org/?a=1&b=2'],
  ['https://example.org/a;v=1', 'https://example.org/a;v=2', 'https://example.org/a'],
  ['https://example.org/a%20b', 'https://example.org/a+b', 'https://example.org/a%2Bb'],
  ['https://example.org/?utm=1', 'https://example.org/?from_id=1', 'https://example.org/?gclidx=1'],
  // Composed and decomposed letters are other bytes to a server.
  ['https://example.org/\u0439', 'https://example.org/\u0438\u0306'],
  ['https://example.org/?q=%26', 'https://example.org/?q=%3D', 'https://example.org/?q=%23'],
  ['https://example.org/a%2Fb', 'https://example.org/a/b', 'https://example.org/a%252Fb'],
  ['https://user:a@example.org', 'https://user:b@example.org', 'https://user@example.org'],
  ['https://example.org/?a[]=1&a[]=2', 'https://example.org/?a[]=2&a[]=1'],
  ['https://vk.com/wall-1_2?reply=3', 'https://vk.com/wall-1_2?reply=4', 'https://vk.com/wall-1_2'],
  ['https://example.org/#/a?x=1', 'https://example.org/#/a?x=2'],
]

/** Each character in percent-encoding, needed or not. */
const percentEncoded = (text: string): string =>
  Array.from(text, (character) => `%${character.charCodeAt(0).toString(16)}`).join('')

describe('addressKey', () => {
  it.each(ONE_PAGE)('is one for all spellings of %s', (...spellings) => {
    expect(new Set(spellings.map(addressKey)).size, spellings.map(addressKey).join('\n')).toBe(1)
  })

  it.each(PAGES)('tells pages of one family apart: %s', (...pages) => {
    expect(new Set(pages.map(addressKey)).size, pages.map(addressKey).join('\n')).toBe(pages.length)
  })

  it.each(['', 'просто слова', 'javascript:alert(1)', 'https://', 'mailto:a@b.c'])(
    'leaves %j as it is',
    (text) => {
      expect(addressKey(text)).toBe(text)
    },
  )

  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom(
      'www.',
      'm.',
      '%2',
      '%35',
      '%4',
      '31',
      '%2E%2e/',
      '//',
      '?',
      '&a=1',
      '&utm_x=1',
      '#!/',
      '#',
      ':443',
      'рф',
      '%',
      '+',
      '..',
      '/',
    ),
  )
  const address = fc
    .tuple(fc.constantFrom('http', 'https', 'ftp', 'HTTP'), fc.array(piece, { maxLength: 12 }))
    .map(([scheme, pieces]) => `${scheme}://example.org/${pieces.join('')}`)

  it('of a key is the key', () => {
    fc.assert(
      fc.property(
        fc.oneof(address, fc.webUrl({ withFragments: true, withQueryParameters: true }), fc.string()),
        (text) => {
          const key = addressKey(text)
          expect(addressKey(key)).toBe(key)
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('of an address that is encoded many times over is its own key', () => {
    let nested = '%41'
    // Each time the first digit is encoded once more.
    while (nested.length < 2000)
      nested = nested.replace(/[\da-f]/i, (digit) => `%${digit.charCodeAt(0).toString(16)}`)
    const key = addressKey(`https://example.org/${nested}?${nested}=1#!/${nested}`)
    expect([key, addressKey(key)]).toEqual([key, key])
    expect(key).toBe('https://example.org/A?A=1#!/A')
  })

  const word = fc.stringMatching(/^[a-z0-9]{1,4}$/)
  const page = fc.record({
    host: fc.constantFrom('a.ru', 'b.ru', 'news.a.ru', 'а.рф'),
    path: fc.array(word, { maxLength: 3 }),
    parameters: fc.uniqueArray(fc.tuple(fc.constantFrom('id', 'q', 'v', 'page'), word), {
      maxLength: 3,
      selector: ([name]) => name,
    }),
    route: fc.option(word, { nil: undefined }),
  })
  type Page = typeof page extends fc.Arbitrary<infer P> ? P : never
  const sorted = ({ parameters, ...rest }: Page) => ({ ...rest, parameters: parameters.toSorted() })
  const written = ({ host, path, parameters, route }: Page): string => {
    const query = parameters.map(([name, value]) => `${name}=${value}`).join('&')
    return `https://${host}/${path.join('/')}${query && `?${query}`}${route ? `#/${route}` : ''}`
  }

  it('is another one for every other page', () => {
    fc.assert(
      fc.property(page, page, (one, other) => {
        fc.pre(!isDeepStrictEqual(sorted(one), sorted(other)))
        expect(addressKey(written(one))).not.toBe(addressKey(written(other)))
      }),
      { numRuns: 1000 },
    )
  })

  it('is one for a page in every spelling', () => {
    const spelling = fc.record({
      scheme: fc.constantFrom('http://', 'https://', 'HTTPS://'),
      prefix: fc.constantFrom('', 'www.', 'm.', 'www.m.'),
      end: fc.constantFrom('', '.', ':443', ':80'),
      tracking: fc.constantFrom<(readonly [string, string])[]>(
        [],
        [['utm_source', 'x']],
        [['ysclid', '1']],
        [
          ['from', 'a'],
          ['yclid', '2'],
        ],
      ),
      slash: fc.constantFrom('', '/'),
      fragment: fc.constantFrom('', '#part', '#:~:text=a/b'),
      isReversed: fc.boolean(),
    })
    fc.assert(
      fc.property(
        page,
        spelling,
        (wanted, { scheme, prefix, end, tracking, slash, fragment, isReversed }) => {
          const all = [...wanted.parameters, ...tracking.map(([name, value]) => [name, value])]
          const query = (isReversed ? all.toReversed() : all)
            .map(([name, value]) => `${name}=${value}`)
            .join('&')
          const path = wanted.path.map((segment) => `/${percentEncoded(segment)}`).join('')
          const hash = wanted.route ? `#/${wanted.route}${slash}` : fragment
          const address = `${scheme}${prefix}${wanted.host}${end}${path}${slash}${query && `?${query}`}${hash}`
          expect(addressKey(address)).toBe(addressKey(written(wanted)))
        },
      ),
      { numRuns: 1000 },
    )
  })

  it('does not join pages by what only their parameters tell apart', () => {
    const value = fc.stringMatching(/^[a-z0-9]{1,8}$/)
    fc.assert(
      fc.property(value, value, value, (name, one, other) => {
        fc.pre(one !== other && addressKey(`https://a.b/?${name}=1`) !== 'https://a.b')
        expect(addressKey(`https://a.b/?${name}=${one}`)).not.toBe(
          addressKey(`https://a.b/?${name}=${other}`),
        )
      }),
    )
  })
})
