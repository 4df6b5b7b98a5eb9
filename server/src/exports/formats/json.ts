import { isoTime, type TextFormat } from '../format.ts'
import type { ExportedItem, ExportRecord } from '../records.ts'

const itemOf = ({
  kind,
  title,
  url,
  body,
  tags,
  pinned,
  created_at,
  updated_at,
  deleted_at,
}: ExportedItem) => ({
  kind: kind === 'link' ? 'urllink' : 'note',
  title,
  ...(url === null ? { content: body } : { url, description: body }),
  ...{ tags, pinned, created_at: isoTime(created_at), updated_at: isoTime(updated_at) },
  ...(deleted_at !== undefined && { deleted_at: isoTime(deleted_at) }),
})

const ITEMS = '],\n"items":['

/** What comes before an item or a tag. */
function separator(type: ExportRecord['type'], before: ExportRecord['type'] | undefined): string {
  if (before === type) return ',\n'
  return type === 'item' ? `${ITEMS}\n` : '\n'
}

/** One object: `tags`, a list of names, and `items`, in the fields of the API. */
export const json: TextFormat = {
  begin: (exportedAt) => `{"exported_at":${JSON.stringify(isoTime(exportedAt))},\n"tags":[`,
  write(record, before) {
    if (record.type === 'version') return ''
    const value = record.type === 'tag' ? record.name : itemOf(record.item)
    return separator(record.type, before) + JSON.stringify(value)
  },
  end: (before) => `${before === 'item' ? '' : ITEMS}\n]}\n`,
}
