import { wholeText } from './file.ts'
import { annotationsOf, listItems } from './formats/json-links.ts'
import { readMarkdown } from './markdown.ts'
import { faultOf, ImportError, type ImportMessage, isRejection, type RawRow } from './row.ts'
import type { FileTree } from './trees.ts'
import { textOf } from './values.ts'

/** Bytes of a file of annotations, and UTF-16 units of all: those beyond are left where they are. */
const MAX_BYTES = 8 * 1024 * 1024
const MAX_TEXT = 16 * 1024 * 1024

/** UTF-16 units of a title that are read: more than an item keeps. */
const MAX_TITLE = 2000

const METADATA = /(?:^|\/)metadata_\d+_to_\d+\.json$/
const HIGHLIGHTS = /(?:^|\/)highlights\/([^/]+)\.md$/
const CONTENT = /(?:^|\/)content\/([^/]+)\.(?:html?|pdf|epub)$/
const POCKET = /(?:^|\/)annotations\/part_\d+\.json$/

/** The lists beside which they stand. */
export const ANNOTATED = /(?:^|\/)(?:part_\d+\.csv|metadata_\d+_to_\d+\.json)$/

interface Annotations {
  /** Files that are read here, which are no entries. */
  readonly files: ReadonlySet<string>
  /** Those of them that cannot be read to their end, and why. */
  readonly faults: ReadonlyMap<string, ImportMessage>
  /** The row with what belongs to its address. */
  readonly addTo: (row: RawRow) => RawRow
  /** What belongs to addresses that no list has. */
  readonly rest: () => readonly RawRow[]
}

/**
 * What readers marked in articles, which two tools keep beside the list of them: Pocket in JSON by the address, Omnivore in a
 * Markdown file by the slug of the article. Omnivore's copies of the articles are not imported; their links say so.
 */
export async function readAnnotations(tree: FileTree): Promise<Annotations> {
  const byUrl = new Map<string, { file: string; title: string; body: string }>()
  const contents = new Set<string>()
  const files = new Set<string>()
  const faults = new Map<string, ImportMessage>()
  const bySlug = new Map<string, { html: string; name: string }[]>()
  const contentBySlug = new Map<string, string[]>()
  let length = 0

  const add = (url: string, file: string, more: string, title = ''): void => {
    const found = byUrl.get(url) ?? { file, title, body: '' }
    if (more !== '') byUrl.set(url, { ...found, body: found.body + more })
  }
  for await (const file of tree.files()) {
    const { name } = file
    const [, slug] = HIGHLIGHTS.exec(name) ?? []
    const [, content] = CONTENT.exec(name) ?? []
    if (content !== undefined) push(contentBySlug, content, name)
    if (length > MAX_TEXT || (slug === undefined && !POCKET.test(name))) continue
    try {
      if (slug === undefined) {
        for await (const { fields } of listItems(file)) {
          const marked = annotationsOf(fields.highlights)
          const title = textOf(fields.title).slice(0, MAX_TITLE)
          length += marked.length + title.length
          // One file may have gigabytes.
          if (length > MAX_TEXT) throw new ImportError('importLongEntry')
          add(textOf(fields.url).trim(), name, marked, title)
        }
        files.add(name)
      } else {
        const marked = readMarkdown(await wholeText(file, MAX_BYTES)).html
        length += marked.length
        push(bySlug, slug, { html: marked, name })
      }
    } catch (error) {
      faults.set(name, faultOf(error))
    }
  }
  if (bySlug.size + contentBySlug.size > 0)
    for await (const file of tree.files()) {
      if (!METADATA.test(file.name)) continue
      try {
        for await (const { fields } of listItems(file)) {
          const [slug, url] = [textOf(fields.slug), textOf(fields.url).trim()]
          for (const found of bySlug.get(slug) ?? []) {
            add(url, found.name, found.html)
            files.add(found.name)
          }
          for (const content of contentBySlug.get(slug) ?? []) {
            contents.add(url)
            files.add(content)
          }
          // Once: a list may name a slug many times.
          bySlug.delete(slug)
          contentBySlug.delete(slug)
        }
      } catch (error) {
        // The reader of its entries reports a fault of the file; any other error is thrown.
        faultOf(error)
      }
    }

  return {
    files,
    faults,
    addTo(row) {
      if (isRejection(row) || !('url' in row) || row.url === undefined) return row
      const url = row.url.trim()
      const remarks = contents.has(url) ? (['importAttachments:1'] as const) : []
      const marked = byUrl.get(url)?.body ?? ''
      // Once: a list may name an address many times.
      byUrl.delete(url)
      return {
        ...row,
        body: (row.body ?? '') + marked,
        remarks: [...(row.remarks ?? []), ...remarks],
      }
    },
    rest: () => Array.from(byUrl, ([url, { file, title, body }]) => ({ place: { file }, url, title, body })),
  }
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}
