import type { Locale } from '@kopilka/contract/field-messages.ts'
import type { PictureType } from '@kopilka/contract/files.ts'
import type { Import, ImportedRow } from '@kopilka/contract/imports.ts'
import type { OperationAction } from '@kopilka/contract/operations.ts'
import type { TokenScope } from '@kopilka/contract/tokens.ts'
import type { Generated, Kysely, Transaction } from 'kysely'

/**
 * The tables, as both databases have them. `owner_id` leads every key; times are milliseconds since 1970 in UTC.
 * The tables of the search index are declared in search/index-sqlite.ts and search/index-postgres.ts.
 */
export interface Tables {
  users: UsersTable
  sessions: SessionsTable
  api_tokens: ApiTokensTable
  items: ItemsTable
  item_counts: ItemCountsTable
  usage: UsageTable
  duplicates: DuplicatesTable
  tags: TagsTable
  item_tags: ItemTagsTable
  password_resets: PasswordResetsTable
  jobs: JobsTable
  rate_limits: RateLimitsTable
  known_devices: KnownDevicesTable
  idempotency_keys: IdempotencyKeysTable
  search_analyser: SearchAnalyserTable
  search_removals: SearchRemovalsTable
  change_counts: ChangeCountsTable
  changes: ChangesTable
  operations: OperationsTable
  operation_items: OperationItemsTable
  trash: TrashTable
  export_links: ExportLinksTable
  imports: ImportsTable
  import_rows: ImportRowsTable
  linkding_ids: LinkdingIdsTable
  files: FilesTable
  file_chunks: FileChunksTable
  file_items: FileItemsTable
}

/** A user owns itself: its id is the `owner_id` of all that is the user's. */
interface UsersTable {
  owner_id: string
  email: string
  /** `emailKey` of the email, unique; the email in lower case where an older account has that key. */
  email_key: string
  first_name: string
  last_name: string
  /** argon2id, in PHC format. */
  password_hash: string
  created_at: number
}

/** One browser or program that is signed in. Tokens are kept as SHA-256 in base64url. */
interface SessionsTable {
  owner_id: string
  id: string
  access_hash: string
  access_expires_at: number
  refresh_hash: string
  refresh_expires_at: number
  /** The refresh token before this one, and what the pair that replaced it was derived with. */
  previous_refresh_hash: string | null
  rotation_salt: string | null
  rotated_at: number | null
  created_at: number
  /** Recognises refresh tokens of this session, retired ones too (sessions/tokens.ts); null until an old session is renewed. */
  retirement_key: string | null
}

/** A personal API token; its secret is kept as SHA-256 in base64url. */
export interface ApiTokensTable {
  owner_id: string
  id: string
  name: string
  scope: TokenScope
  secret_hash: string
  created_at: number
  /** Null: it does not expire. */
  expires_at: number | null
  /** The last use, exact to the minute, and the IP address it came from; null until then. */
  last_used_at: number | null
  last_used_from: string | null
}

export const ITEM_KINDS = ['note', 'link'] as const
export type ItemKind = (typeof ITEM_KINDS)[number]

interface ItemsTable {
  owner_id: string
  id: string
  kind: ItemKind
  title: string
  /** Clean HTML: a note's content, a link's description. */
  body: string
  /** The body's plain text, cut for lists. */
  excerpt: string
  /** A link's address; null for a note. */
  url: string | null
  /** Counts the saves; what the ETag carries. */
  revision: number
  created_at: number
  updated_at: number
  /** 1: pinned; 0: not. */
  pinned: number
  /** `sortKey` of the title (text/src/sort-key.ts). */
  title_key: string
  /** What makes items the same (items/identity.ts); null where it is not filled yet. */
  identity_key: string | null
}

/** How many items of a kind an owner has; a missing row is none. */
interface ItemCountsTable {
  owner_id: string
  kind: ItemKind
  count: number
}

/** What an owner stores (db/usage.ts); a missing row is nothing. */
interface UsageTable {
  owner_id: string
  items: number
  tags: number
  text_bytes: number
  /** Pages that are kept twice or more (items/duplicates.ts). */
  duplicates: Generated<number>
  file_bytes: number
}

/** A page that an owner keeps twice or more. */
interface DuplicatesTable {
  owner_id: string
  /** What the links to it share. */
  identity_key: string
  copies: number
  /** The newest of these links. */
  newest_id: string
}

interface TagsTable {
  owner_id: string
  id: string
  name: string
  /** The name without regard to letter case; unique for an owner. */
  name_key: string
  /** How many items of each kind have the tag. */
  notes_count: number
  urllinks_count: number
}

interface ItemTagsTable {
  owner_id: string
  item_id: string
  tag_id: string
  /** The item's kind, repeated here so that a tag's items are counted from an index alone. */
  kind: ItemKind
}

/** The current password reset of a user; a new one replaces it. The mailed token is kept as SHA-256 in base64url. */
interface PasswordResetsTable {
  owner_id: string
  token_hash: string
  expires_at: number
}

/** Queued work, retried until it succeeds or is given up. */
export interface JobsTable {
  owner_id: string
  id: string
  /** Names the handler. */
  kind: string
  /** JSON for the handler. Holds no secret: it lies in the database and its backups. */
  payload: string
  /** Attempts begun so far. */
  attempts: number
  /** When the next attempt is due. */
  run_at: number
  /** Until then no other server makes an attempt; 0 where none is under way. */
  leased_until: number
  created_at: number
}

/** One window of a rate limit. It has no owner: the limited client may be signed out or have no account. */
interface RateLimitsTable {
  /** What is limited, and of whom: SHA-256 in base64url. */
  key: string
  count: number
  ends_at: number
}

