import { describe, expect, it } from 'vitest'
import { readPage } from './read-page.ts'

const read = (html: string) => readPage({ bytes: new TextEncoder().encode(html), contentType: 'text/html' })
const ld = (value: unknown) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`

const OG = '<meta property="og:title" content="OG"><meta property="og:description" content="OG!">'
const TWITTER = '<meta name="twitter:title" content="TW"><meta name="twitter:description" content="TW!">'
const LD = ld({ '@type': 'Article', headline: 'LD', description: 'LD!' })
const HTML = '<title>HTML</title><meta name="description" content="HTML!">'

describe('title and description', () => {
  it.each([
    ['Open Graph first', OG + TWITTER + LD + HTML, 'OG'],
    ['whatever their order', HTML + LD + TWITTER + OG, 'OG'],
    ['then the Twitter card', HTML + LD + TWITTER, 'TW'],
    ['then JSON-LD', HTML + LD, 'LD'],
    ['then the page itself', HTML, 'HTML'],
    ['what is blank says nothing', OG.replaceAll(/OG!?(?=")/g, ' &nbsp; ') + HTML, 'HTML'],
    ['in any letter case, under any attribute', HTML + OG.replaceAll('property="og', 'NAME="OG'), 'OG'],
    ['also in the body', `<body><p>Text ${OG}`, 'OG'],
  ])('%s', (_, html, source) => {
    expect(read(html)).toEqual({ title: source, description: `${source}!`, keywords: '' })
  })

  it('are read independently', () => {
    expect(read(`<meta property="og:title" content="OG">${HTML}`)).toMatchObject({
      title: 'OG',
      description: 'HTML!',
    })
  })

  it('are empty if the page has none', () => {
    for (const html of ['', '<html></html>', '<p></p>', '\0\0', '<', '<title>', '&', '<!--'])
      expect(read(html)).toEqual({ title: '', description: '', keywords: '' })
  })

  it('are plain text on one line', () => {
    const { title, description } = read(
      '<title>\n  &laquo;Ёж&raquo; &amp;&#8212; &lt;b&gt;\u202eтуман\u2066\0\u200b\t\t&nbsp;в\u00ad поле&shy;  </title>' +
        '<meta name=description content="Первая&#10;строка&#x0;&lrm;   вторая &quot;в кавычках&quot;">',
    )
    expect(title).toBe('«Ёж» &— <b>туман в поле')
    expect(description).toMatch(/^Первая строка.{0,2} вторая "в кавычках"$/)
  })

  it('are cut between words: 255 and 1,000 characters', () => {
    const long = 'слово '.repeat(500)
    const { title, description } = read(`<title>${long}</title><meta name=description content="${long}">`)
    expect(title).toBe('слово '.repeat(42).trim())
    expect(description).toBe('слово '.repeat(166).trim())
    const { title: word } = read(`<title>${'👩'.repeat(300)}</title>`)
    expect(word).toBe('👩'.repeat(255))
    const exact = `${'а'.repeat(255)} б`
    expect(read(`<title>${exact}</title>`).title).toBe('а'.repeat(255))
  })

  it('are those of the page, not of its images, comments and scripts', () => {
    const html = `<svg><title>Icon</title></svg><!-- <title>No</title> --><script>"<title>No</title>"</script>
      <noscript><meta name="description" content="Yes"></noscript><title>Page</title><title>Second</title>`
    expect(read(html)).toMatchObject({ title: 'Page', description: 'Yes' })
  })

  it('are not read from templates, which are not displayed', () => {
    const template = `<template><title>No</title><meta name="description" content="No"><meta property="og:title" content="No">
      <script type="application/ld+json">{"headline":"No"}</script></template>`
    const html = `${template}<title>Page</title><meta name="description" content="Yes">${template}`
    expect(read(html)).toMatchObject({ title: 'Page', description: 'Yes' })
  })
})

describe('JSON-LD', () => {
  it.each([
    ['a name', { '@type': 'Product', name: 'LD' }],
    ['a headline before a name', { '@type': 'Article', name: 'Name', headline: 'LD' }],
    [
      'a list',
      [
        { '@type': 'WebSite', name: 'Site' },
        { '@type': ['NewsArticle'], headline: 'LD' },
      ],
    ],
    [
      'a graph',
      {
        '@graph': [
          { '@type': 'Organization', name: 'Us' },
          { '@type': 'Recipe', name: 'LD' },
        ],
      },
    ],
    ['a graph of one', { '@graph': { '@type': 'Book', name: 'LD' } }],
    ['entities and tags', { headline: '<b>L</b>&#68;' }],
  ])('is read with %s', (_, value) => {
    expect(read(`<title>HTML</title>${ld(value)}`).title).toBe('LD')
  })

  it.each([
    ['no JSON', '{'],
    ['nothing of use', '[null, 1, "x", [], {"headline": 5, "name": {"a": []}}]'],
    ['who made the page', '{"@type": "NewsMediaOrganization", "name": "Us"}'],
    ['a name that is no own one', '{"__proto__": {"headline": "x"}}'],
    ['very deep', '['.repeat(100_000)],
  ])('says nothing where it is %s', (_, text) => {
    expect(read(`<script type="application/ld+json">${text}</script><title>HTML</title>`).title).toBe('HTML')
  })

  it('is read in spite of line breaks and comments in it', () => {
    const script = `<script type='Application/LD+JSON '> //<![CDATA[\n{"headline": "L\nD"}\n//]]> </script>`
    expect(read(script).title).toBe('L D')
  })
})

