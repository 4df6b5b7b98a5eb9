import { Text } from '@mantine/core'
import { formatDateTime } from '../lib/format-date.ts'
import { t } from '../messages/main-messages.ts'

/** When an item was last changed, where that reads differently from when it was created. */
export function UpdatedAt({
  item,
  size,
}: {
  item: { created_at: string; updated_at: string }
  size: 'xs' | 'sm'
}) {
  const updated = formatDateTime(item.updated_at)
  if (updated === formatDateTime(item.created_at)) return null
  return (
    <Text size={size} c="dimmed" span>
      {t('items.updated')} <time dateTime={item.updated_at}>{updated}</time>
    </Text>
  )
}
