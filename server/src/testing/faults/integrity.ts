import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { FullText } from '../../db/dialect.ts'
import type { Database } from '../../db/open.ts'
import type { Tables } from '../../db/schema.ts'
import { historyBytes, textBytes } from '../../db/usage.ts'

interface Check {
  what: string
  rows: RawBuilder<{ id: string }>
}

/** What owners are said to store differs from what they store; says of what it is counted wrongly, and by how much. */
export const WRONG_USAGE: Check = {
  what: 'неверно учтено, сколько хранит владелец',
  rows: sql`select owner_id || ' ' || wrong as id from (
    select owner_id, 'items ' || (items - (select count(*) from items where owner_id = usage.owner_id)) as wrong from usage
    union all select owner_id, 'tags ' || (tags - (select count(*) from tags where owner_id = usage.owner_id)) from usage
    union all select owner_id, 'text_bytes ' ||
      (text_bytes - (select coalesce(sum(${textBytes}), 0) from items where owner_id = usage.owner_id)) from usage
    union all select owner_id, 'file_bytes ' || (file_bytes - (select coalesce(sum(bytes), 0) from files
      where owner_id = usage.owner_id and is_complete = 1)) from usage
  ) as measures where wrong not like '% 0'`,
}

const DUPLICATES = sql`select owner_id, identity_key, copies, newest_id from duplicates`
const COUNTED_DUPLICATES = sql`select owner_id, identity_key, count(*), max(id) from items
  where kind = 'link' and identity_key is not null group by owner_id, identity_key having count(*) > 1`

/** What owners are said to keep twice or more differs from what they do; those whose accounts are being deleted count no more. */
export const WRONG_DUPLICATES: Check = {
  what: 'неверно учтено, что владелец хранит дважды',
  rows: sql`select owner_id as id from (
    select owner_id from (${DUPLICATES} except ${COUNTED_DUPLICATES}) as superfluous
    union all select owner_id from (${COUNTED_DUPLICATES} except ${DUPLICATES}) as missing
    union all select owner_id from usage
      where duplicates <> (select count(*) from duplicates where owner_id = usage.owner_id)
  ) as wrong where owner_id in (select owner_id from users where password_hash <> '')`,
}

const KEPT_BYTES = sql`select coalesce(sum(${historyBytes}), 0) from changes where changes.owner_id = change_counts.owner_id`

/** What the history of owners is said to take differs from what it does; of accounts that are being deleted it counts no more. */
export const WRONG_HISTORY: Check = {
  what: 'неверно учтено, сколько места занимает история',
  rows: sql`select owner_id as id from change_counts where kept_bytes <> (${KEPT_BYTES})
    and owner_id in (select owner_id from users where password_hash <> '')`,
}

/** Counts the history again after a test has written into the journal itself. */
export async function recountHistory(db: Kysely<Tables>): Promise<void> {
  await sql`update change_counts set kept_bytes = (${KEPT_BYTES})`.execute(db)
}

/** Checks for both databases; each selects the rows that are inconsistent. */
const COMMON_CHECKS: readonly Check[] = [
  {
    what: 'у связи с категорией другой вид записи',
    rows: sql`select item_tags.item_id as id from item_tags
      left join items on items.owner_id = item_tags.owner_id and items.id = item_tags.item_id
      where items.kind is distinct from item_tags.kind`,
  },
  {
    what: 'у владельца неверное число записей',
    rows: sql`select owner_id as id from item_counts where count <>
      (select count(*) from items where owner_id = item_counts.owner_id and kind = item_counts.kind)`,
  },
  WRONG_USAGE,
  {
    what: 'картинка видна, но не вся',
    rows: sql`select id from files where is_complete = 1 and bytes <> (select coalesce(sum(octet_length(bytes)), 0)
      from file_chunks where owner_id = files.owner_id and file_id = files.id)`,
  },
  {
    what: 'часть картинки без картинки',
    rows: sql`select file_id as id from file_chunks where not exists
      (select 1 from files where owner_id = file_chunks.owner_id and id = file_chunks.file_id)`,
  },
  {
    what: 'хранится текст записи, которой нет и в корзине',
    rows: sql`select distinct entity_id as id from changes where kind <> 'tag' and (body is not null or document is not null)
      and not exists (select 1 from items where owner_id = changes.owner_id and id = changes.entity_id)
      and not exists (select 1 from trash where owner_id = changes.owner_id and item_id = changes.entity_id)
      and owner_id in (select owner_id from users where password_hash <> '')`,
  },
  WRONG_DUPLICATES,
  WRONG_HISTORY,
  {
    what: 'у категории неверное число записей',
    // Those of an account that is being deleted count no more.
    rows: sql`select id from tags where owner_id in (select owner_id from users where password_hash <> '') and (notes_count <>
        (select count(*) from item_tags where owner_id = tags.owner_id and tag_id = tags.id and kind = 'note')
      or urllinks_count <>
        (select count(*) from item_tags where owner_id = tags.owner_id and tag_id = tags.id and kind = 'link'))`,
  },
]

const CHECKS: Readonly<Record<FullText, readonly Check[]>> = {
  fts5: [
    {
      what: 'integrity_check',
      rows: sql`select integrity_check as id from pragma_integrity_check where integrity_check <> 'ok'`,
    },
    {
      what: 'foreign_key_check',
      rows: sql`select "table" || ' ' || rowid as id from pragma_foreign_key_check`,
    },
    {
      what: 'запись без номера в поиске',
      rows: sql`select id from items where not exists
        (select 1 from search_docs where owner_id = items.owner_id and item_id = items.id)`,
    },
    {
      what: 'номер в поиске без записи',
      rows: sql`select item_id as id from search_docs where not exists
        (select 1 from items where owner_id = search_docs.owner_id and id = item_id)`,
    },
    {
      what: 'номер в поиске без слов',
      rows: sql`select item_id as id from search_docs where doc not in (select rowid from search_words)`,
    },
    {
      what: 'слова в поиске без номера',
      rows: sql`select rowid as id from search_words where rowid not in (select doc from search_docs)`,
    },
  ],
  tsvector: [
    {
      what: 'запись без слов в поиске',
      rows: sql`select id from items where not exists
        (select 1 from search_words where owner_id = items.owner_id and item_id = items.id and part = 0)`,
    },
    {
      what: 'слова в поиске без записи',
      rows: sql`select item_id as id from search_words where not exists
        (select 1 from items where owner_id = search_words.owner_id and id = item_id)`,
    },
    {
      what: 'часть слов пропала из поиска',
      rows: sql`select item_id as id from search_words group by owner_id, item_id having count(*) <> max(part) + 1`,
    },
  ],
}

/** A message for each inconsistent row; none where the database is intact. */
export async function integrityErrors(db: Database): Promise<string[]> {
  const faults: string[] = []
  for (const { what, rows } of [...COMMON_CHECKS, ...CHECKS[db.fullText]]) {
    const found = await rows.execute(db)
    faults.push(...found.rows.map(({ id }) => `${what}: ${id}`))
  }
  return faults
}
