import type { ImportFile } from './file.ts'
import type { RawRow } from './row.ts'
import type { FileTree } from './trees.ts'

/** Formats by the names that `GET /imports/{id}/` shows. */
export type FormatId =
  | 'kopilka'
  | 'kopilka-json'
  | 'netscape'
  | 'pocket-html'
  | 'pocket-csv'
  | 'raindrop-csv'
  | 'instapaper-csv'
  | 'readwise-csv'
  | 'csv'
  | 'karakeep-json'
  | 'linkwarden-json'
  | 'wallabag-json'
  | 'pinboard-json'
  | 'delicious-json'
  | 'omnivore'
  | 'chrome-json'
  | 'firefox-json'
  | 'google-keep'
  | 'evernote-enex'
  | 'memos'
  | 'markdown'
  | 'notion'
  | 'joplin'
  | 'simplenote'
  | 'standard-notes'
  | 'telegram-json'
  | 'addresses'

/** What of a file shows its format. */
export interface Sample {
  readonly name: string
  /** The text that the file begins with. */
  readonly head: string
  /** The paths in it, where it is JSON: 'items.*.title'. */
  readonly json: ReadonlySet<string>
  /** The names in its first line, where that may be a header of CSV. */
  readonly columns: readonly string[]
}

/** A format of one file. */
export interface Adapter {
  readonly id: FormatId
  readonly recognises: (sample: Sample) => boolean
  /** The entries of a file, in its order. Throws `ImportError` where it cannot be read on. */
  readonly rows: (file: ImportFile) => AsyncIterable<RawRow>
}

/** A format of many files. */
export interface TreeAdapter {
  readonly id: FormatId
  readonly recognises: (paths: readonly string[]) => boolean
  readonly rows: (tree: FileTree) => AsyncIterable<RawRow>
}
