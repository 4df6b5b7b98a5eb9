import type { Locale } from '@kopilka/contract/messages.ts'
import type { Kysely, Transaction } from 'kysely'

/**
 * The tables, as both databases have them. `owner_id` leads every key; times are milliseconds since 1970 in UTC.
 * What an index of search keeps beside them belongs to the search room.
 */
export interface Tables {
  users: UsersTable
  sign_ins: SessionsTable
  items: ItemsTable
  item_counts: ItemCountsTable
  tags: TagsTable
  item_tags: ItemTagsTable
  password_resets: PasswordResetsTable
  letters: LettersTable
  limit_counts: LimitCountsTable
  browsers: KnownDevicesTable
  idempotency_keys: IdempotencyKeysTable
  search_analyser: SearchAnalyserTable
}

/** A user owns itself: its id is the `owner_id` of all that is the user's. */
interface UsersTable {
  owner_id: string
  email: string
  /** The email without regard to case; unique. */
  email_key: string
  first_name: string
  last_name: string
  /** argon2id, in PHC format. */
  password_hash: string
  created_at: number
}

/** One browser or program signed in. Tokens are kept as SHA-256 in base64url. */
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
}

/** How many items of a kind an owner has; a missing row is none. */
interface ItemCountsTable {
  owner_id: string
  kind: ItemKind
  count: number
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

/** The one reset under way: a newer one takes its place. The letter's token is kept as SHA-256 in base64url. */
interface PasswordResetsTable {
  owner_id: string
  token_hash: string
  expires_at: number
}

export type LetterKind = 'password-reset'

/** A letter that waits to be written and sent: whom and what about. Its words are nowhere but in the letter. */
export interface LettersTable {
  owner_id: string
  id: string
  kind: LetterKind
  locale: Locale
  /** Begun so far. */
  attempts: number
  /** When it is due. Moved ahead before an attempt, so that no other server makes one at the same time. */
  next_attempt_at: number
  created_at: number
}

/** Belongs to nobody: who asks too often may be signed out, or have no account. */
interface LimitCountsTable {
  /** What is limited, and of whom: SHA-256 in base64url. */
  subject: string
  count: number
  ends_at: number
}

/** A browser in which the owner signed in before; its secret is kept as SHA-256 in base64url. */
interface KnownDevicesTable {
  owner_id: string
  secret_hash: string
  signed_in_at: number
}

/** The item that a request made which may be sent again; both hashes are SHA-256 in base64url. */
interface IdempotencyKeysTable {
  owner_id: string
  key_hash: string
  request_hash: string
  item_id: string
  created_at: number
}

/** Belongs to nobody, in one row: what the index of search was made by. */
interface SearchAnalyserTable {
  id: 1
  /** ANALYSER of search/entries.ts; another where items wait to be indexed anew. */
  version: number
  /** Until when the server that does so is expected to have come further. */
  leased_until: number
}

export type Db = Kysely<Tables>
export type Trx = Transaction<Tables>
