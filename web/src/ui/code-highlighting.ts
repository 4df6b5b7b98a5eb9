import type { LanguageFn } from 'highlight.js'
import hljs from 'highlight.js/lib/core'
import { parseHtml } from '../lib/trusted-types.ts'
import classes from './code-highlighting.module.css'
import { type LanguageId, languageId, languageLabel } from './code-languages.ts'

/*
 * Highlights code. Loaded with the first code block that names a language; each grammar is a chunk of its own.
 */

/** A piece of code in a colour: its offsets and its CSS class. */
export interface Token {
  readonly from: number
  readonly to: number
  readonly className: string
}

const GRAMMARS: Record<LanguageId, () => Promise<{ default: LanguageFn }>> = {
  '1c': () => import('highlight.js/lib/languages/1c'),
  bash: () => import('highlight.js/lib/languages/bash'),
  c: () => import('highlight.js/lib/languages/c'),
  cpp: () => import('highlight.js/lib/languages/cpp'),
  csharp: () => import('highlight.js/lib/languages/csharp'),
  css: () => import('highlight.js/lib/languages/css'),
  diff: () => import('highlight.js/lib/languages/diff'),
  dockerfile: () => import('highlight.js/lib/languages/dockerfile'),
  go: () => import('highlight.js/lib/languages/go'),
  graphql: () => import('highlight.js/lib/languages/graphql'),
  html: () => import('highlight.js/lib/languages/xml'),
  ini: () => import('highlight.js/lib/languages/ini'),
  java: () => import('highlight.js/lib/languages/java'),
  javascript: () => import('highlight.js/lib/languages/javascript'),
  json: () => import('highlight.js/lib/languages/json'),
  kotlin: () => import('highlight.js/lib/languages/kotlin'),
  lua: () => import('highlight.js/lib/languages/lua'),
  makefile: () => import('highlight.js/lib/languages/makefile'),
  markdown: () => import('highlight.js/lib/languages/markdown'),
  nginx: () => import('highlight.js/lib/languages/nginx'),
  php: () => import('highlight.js/lib/languages/php'),
  powershell: () => import('highlight.js/lib/languages/powershell'),
  python: () => import('highlight.js/lib/languages/python'),
  r: () => import('highlight.js/lib/languages/r'),
  ruby: () => import('highlight.js/lib/languages/ruby'),
  rust: () => import('highlight.js/lib/languages/rust'),
  scss: () => import('highlight.js/lib/languages/scss'),
  sql: () => import('highlight.js/lib/languages/sql'),
  swift: () => import('highlight.js/lib/languages/swift'),
  typescript: () => import('highlight.js/lib/languages/typescript'),
  yaml: () => import('highlight.js/lib/languages/yaml'),
}

/** Languages within others. */
const PARTS: Partial<Record<LanguageId, LanguageId[]>> = { html: ['css', 'javascript'], markdown: ['html'] }

async function register(id: LanguageId): Promise<void> {
  if (hljs.getLanguage(id)) return
  const [grammar] = await Promise.all([GRAMMARS[id](), ...(PARTS[id] ?? []).map(register)])
  // Other grammars know HTML by the name that highlight.js gives it.
  hljs.registerLanguage(id === 'html' ? 'xml' : id, grammar.default)
}

/** highlight.js' scopes by the colour they have (https://highlightjs.readthedocs.io/en/stable/css-classes-reference.html). */
const SCOPES: readonly (readonly [className: string | undefined, scopes: string])[] = [
  [classes.keyword, 'keyword doctag template-tag type deletion'],
  [classes.title, 'title section'],
  [
    classes.constant,
    'attr attribute literal meta number variable property selector-attr selector-class selector-id',
  ],
  [classes.string, 'string regexp link'],
  [classes.builtIn, 'built_in symbol bullet'],
  [classes.comment, 'comment code formula'],
  [classes.name, 'name quote selector-tag selector-pseudo addition'],
]
const CLASSES: ReadonlyMap<string, string> = new Map(
  SCOPES.flatMap(([className = '', scopes]) =>
    scopes.split(' ').map((scope) => [`hljs-${scope}`, className] as const),
  ),
)

/** Characters of code that are highlighted in one text; longer blocks stay plain: they would take seconds. */
const MAX_HIGHLIGHTED = 50_000

/** The code blocks of a text, in their order, as far as they are highlighted: `longest` characters of one at most. */
export function highlighted<Block extends { code: string }>(
  blocks: readonly Block[],
  longest = MAX_HIGHLIGHTED,
): Block[] {
  let rest = MAX_HIGHLIGHTED
  return blocks.filter(({ code }) => {
    const fits = code.length <= Math.min(longest, rest)
    if (fits) rest -= code.length
    return fits
  })
}

/** The coloured pieces of code, in their order; none where the language is not known or its grammar does not load. */
export async function tokensOf(code: string, language: string): Promise<Token[]> {
  const id = languageId(language)
  const isLoaded =
    id !== undefined &&
    (await register(id).then(
      () => true,
      () => false,
    ))
  if (!isLoaded) return []
  const { value } = hljs.highlight(code, { language: id, ignoreIllegals: true })
  // Within an element: the parser would drop white space before the first one.
  const page = parseHtml(`<div>${value}</div>`)
  const texts = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT)
  const tokens: Token[] = []
  let at = 0
  while (texts.nextNode()) {
    const { currentNode } = texts
    const { length } = currentNode.nodeValue ?? ''
    const className = CLASSES.get(currentNode.parentElement?.classList[0] ?? '')
    if (className !== undefined) tokens.push({ from: at, to: at + length, className })
    at += length
  }
  // Parsed HTML has no carriage returns: the offsets would not be those of the code.
  return at === code.length ? tokens : []
}

/** Code as text and coloured elements. */
const nodesOf = (code: string, tokens: readonly Token[]): (string | Element)[] => {
  let at = 0
  const nodes = tokens.flatMap(({ from, to, className }) => {
    const element = document.createElement('span')
    element.className = className
    element.textContent = code.slice(from, to)
    const before = code.slice(at, from)
    at = to
    return [before, element]
  })
  return [...nodes, code.slice(at)]
}

/** Labels and highlights code blocks of the page: `<code>` elements, each with the name of its language. */
export async function highlightBlocks(
  blocks: readonly { element: Element; language: string }[],
): Promise<void> {
  for (const { element, language } of blocks)
    element.parentElement?.setAttribute('data-label', languageLabel(language))
  const plain = blocks
    // What has links or other elements in it stays as it is.
    .filter(({ element }) => element.childElementCount === 0)
    .map((block) => ({ ...block, code: block.element.textContent }))
  for (const { element, language, code } of highlighted(plain)) {
    const tokens = await tokensOf(code, language)
    if (tokens.length > 0 && element.textContent === code) element.replaceChildren(...nodesOf(code, tokens))
    // Input comes first.
    await new Promise((resolve) => setTimeout(resolve))
  }
}
