import fc from 'fast-check'

/** Texts that often break programs. */
const TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\udfff\ud800',
  'я'.repeat(70_000),
  '👩‍👩‍👧‍👦'.repeat(300),
  'é\u0301\u0301'.repeat(100),
  '\u202e\u2066\u200b\ufeff',
  'ﷺ'.repeat(200),
  'İıſẞ',
  "' OR 1=1 --",
  "'; DROP TABLE items; --",
  '") UNION SELECT password_hash FROM users --',
  '%',
  '_',
  '\\',
  '*',
  '"',
  '""',
  '"незакрытая фраза',
  '-',
  '- -- ---',
  '-"',
  'tag:',
  'tag:""',
  'site:',
  'site:%00',
  'NEAR(a b, 5)',
  'title: AND OR NOT',
  '^a* + b | !c & (d <-> e):*',
  'a:b:c::text',
  '{"$ne":null}',
  '[object Object]',
  'undefined',
  'null',
  'NaN',
  '1e309',
  '-1',
  '0',
  '00',
  '1.5',
  '９',
  '99999999999999999999',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  '../../etc/passwd',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'http://',
  'http://[::1',
  'https://пример.рф/путь?й=ё#ё',
  'ftp://a',
  'a@b.c',
  `${'a'.repeat(250)}@b.c`,
  '@',
  '<script>alert(1)</script>',
  '<p><b>не закрыто',
  `${'<div>'.repeat(5000)}x`,
  '<img src=x onerror=alert(1)>',
  '<!--',
  '<![CDATA[',
  '&#0;&#xD800;&bogus;',
  '\r\nset-cookie: a=b',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '01A1FA45-9743-7383-8DFC-4EE65CCD69D0',
]

export const text: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: fc.constantFrom(...TEXTS), weight: 4 },
  { arbitrary: fc.string({ unit: 'binary', maxLength: 40 }), weight: 2 },
  { arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }), weight: 1 },
  // Lone surrogates included.
  {
    arbitrary: fc
      .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 })
      .map((units) => String.fromCharCode(...units)),
    weight: 1,
  },
)

const nested = (depth: number, innermost: unknown): unknown =>
  depth === 0 ? innermost : { a: [nested(depth - 1, innermost)] }

/** Values of the wrong type. */
export const value: fc.Arbitrary<unknown> = fc.oneof(
  { arbitrary: text, weight: 4 },
  {
    arbitrary: fc.constantFrom<unknown>(
      ...[null, true, false, 0, -0, -1, 1.5, 1e21, Number.MAX_SAFE_INTEGER, 1e308],
      ...[[], [[]], {}, [null], [''], ['x', 'X'], { length: 1 }, { toString: 'x' }, nested(300, 'x')],
      Array.from({ length: 51 }, (_, index) => `t${index}`),
      Array.from({ length: 5000 }, () => 'x'),
    ),
    weight: 2,
  },
  { arbitrary: fc.array(text, { maxLength: 5 }), weight: 1 },
  { arbitrary: fc.jsonValue({ maxDepth: 3 }), weight: 1 },
)

/** Header values that HTTP allows. */
export const headerText: fc.Arbitrary<string> = fc.oneof(
  text.map((found) =>
    Buffer.from(found.slice(0, 500))
      .toString('latin1')
      .replace(/[^\t\x20-\x7e\x80-\xff]/g, ''),
  ),
  fc.constantFrom(
    '*',
    '""',
    '"1"',
    'W/"1"',
    '"1", "2"',
    '"999999999999999"',
    '"-1"',
    '"1',
    ',',
    ';q=',
    'x'.repeat(4000),
  ),
)

/** The query string without the question mark. */
export const queryString = (names: readonly string[]): fc.Arbitrary<string> => {
  const name = fc.oneof(
    {
      arbitrary: fc.constantFrom('page', 'search', 'view', 'tag', 'exact', 'sort', 'untagged', ...names),
      weight: 4,
    },
    { arbitrary: fc.constantFrom('search[]', 'search[a]', 'page[0][1]', '__proto__', 'x', ''), weight: 1 },
  )
  const known = fc.constantFrom('1', '2', 'summary', 'title', 'слово', '"точная фраза" -слово tag:x')
  const pair = fc
    .tuple(name, fc.oneof(known, text))
    .map(
      ([key, found]) =>
        `${encodeURIComponent(key)}=${encodeURIComponent(found.slice(0, 1500).toWellFormed())}`,
    )
  const junk = fc.constantFrom(
    '%',
    '%E0%A4%A',
    '%00=%00',
    '&&&',
    '=',
    'page',
    'page=1&page=2',
    '?',
    'search=%ff%fe',
  )
  return fc
    .array(fc.oneof({ arbitrary: pair, weight: 5 }, { arbitrary: junk, weight: 1 }), { maxLength: 4 })
    .map((parts) => parts.join('&'))
}
