import type { MessageKey } from '@kopilka/contract/messages.ts'

/** Why a row is not imported, or what of it is not: a key of the contract's messages. */
export type ImportMessage = Extract<MessageKey, `import${string}`>
/** The same, with the number it speaks of. */
export type ImportReason = ImportMessage | `${ImportMessage}:${number}`

/** Says how many values of an entry have no place here. */
export const remarkOnOthers = (count: number): readonly ImportReason[] =>
  count > 0 ? [`importOtherFields:${count}`] : []

/** Says how many files of an entry, and how many of its other values, are not imported. */
export const remarksOn = (attachments: number, others: number): readonly ImportReason[] => [
  ...(attachments > 0 ? ([`importAttachments:${attachments}`] as const) : []),
  ...remarkOnOthers(others),
]

/** A file that cannot be read as a whole. */
export class ImportError extends Error {
  override name = 'ImportError'
  readonly code: ImportMessage

  constructor(code: ImportMessage) {
    super(code)
    this.code = code
  }
}

/** Why one file of many cannot be read: the others still can. Throws any other error, and that of a bomb: they end the import. */
export function faultOf(error: unknown): ImportMessage {
  if (!(error instanceof ImportError) || error.code === 'importZipBomb') throw error
  return error.code
}

/** Where a row stands: the file within an archive, and its line or its number among the entries, from 1. */
interface Place {
  readonly file?: string | undefined
  readonly line?: number | undefined
  readonly entry?: number | undefined
}

/** States of other tools that Копилка has no field for. */
export type ItemState = 'archived' | 'unread' | 'starred' | 'private' | 'done'

/** An entry as an adapter reads it; {@link finishRow} makes it fit. */
export interface Entry {
  readonly place: Place
  /** Absent: a note. */
  readonly url?: string | undefined
  readonly title?: string | undefined
  /** HTML, not cleaned yet. */
  readonly body?: string | undefined
  readonly tags?: readonly string[] | undefined
  /** Paths of the folders that hold it, each from the outermost. */
  readonly folders?: readonly (readonly string[])[] | undefined
  /** Milliseconds since 1970; `NaN`: something is written there that is no date. */
  readonly createdAt?: number | undefined
  readonly updatedAt?: number | undefined
  readonly pinned?: boolean | undefined
  readonly states?: readonly ItemState[] | undefined
  /** What of the entry is not imported. */
  readonly remarks?: readonly ImportReason[] | undefined
  /**
   * Set where the entry is as Копилка stored it: its texts keep what was written as references to characters.
   */
  readonly isExact?: true | undefined
  /** Number of saves; absent: one. */
  readonly revision?: number | undefined
  /** Set where the item goes into the trash, as deleted at this time. */
  readonly deletedAt?: number | undefined
  /** Earlier versions, the oldest first. */
  readonly versions?: readonly ImportedVersion[] | undefined
}

/** An earlier version of an item. `replacedAt`: when the save that followed it was made. Times are milliseconds since 1970. */
export interface ImportedVersion {
  readonly title: string
  readonly url: string | null
  /** HTML, not cleaned yet. */
  readonly body: string
  readonly tags: readonly string[]
  readonly revision: number
  readonly savedAt: number
  readonly replacedAt: number
}

/** A tag by itself, so that it is there without items too. */
interface TagEntry {
  readonly place: Place
  readonly tagName: string
}

/** A picture that texts of the same archive name. */
interface PictureEntry {
  readonly place: Place
  /** The id that they name it by. */
  readonly pictureId: string
  readonly file: {
    readonly name: string
    readonly size: number
    readonly bytes: () => AsyncIterable<Uint8Array>
  }
}

export interface ImportedPicture extends PictureEntry {
  readonly state: 'picture'
}

/** An entry that cannot be imported (broken) or is not meant to be (ignored). */
export interface Rejection {
  readonly place: Place
  readonly state: 'broken' | 'ignored'
  readonly reason: ImportReason
  readonly title?: string | undefined
  readonly url?: string | undefined
}

/** A row that says that a folder's description is not imported, for a folder without an imported bookmark. */
export const describedFolder = (entry: number, title: string): Rejection => ({
  ...{ place: { entry }, state: 'ignored', reason: 'importFolderDescription', title },
})

export type RawRow = Entry | TagEntry | PictureEntry | Rejection
export const isRejection = (row: RawRow): row is Rejection => 'state' in row

/** An item to import. Its title and tags keep the limits of the contract; its body is HTML that is not cleaned yet, perhaps empty. */
export interface ImportedItem {
  readonly state: 'item'
  readonly place: Place
  readonly kind: 'note' | 'link'
  readonly title: string
  readonly url: string | null
  readonly body: string
  readonly tags: readonly string[]
  readonly folders: readonly (readonly string[])[]
  /** As of {@link Entry}. */
  readonly isExact: boolean
  readonly createdAt: number | undefined
  readonly updatedAt: number | undefined
  readonly pinned: boolean
  readonly states: readonly ItemState[]
  readonly remarks: readonly ImportReason[]
  readonly revision: number | undefined
  readonly deletedAt: number | undefined
  readonly versions: readonly ImportedVersion[]
}

/** A tag to create where there is none of that name. */
interface ImportedTag {
  readonly state: 'tag'
  readonly place: Place
  readonly title: string
}

export type ImportRow = ImportedItem | ImportedTag | ImportedPicture | Rejection
