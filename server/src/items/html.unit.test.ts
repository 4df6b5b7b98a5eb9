import { isBlankHtml } from '@kopilka/text/blank-html.ts'
import { htmlToText } from '@kopilka/text/html-to-text.ts'
import { describe, expect, it } from 'vitest'
import { cleanHtml } from './html.ts'

describe('cleanHtml', () => {
  const ALLOWED =
    '<h1>1</h1><p>a <strong>b</strong> <em>c</em> <s>d</s> <u>e</u><br />f</p><ul><li>g</li></ul><ol start="3"><li>h</li></ol>' +
    '<blockquote><p>i</p></blockquote><pre><code>j &lt; k</code></pre><pre><code class="language-c++">o</code></pre><hr />' +
    '<ul data-type="taskList"><li data-checked="true"><p>m</p></li><li data-checked="false">n</li></ul><table><tbody><tr><th colspan="2">l</th></tr></tbody></table>'

  it('keeps elements of the allow-list unchanged', () => {
    expect(cleanHtml(ALLOWED)).toBe(ALLOWED)
  })

  it.each([
    ['<p onclick="x" id="y" class="z" style="color:red">t</p>', '<p>t</p>'],
    ['<svg onload=alert(1)><p>t</p></svg>', '<p>t</p>'],
    ['<math><mtext><style><img src=x onerror=alert(1)></style></mtext></math>t', 't'],
    ['<a href="JaVaScRiPt:alert(1)">t</a>', '<a>t</a>'],
    ['<a href=" java\tscript:alert(1)">t</a>', '<a>t</a>'],
    ['<a href="//evil.example">t</a>', '<a>t</a>'],
    ['<a href="vbscript:x">t</a>', '<a>t</a>'],
    ['<a href="data:text/html,x">t</a>', '<a>t</a>'],
    ['<img src="data:text/html,x">t', 't'],
    ['<p><img alt="x"></p><img src="" title="y">t&lt;img /&gt;', '<p></p>t&lt;img /&gt;'],
    [
      '<img src="data:image/svg+xml,x" onerror="y">',
      '<img src="data:image/svg+xml,x" loading="lazy" referrerpolicy="no-referrer" />',
    ],
    [
      '<img src="\n https://x.org/a.png ">',
      '<img src="https://x.org/a.png" loading="lazy" referrerpolicy="no-referrer" />',
    ],
    [
      '<a href=" https://x.org/\n">t</a>',
      '<a href="https://x.org/" rel="noopener noreferrer nofollow" target="_blank">t</a>',
    ],
    ['<iframe src="https://x"></iframe><object></object><embed>t', 't'],
    ['<form action="https://x"><button>t</button></form>', 't'],
    ['<meta http-equiv="refresh" content="0"><base href="https://x"><link rel="stylesheet">t', 't'],
    ['<style>*{}</style><script>1</script><template>t</template>t', 'tt'],
    [
      '<ul data-type="x" data-checked="true"><li data-type="taskList" data-checked="yes" data-x="y">t</li></ul>',
      '<ul><li>t</li></ul>',
    ],
    ['<ul data-type="taskList"><li data-checked>t</li></ul>', '<ul data-type="taskList"><li>t</li></ul>'],
    ['<ul constructor="x"><li constructor>t</li></ul>', '<ul><li>t</li></ul>'],
    [
      '<ul data-type="taskList"><li data-type="taskItem" data-checked="true"><label><input type="checkbox" checked></label><div><p>t</p></div></li></ul>',
      '<ul data-type="taskList"><li data-checked="true"><div><p>t</p></div></li></ul>',
    ],
    [
      '<pre class="language-js"><code class="language-js x">t</code><code class="mantine-Button-root">t</code></pre>',
      '<pre><code>t</code><code>t</code></pre>',
    ],
    ['<code class="language-js\n">t</code><code class="language-">t</code>', '<code>t</code><code>t</code>'],
    [`<code class="language-${'x'.repeat(41)}">t</code>`, '<code>t</code>'],
    ['<p class="language-js"><code class>t</code></p>', '<p><code>t</code></p>'],
    ['<p data-checked="true"><span data-type="taskList">t</span></p>', '<p><span>t</span></p>'],
    ['<!-- c -->t<![CDATA[x]]>', 't'],
    ['<p>не закрыт', '<p>не закрыт</p>'],
  ])('%s', (dirty, clean) => {
    expect(cleanHtml(dirty)).toBe(clean)
  })

  it.each([
    ALLOWED,
    'a\nb',
    '1 < 2 & 3',
    '<a href="https://x.org/?a=1&b=2">t</a>',
    '<img src="https://x.org/a.png" alt="&quot;">',
    '&lt;script&gt;',
    '<!-- c -->a\nb',
    '<font>a\nb</font>',
    '<script>1</script>a\n\nb',
    '<thead><math><option><td>a',
    '<p><math><table><td>a',
  ])('changes nothing the second time: %s', (html) => {
    expect(cleanHtml(cleanHtml(html))).toBe(cleanHtml(html))
  })
})

