import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { tagListQuery } from '../api/queries.ts'
import { t } from '../messages/messages.ts'
import { useTagAnchors } from '../navigation/use-tag-anchors.ts'
import { TagChip, TagChipList } from '../ui/tag-chip.tsx'
import classes from './side-drawer.module.css'

/** Every tag as a chip that leads to its screen. */
export function DrawerTags({ onLeave }: { onLeave: () => void }) {
  const { data: tags, isPending } = useQuery(tagListQuery())
  const tagAnchors = useTagAnchors(onLeave)
  if (isPending) return <Skeleton height={24} mt="xl" />
  if (!tags || tags.length === 0) return null
  return (
    <div className={classes.tags}>
      <TagChipList label={t('layout.tags.label')}>
        {tags.map(({ id, name }) => (
          <li key={id}>
            <TagChip href={`/tags/${id}`} {...tagAnchors}>
              {name}
            </TagChip>
          </li>
        ))}
      </TagChipList>
    </div>
  )
}
