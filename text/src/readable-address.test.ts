import { describe, expect, it } from 'vitest'
import { readableAddress, readableHost } from './readable-address.ts'

describe('readableAddress', () => {
  it.each([
    [
      'https://ru.wikipedia.org/wiki/%D0%9C%D0%BE%D1%81%D0%BA%D0%B2%D0%B0#%D0%98%D0%BC%D1%8F',
      'https://ru.wikipedia.org/wiki/Москва#Имя',
    ],
    ['https://xn--80a1acny.xn--p1ai/', 'https://почта.рф/'],
    ['HTTP://XN--80A1ACNY.xn--p1ai:8080/a?b=%D1%8F', 'HTTP://почта.рф:8080/a?b=я'],
    ['ftp://user@xn--80a1acny.xn--p1ai', 'ftp://user@почта.рф'],
    ['https://example.org/xn--80a1acny', 'https://example.org/xn--80a1acny'],
  ])('shows %s as %s', (url, shown) => {
    expect(readableAddress(url)).toBe(shown)
  })

  it.each([
    'https://a.org/%2F%3F%23%26%3D%25%20',
    'https://a.org/%E0%A4%A',
    'https://a.org/%FF%FE',
    'https://xn--\u0301.org/',
    'https://xn--99999999999.org',
    // 'аpple' with a Cyrillic letter.
    'https://xn--pple-43d.com/',
  ])('leaves alone what would mean something else, or nothing: %s', (url) => {
    expect(readableAddress(url)).toBe(url)
  })

  it('keeps direction marks and control characters encoded', () => {
    expect(readableAddress('https://a.org/%E2%80%AEgpj.exe%00')).toBe('https://a.org/%E2%80%AEgpj.exe%00')
  })
})

it.each([
  ['xn--80a1acny.xn--p1ai', 'почта.рф'],
  ['xn--bcher-kva.example', 'bücher.example'],
  ['xn--r8jz45g.xn--zckzah', '例え.テスト'],
  ['xn--e1afmkfd.xn--80akhbyknj4f', 'пример.испытание'],
  ['xn--mnchen-ost-9db.de', 'münchen-ost.de'],
  ['xn--fa-hia.de', 'faß.de'],
  ['xn--ls8h.la', '💩.la'],
  ['plain.org', 'plain.org'],
])('reads %s as %s', (host, shown) => {
  expect(readableHost(host)).toBe(shown)
})
