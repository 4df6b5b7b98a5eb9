import type { TagRef } from '@kopilka/contract/items.ts'
import { Text } from '@mantine/core'
import { t } from '../text/text.ts'
import { TagChipList } from '../ui/tag-chip.tsx'
import { TagLink } from './router-links.tsx'

/** An item's tags, each a link to its screen; of more than `most` only how many there are. */
export function ItemTags({ tags, most = Number.POSITIVE_INFINITY }: { tags: TagRef[]; most?: number }) {
  if (tags.length === 0) return null
  const hidden = tags.length - most
  return (
    <TagChipList label={t('items.tags')}>
      {tags.slice(0, most).map((tag) => (
        <li key={tag.id}>
          <TagLink to="/tags/$id" params={{ id: tag.id }}>
            {tag.name}
          </TagLink>
        </li>
      ))}
      {hidden > 0 && (
        <Text component="li" size="xs" c="dimmed" lh="24px">
          {t('items.tags.more', { count: hidden })}
        </Text>
      )}
    </TagChipList>
  )
}
