/** Items a page (docs/specification.md, section 9). */
export const PAGE_SIZE = 15

/** Length of an excerpt in characters, before '...' (docs/specification.md, section 9). */
export const EXCERPT_LENGTH = 100

/**
 * Field lengths in characters, that is Unicode code points (docs/behaviour.md, section 4).
 * It has no limits for names and emails: 150 is usual in directories, 254 is the limit of RFC 5321.
 */
export const MAX_LENGTH = {
  title: 255,
  tagName: 50,
  url: 2048,
  html: 500_000,
  password: 200,
  personName: 150,
  email: 254,
} as const

export const MIN_PASSWORD_LENGTH = 6
export const MAX_TAGS_PER_ITEM = 50

/** Items of each kind in GET /latest/, GET /search/ and GET /tags/{id}/items/ (docs/behaviour.md, section 4). */
export const LATEST_SIZE = 10
export const SEARCH_SIZE = 20
export const TAG_ITEMS_SIZE = 100

/** Items in GET /notes/{id}/similar/ and its like for links (docs/behaviour.md, section 16). */
export const SIMILAR_SIZE = 6

/** Personal API tokens of an account, and the length of the name of one. */
export const MAX_TOKENS = 100
export const MAX_TOKEN_NAME = 100

/** Most pixels of a picture: what browsers can show without running out of memory. */
export const MAX_PIXELS = 100_000_000

/** Ids in one request that changes many items (docs/behaviour.md, section 9). */
export const MAX_IDS = 1000

/** Ids in a query. */
export const MAX_IDS_IN_QUERY = 100

/** Items that are merged into another in one request, and links to one page that a check names besides the first. */
export const MAX_MERGED = 50
export const SAME_SIZE = 5

/** Items and tags that the response to an undo names of those that it left as they are. */
export const MAX_SKIPPED = 100

/** Changes in a page of GET /changes/ at most, and unless the request says how many. */
export const MAX_CHANGES = 1000
export const CHANGES_SIZE = 500

/** Days for which an operation is listed and can be undone, and for which a version is kept (docs/behaviour.md, section 8). */
export const OPERATION_DAYS = 30
export const VERSION_DAYS = 90
/** Versions kept of an item. */
export const MAX_VERSIONS = 100

/** A longer query is cut, not refused: no text in a search field is an error. */
export const MAX_SEARCH_LENGTH = 500

/**
 * Most bytes of texts, titles, addresses and tags' names of each kind in a list of whole items. A longer list is truncated, and
 * the response says `truncated`; summaries are complete, and each item can be read alone.
 */
export const MAX_LIST_BYTES = 2_500_000