it('drops forty thousand images without a source in linear time', () => {
  expect(cleanHtml(`${'слово '.repeat(500_000)}${'<b><img></b>'.repeat(40_000)}`)).toHaveLength(3_280_000)
})

it('keeps the text of elements that are nested too deep', () => {
  const deep = cleanHtml(`${'<ul><li>'.repeat(200)}дно`)
  expect(deep.match(/<ul>/g)?.length).toBeLessThanOrEqual(100)
  expect(deep).toContain('дно')
})

it.each([
  [`${'<b><x>'.repeat(50_000)}дно`, 'дно'],
  [`${'<p><x>слово '.repeat(600)}`, Array.from({ length: 600 }, () => 'слово').join('   ')],
  [`${'<p<b>>'.repeat(600)}<${'<x>'.repeat(600)} &lt;b>`, /^(?:&lt;p &gt;)+&lt; +&lt;b&gt;$/],
])(
  'keeps the text alone where more elements are open than browsers put inside one another (%#)',
  (html, text) => {
    expect(cleanHtml(html)).toMatch(text)
  },
)

describe('htmlToText', () => {
  it('returns the visible text: a line for each block, entities decoded', () => {
    expect(
      htmlToText(
        cleanHtml(
          '<h1>Заголовок</h1><p>а<b>б</b>в<br>г &amp;lt; &lt;p&gt;&nbsp;д</p><ul><li>1</li><li>2</li></ul>',
        ),
      ),
    ).toBe('Заголовок\nабв\nг &lt; <p> д\n1\n2')
  })
})

describe('htmlToText', () => {
  it.each([
    ['Привет<div>строка</div>конец', 'Привет\nстрока\nконец'],
    ['<ul><li>пункт<ul><li>подпункт</li></ul></li></ul>', 'пункт\nподпункт'],
    ['слово<blockquote>цитата</blockquote>', 'слово\nцитата'],
    ['до<table><tr><td>раз</td><td>два</td></tr></table>после', 'до\nраз\nдва\nпосле'],
    ['сло<b>во</b>', 'слово'],
    [
      '<ul data-type="taskList"><li data-checked="true"><p>раз</p><ul data-type="taskList"><li data-checked="false">два</li></ul></li></ul>',
      '☑ раз\n☐ два',
    ],
  ])('%s: words of different blocks stay apart, words within one whole', (html, text) => {
    expect(htmlToText(cleanHtml(html))).toBe(text)
  })
})

describe('isBlankHtml', () => {
  it.each(['', '<p></p>', '<p>&nbsp; </p><br />', '\uFEFF', '<p title=">">\u200B</p> '])(
    '%j shows nothing',
    (html) => {
      expect(isBlankHtml(cleanHtml(html))).toBe(true)
    },
  )
  it.each(['.', '<img src="https://x.org/a.png">', '<p>&lt;p&gt;</p>', '<p></p> \uFEFF<b>a</b>', '<br>&gt;'])(
    '%j shows something',
    (html) => {
      expect(isBlankHtml(cleanHtml(html))).toBe(false)
    },
  )
})