describe('the first paragraph', () => {
  const real = 'Этот абзац достаточно длинен, чтобы считаться настоящим абзацем страницы.'

  it('is used if there is no description', () => {
    const html = `<nav><p>${real} Меню.</p></nav><p>Коротко.<p>${real.replace('абзац', '<a href=x>абзац</a>')}<br>И ещё.</p><p>Другой.`
    expect(read(html).description).toBe(`${real} И ещё.`)
    expect(read(`<meta name=description content="Своё">${html}`).description).toBe('Своё')
  })

  it('is the longest of short ones', () => {
    expect(read('<p>Раз<p>Раз и два<p>Три').description).toBe('Раз и два')
  })

  it('excludes text that is not displayed', () => {
    expect(read(`<p hidden>${real}<p aria-hidden=true>${real} <p>${real}`).description).toBe(real)
    expect(read(`<p>${real}<script>x()</script><style>y{}</style><noscript>z</noscript>`).description).toBe(
      real,
    )
  })

  it('is cut at the end of a sentence near 300 characters', () => {
    const sentence = `${'буквы '.repeat(16)}и точка.`
    const { description } = read(`<p>${`${sentence} `.repeat(9)}`)
    expect(description).toBe(`${sentence} ${sentence} ${sentence}`)
    const endless = read(`<p>${'буквы '.repeat(200)}`).description
    expect(endless).toBe('буквы '.repeat(50).trim())
  })
})

describe('keywords', () => {
  it('come from all sources, without duplicates, separated by commas', () => {
    const html = `<meta name="keywords" content=" Ёж,  туман ;река,, ёж">
      <meta property="article:tag" content="Лес"><meta property="article:tag" content="лес, поле">
      ${ld({ '@type': 'Article', keywords: ['туман', 'Заяц'] })}${ld({ keywords: 'Волк, лиса' })}`
    expect(read(html).keywords).toBe('Ёж, туман, река, Лес, поле, Заяц, Волк, лиса')
  })

  it('are few and short enough to be tags of one link', () => {
    const many = Array.from({ length: 80 }, (_, at) => `слово ${at}`).join()
    const { keywords } = read(`<meta name=keywords content="${'x'.repeat(51)},${many}">`)
    expect(keywords.split(', ')).toHaveLength(50)
    expect(keywords).toMatch(/^слово 0, слово 1,/)
  })
})

describe('pages that are hard to read', () => {
  const title = '<title>Страница</title>'
  it.each([
    ['100,000 elements inside one another', `${title}${'<div>'.repeat(100_000)}x`],
    ['as many, closed again', `${title}${'<b>'.repeat(100_000)}${'</i>'.repeat(100_000)}`],
    ['a million attributes', `${title}<div ${'a '.repeat(1_000_000)}>`],
    [
      'a million attributes of their own',
      `${title}<p ${Array.from({ length: 200_000 }, (_, at) => `a${at}`).join(' ')}>`,
    ],
    ['one endless text', `${title}<p>${'x'.repeat(2_000_000)}`],
    ['one endless title', `<title>Страница ${'x'.repeat(2_000_000)}`],
    ['100,000 descriptions', title + '<meta name=description content=x>'.repeat(60_000)],
    [
      '100,000 names',
      title + Array.from({ length: 60_000 }, (_, at) => `<meta name=a${at} content=x>`).join(''),
    ],
    ['100,000 paragraphs', title + '<p>x'.repeat(400_000)],
    ['100,000 comments without end', title + '<!--'.repeat(500_000)],
    ['ampersands', `${title}<p>${'&'.repeat(2_000_000)}`],
    ['less-than signs', title + '<'.repeat(2_000_000)],
    ['spaces', `<title>Страница${' '.repeat(2_000_000)}`],
  ])('are read as far as they go: %s', (_, html) => {
    expect(read(html).title).toMatch(/^Страница/)
  })
})
