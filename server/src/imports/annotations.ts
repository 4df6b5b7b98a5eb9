import { wholeText } from './file.ts'
import { annotationsOf, listItems } from './formats/json-links.ts'
import { readMarkdown } from './markdown.ts'
import { ImportError, isRejection, type RawRow } from './row.ts'
import type { FileTree } from './trees.ts'
import { textOf } from './values.ts'

/** Bytes of a file of annotations, and UTF-16 units of all: those beyond are left where they are. */
const MAX_BYTES = 8 * 1024 * 1024
const MAX_TEXT = 16 * 1024 * 1024

const METADATA = /(?:^|\/)metadata_\d+_to_\d+\.json$/
const HIGHLIGHTS = /(?:^|\/)highlights\/([^/]+)\.md$/
const CONTENT = /(?:^|\/)content\/([^/]+)\.html?$/
const POCKET = /(?:^|\/)annotations\/part_\d+\.json$/

/** The lists beside which they stand. */
export const ANNOTATED = /(?:^|\/)(?:part_\d+\.csv|metadata_\d+_to_\d+\.json)$/

interface Annotations {
  /** Files that are read here, which are no entries. */
  readonly files: ReadonlySet<string>
  /** The row with what belongs to its address. */
  readonly addTo: (row: RawRow) => RawRow
}

/**
 * What readers marked in articles, which two tools keep beside the list of them: Pocket in JSON by the address, Omnivore in a
 * Markdown file by the slug of the article. Omnivore's copies of the articles are not imported; their links say so.
 */
export async function readAnnotations(tree: FileTree): Promise<Annotations> {
  const html = new Map<string, string>()
  const contents = new Set<string>()
  const files = new Set<string>()
  const bySlug = new Map<string, { html: string; name: string }>()
  const contentBySlug = new Map<string, string>()
  let length = 0

  const add = (url: string, more: string): void => {
    html.set(url, (html.get(url) ?? '') + more)
  }
  for await (const file of tree.files()) {
    const { name } = file
    const [, slug] = HIGHLIGHTS.exec(name) ?? []
    const [, content] = CONTENT.exec(name) ?? []
    if (content !== undefined) contentBySlug.set(content, name)
    if (length > MAX_TEXT || (slug === undefined && !POCKET.test(name))) continue
    try {
      if (slug === undefined) {
        for await (const { fields } of listItems(file)) {
          const marked = annotationsOf(fields.highlights)
          length += marked.length
          add(textOf(fields.url), marked)
        }
        files.add(name)
      } else {
        const marked = readMarkdown(await wholeText(file, MAX_BYTES)).html
        length += marked.length
        bySlug.set(slug, { html: marked, name })
      }
    } catch (error) {
      // The file is shown among those that are not imported.
      if (!(error instanceof ImportError) || error.code === 'importZipBomb') throw error
    }
  }
  if (bySlug.size + contentBySlug.size > 0)
    for await (const file of tree.files()) {
      if (!METADATA.test(file.name)) continue
      try {
        for await (const { fields } of listItems(file)) {
          const [slug, url] = [textOf(fields.slug), textOf(fields.url)]
          const found = bySlug.get(slug)
          if (found) add(url, found.html)
          if (found) files.add(found.name)
          const content = contentBySlug.get(slug)
          if (content !== undefined) contents.add(url)
          if (content !== undefined) files.add(content)
        }
      } catch (error) {
        // The reader of its entries reports it.
        if (!(error instanceof ImportError) || error.code === 'importZipBomb') throw error
      }
    }

  return {
    files,
    addTo(row) {
      if (isRejection(row) || !('url' in row) || row.url === undefined) return row
      const remarks = contents.has(row.url) ? (['importAttachments:1'] as const) : []
      const marked = html.get(row.url) ?? ''
      // Once: a list may name an address many times.
      html.delete(row.url)
      return {
        ...row,
        body: (row.body ?? '') + marked,
        remarks: [...(row.remarks ?? []), ...remarks],
      }
    },
  }
}