/** A browser or program in which the owner signed in before; its secret is kept as SHA-256 in base64url. */
interface KnownDevicesTable {
  owner_id: string
  secret_hash: string
  signed_in_at: number
}

/** The item that a request with an idempotency key created; both hashes are SHA-256 in base64url. */
interface IdempotencyKeysTable {
  owner_id: string
  key_hash: string
  request_hash: string
  item_id: string
  created_at: number
}

/** One row without an owner: the analyser that built the search index. */
interface SearchAnalyserTable {
  id: 1
  /** ANALYSER of search/terms.ts when the index was built; if it differs, the items are indexed again. */
  version: number
  /** Until when the server that does so is expected to have come further. */
  leased_until: number
}

/** Words that items have lost: where no other item has them they leave the vocabulary. */
interface SearchRemovalsTable {
  owner_id: string
  id: string
  /** Separated by spaces. */
  forms: string
}

/**
 * The number of the owner's last change, up to which something of the journal is kept no more that a change feed needs, and how many
 * bytes its changes keep.
 */
interface ChangeCountsTable {
  owner_id: string
  last_seq: number
  forgotten_seq: Generated<number>
  kept_bytes: Generated<number>
}

/** The journal: a row for each item or tag that a write changed, numbered without gaps for each owner. */
export interface ChangesTable {
  owner_id: string
  seq: number
  /** What was changed. */
  kind: ItemKind | 'tag'
  entity_id: string
  /** The revision of the item after the change, 0 for a tag; null where it does not exist any more. */
  revision: number | null
  at: number
  /** The session or API token that made the change; null where none did. */
  session_id: string | null
  /** Null where the change is no part of an operation, as a save. */
  operation_id: string | null
  /** 1: a change that was undone, or the undo of one. The two cancel each other. */
  is_reverted: number
  /** The revision that this row keeps as an earlier version; null where it keeps none. */
  version: number | null
  /** JSON of what was there before, without the body; null where nothing was, or nothing is kept. */
  before: string | null
  /** The body of the item before; null where it is not kept. */
  body: string | null
  /** JSON of the index document of that state, with the analyser's version; null where it is not needed. */
  document: string | null
}

/** What can be undone: the changes from `first_seq` to `last_seq` with its id. */
interface OperationsTable {
  owner_id: string
  id: string
  action: OperationAction
  at: number
  /** How many items or tags it changed. */
  items: number
  undone_at: number | null
  first_seq: number
  last_seq: number
  /** JSON of what is still to be done or undone (operations/running.ts); null: nothing. */
  work: string | null
}

/** The items to which an operation has not come yet. */
interface OperationItemsTable {
  owner_id: string
  operation_id: string
  item_id: string
}

/** A deleted item; its state lies in the change that deleted it. */
interface TrashTable {
  owner_id: string
  item_id: string
  deleted_at: number
  seq: number
  /** The item's key (items/identity.ts); null where it is not filled yet. */
  identity_key: string | null
}

/** A link that downloads an export once; its secret is kept as SHA-256 in base64url. */
interface ExportLinksTable {
  owner_id: string
  token_hash: string
  session_id: string
  /** JSON of what is exported. */
  request: string
  expires_at: number
}

/** An import of a file. The counts of `added`, `merged`, `skipped` and `broken` are those of the entries up to `position`. */
export interface ImportsTable {
  owner_id: string
  id: string
  /** The name of the file. */
  name: string
  /** The language of the names that the import makes itself. */
  locale: Locale
  created_at: number
  state: Import['state']
  format: string | null
  /** The key of a message: why it failed. */
  error: string | null
  done: number
  total: number
  /** JSON of the summary, and of the first items, both as the API shows them. */
  summary: string
  sample: string
  /** JSON of the tags that the file lists by themselves. */
  listed_tags: string
  /** JSON of what was chosen; null until it is run. */
  options: string | null
  /** Who runs it, when, and as what operation with which changes of the journal. */
  session_id: string | null
  started_at: number | null
  operation_id: string | null
  first_seq: number | null
  last_seq: number | null
  /** The number of the last entry that is saved. */
  position: number
  added: number
  merged: number
  skipped: number
  broken: number
}

/** An entry of a file that is imported; those that were saved are deleted with it. */
export interface ImportRowsTable {
  owner_id: string
  import_id: string
  /** Its number in the file, from 1. */
  seq: number
  state: ImportedRow['state']
  /** Null where it is neither. */
  kind: ItemKind | null
  /** JSON of where it stands in the file. */
  place: string
  title: string
  url: string | null
  /** JSON of the messages: why, or what of it is not kept. */
  reasons: string
  identity_key: string | null
  /** JSON of the rest of the item; null where there is none. */
  item: string | null
}

/** The whole number by which linkding's clients know a link or a tag. It stays when the link or tag is gone. */
interface LinkdingIdsTable {
  owner_id: string
  number: number
  entity_id: string
}

/** A picture. Its id follows from its bytes (files/clean-picture.ts). */
export interface FilesTable {
  owner_id: string
  id: string
  type: PictureType
  width: number
  height: number
  bytes: number
  /** 0: its chunks are being written or deleted, and nobody sees it. */
  is_complete: number
  /** When its last upload began; 0: it is being deleted. */
  begun_at: number
  /** Since when no item, trash, version or operation names it, as far as is known; null: something may. */
  unused_since: number | null
}

/** The bytes of a picture in order, from 0. */
interface FileChunksTable {
  owner_id: string
  file_id: string
  seq: number
  bytes: Uint8Array
}

/** An item that has named a picture, perhaps only in an earlier version; of the picture there may be no row. */
interface FileItemsTable {
  owner_id: string
  file_id: string
  item_id: string
}

export type Db = Kysely<Tables>
export type Trx = Transaction<Tables>
