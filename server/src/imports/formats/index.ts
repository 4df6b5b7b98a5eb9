import type { Adapter, TreeAdapter } from '../adapter.ts'
import { addresses } from './addresses.ts'
import { chromeJson, firefoxJson } from './browser-json.ts'
import { anyCsv, instapaperCsv, kopilkaCsv, pocketCsv, raindropCsv, readwiseCsv } from './csv.ts'
import { evernote } from './evernote.ts'
import { googleKeep } from './google-keep.ts'
import { headerlessCsv } from './headerless-csv.ts'
import { joplin } from './joplin.ts'
import { deliciousJson, omnivore, pinboardJson, wallabagJson } from './json-links.ts'
import { karakeep } from './karakeep.ts'
import { kopilka, kopilkaArchive, kopilkaJson } from './kopilka.ts'
import { linkwarden } from './linkwarden.ts'
import { markdown } from './markdown.ts'
import { memos } from './memos.ts'
import { netscape } from './netscape.ts'
import { notion } from './notion.ts'
import { pocketHtml } from './pocket-html.ts'
import { simplenote } from './simplenote.ts'
import { standardNotes } from './standard-notes.ts'
import { telegram } from './telegram.ts'

/** JSON and XML tell their format by their keys, and are never anything else. */
export const STRUCTURED: readonly Adapter[] = [
  kopilka,
  kopilkaJson,
  karakeep,
  linkwarden,
  ...wallabagJson,
  pinboardJson,
  omnivore,
  deliciousJson,
  googleKeep,
  simplenote,
  standardNotes,
  telegram,
  chromeJson,
  firefoxJson,
  memos,
]
export const MARKED: readonly Adapter[] = [evernote, netscape, pocketHtml]
/** The most telling first: each table with an address would be a table of its own. */
export const TABLES: readonly Adapter[] = [
  kopilkaCsv,
  pocketCsv,
  raindropCsv,
  readwiseCsv,
  instapaperCsv,
  anyCsv,
  headerlessCsv,
]
export const TEXTS: readonly Adapter[] = [addresses, markdown]
export const TREES: readonly TreeAdapter[] = [kopilkaArchive, joplin, notion]
