import { Text } from '@mantine/core'
import { formatDateTime } from '../lib/format-date.ts'
import { t } from '../messages/messages.ts'

/** When an item was last changed, where that reads differently from when it was created. */
export function UpdatedAt({ item }: { item: { created_at: string; updated_at: string } }) {
  const updated = formatDateTime(item.updated_at)
  if (updated === formatDateTime(item.created_at)) return null
  return (
    <Text size="inherit" c="dimmed" span>
      {t('items.updated')} <time dateTime={item.updated_at}>{updated}</time>
    </Text>
  )
}
