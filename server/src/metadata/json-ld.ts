import * as z from 'zod/mini'
import { textOfHtml } from './plain-text.ts'

/** Metadata of a page in JSON-LD, as text; lists collect the values of several objects. */
export interface JsonLd {
  readonly titles: readonly string[]
  readonly descriptions: readonly string[]
  readonly keywords: readonly string[]
}

/** Types whose names are not the title of the page. */
const AROUND_THE_PAGE =
  /^(?:\w*Organization|Corporation|WebSite|BreadcrumbList|ItemList|ListItem|Person|Brand|ImageObject|\w*Action|SiteNavigationElement)$/

const node = z.record(z.string(), z.unknown())
type Node = z.output<typeof node>

/** Reads scripts of type `application/ld+json`; invalid JSON is ignored. */
export function readJsonLd(scripts: readonly string[]): JsonLd {
  const nodes = scripts.flatMap((script) => nodesIn(parsed(script))).filter(isOfThePage)
  const all = (name: string): string[] => nodes.flatMap((found) => textsIn(found[name]))
  return {
    titles: [...all('headline'), ...all('name')],
    descriptions: all('description'),
    keywords: all('keywords'),
  }
}

function parsed(script: string): unknown {
  // Line breaks inside strings are invalid JSON, but common.
  const json = script.replace(/^\s*(?:<!--|\/\/\s*<!\[CDATA\[)|(?:-->|\/\/\s*\]\]>)\s*$/g, '')
  try {
    return JSON.parse(json.replace(/\p{Cc}/gu, ' '))
  } catch {
    return undefined
  }
}

/** The objects of a script: the value itself or its elements, and those of their graphs. */
const nodesIn = (value: unknown): Node[] =>
  listOf(value).flatMap((found) => [found, ...listOf(found['@graph'])])

function listOf(value: unknown): Node[] {
  return [value].flat().flatMap((one) => {
    const { data } = node.safeParse(one)
    return data ? [data] : []
  })
}

const isOfThePage = ({ '@type': type }: Node): boolean =>
  ![type].flat().some((name) => typeof name === 'string' && AROUND_THE_PAGE.test(name))

/** Texts of a value. Many sites write HTML in them. */
const textsIn = (value: unknown): string[] =>
  [value].flat().flatMap((text) => (typeof text === 'string' ? [textOfHtml(text)] : []))
