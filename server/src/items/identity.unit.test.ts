import { expect, it } from 'vitest'
import { identityKeyOf } from './identity.ts'

const keyOf = (body: string) => identityKeyOf({ title: 'Имя', url: null, body })

it.each([
  ['<p>а</p>\n<p>б</p>\n', '<p>а</p><p>б</p>'],
  ['<p>а<br />\nб</p>', '<p>а<br />б</p>'],
  ['<ul>\n  <li>а</li>\n</ul>', '<ul><li><p>а</p></li></ul>'],
  ['<ul><li>а<ul><li>б</li></ul></li></ul>', '<ul><li><p>а</p><ul><li><p>б</p></li></ul></li></ul>'],
  ['<pre><code>а\n</code></pre>', '<pre><code>а</code></pre>'],
  ['<p>а</p><p></p><p>б</p>', '<p>а</p><p>б</p>'],
])('takes %j for the same as %j', (one, other) => {
  expect(keyOf(one)).toBe(keyOf(other))
})

it.each([
  ['<p>а</p><p>б</p>', '<p>аб</p>'],
  ['<p>а <b>б</b></p>', '<p>а<b>б</b></p>'],
  ['<p>\u00A0</p>', '<p></p>'],
  ['<pre>а\n\nб</pre>', '<pre>а\nб</pre>'],
  ['<pre>  а</pre>', '<pre>а</pre>'],
  ['<pre>&lt;p&gt; а\n<b>б</b>\n\n</pre>', '<pre>&lt;p&gt; а\n<b>б</b></pre>'],
  ['<ul><li>а</li></ul>', '<ol><li>а</li></ol>'],
  ['<ul><li>а<ul><li>б</li></ul></li></ul>', '<ul><li>а</li><li>б</li></ul>'],
  ['<p> alt=""</p>', '<p></p>'],
])('tells %j from %j', (one, other) => {
  expect(keyOf(one)).not.toBe(keyOf(other))
})
