import { LANGUAGE_CLASS } from '@kopilka/contract/allowed-html.ts'
import { parseHtml } from '../lib/trusted-types.ts'

/** How the class of code names its language: highlight.js, Prism, ChatGPT, Stack Overflow, MDN. */
const OF_CODE = /(?:^|\s)(?:language-|lang-|brush:\s*)([\w+#.-]+)/i
/** How the class of a frame around code does: GitHub, Jekyll, Wikipedia. */
const OF_FRAME = /(?:^|\s)(?:language-|highlight-(?:source|text)-|mw-highlight-lang-)([\w+#.-]+)/i
const NO_LANGUAGE = /^(?:plain|plaintext|text|txt|none|auto|undefined|nohighlight)$/i
/** What a code block cannot hold: a `<pre>` with such elements is no code. */
const BLOCKS =
  'p, ul, ol, li, dl, dt, dd, table, blockquote, figure, figcaption, img, hr, h1, h2, h3, h4, h5, h6'

/** The language of a pasted `<pre>`, as its elements or those around it name it. */
function languageOf(pre: Element, code: Element | null): string | undefined {
  const frames = [pre.parentElement, pre.parentElement?.parentElement]
  const names = [
    ...[code, pre].map((element) => OF_CODE.exec(element?.className ?? '')?.[1]),
    ...[pre, ...frames].map((element) => OF_FRAME.exec(element?.className ?? '')?.[1]),
    ...[code, pre].map((element) => element?.getAttribute('data-language')),
    pre.getAttribute('lang'),
  ]
  const name = names.find((name) => name)?.toLowerCase()
  return name && !NO_LANGUAGE.test(name) && LANGUAGE_CLASS.test(`language-${name}`) ? name : undefined
}

/** The lines of code, which some programs write as elements of their own or with `<br>` between them. */
function textOf(code: Element): string {
  for (const br of code.querySelectorAll('br')) br.replaceWith('\n')
  for (const line of code.querySelectorAll('div:not(:has(div)) + div')) {
    if (!line.previousElementSibling?.textContent?.endsWith('\n')) line.before('\n')
  }
  return (code.textContent ?? '').replace(/\r\n?/g, '\n').replace(/\n$/, '')
}

/** Pasted code blocks with their language as contract/src/allowed-html.ts stores it. Other HTML stays as it is. */
export function withCodeBlocks(html: string): string {
  if (!/<pre\b/i.test(html)) return html
  const page = parseHtml(html)
  for (const pre of page.querySelectorAll('pre')) {
    if (pre.querySelector(BLOCKS)) continue
    for (const button of pre.querySelectorAll('button')) button.remove()
    const codes = pre.querySelectorAll('code')
    const [inner = null] = codes.length === 1 ? codes : []
    const language = languageOf(pre, inner)
    // ChatGPT puts a bar with buttons above the code, and all of it into the <pre>.
    const isFramed = inner?.parentElement?.localName === 'div'
    const code = page.createElement('code')
    code.textContent = textOf(isFramed ? inner : pre)
    if (language !== undefined) code.className = `language-${language}`
    pre.replaceChildren(code)
  }
  return page.body.innerHTML
}
