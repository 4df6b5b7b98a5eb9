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
  ['https://app.example.org/#!/mail/', 'http://app.example.org#!/mail'],
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
]

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
