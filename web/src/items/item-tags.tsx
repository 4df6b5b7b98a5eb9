import type { Highlights, TagRef } from '@kopilka/contract/items.ts'
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../messages/main-messages.ts'
import { TagLink } from '../navigation/tag-link.tsx'
import { Highlight } from '../ui/highlight.tsx'
import { TagChipList } from '../ui/tag-chip.tsx'

interface ItemTagsProps {
  tags: TagRef[]
  /** Ranges of the search in their names. */
  found?: Highlights['tags'] | undefined
  /** Of more than `most` tags `rest` says how many there are, as the way to all of them. */
  short?: { most: number; rest: (howMany: string) => ReactNode }
}

/** An item's tags, each a link to its screen. */
export function ItemTags({ tags, found, short }: ItemTagsProps) {
  if (tags.length === 0) return null
  const hidden = short ? tags.length - short.most : 0
  const rangesIn = (tag: TagRef) => found?.find(({ name }) => name === tag.name)?.ranges
  // What is found is never among the hidden ones.
  const ordered =
    hidden > 0 ? tags.toSorted((one, other) => Number(!rangesIn(one)) - Number(!rangesIn(other))) : tags
  return (
    <TagChipList label={t('items.tags')}>
      {ordered.slice(0, short?.most).map((tag) => (
        <li key={tag.id}>
          <TagLink to="/tags/$id" params={{ id: tag.id }}>
            <Highlight text={tag.name} ranges={rangesIn(tag)} />
          </TagLink>
        </li>
      ))}
      {hidden > 0 && (
        <Text component="li" size="xs" lh="24px">
          {short?.rest(t('items.tags.more', { count: hidden }))}
        </Text>
      )}
    </TagChipList>
  )
}
