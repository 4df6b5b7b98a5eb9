import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { tagListQuery } from '../api/queries.ts'
import { t } from '../messages/lazy-messages.ts'
import { useTagAnchors } from '../navigation/use-tag-anchors.ts'
import { TagChip, TagChipList } from '../ui/tag-chip.tsx'
import classes from './side-drawer.module.css'

/** Chips in the drawer at most; the list of tags has all of them and filters. */
const MOST = 100

/** Tags as chips that lead to their screens. */
export function DrawerTags({ onLeave }: { onLeave: () => void }) {
  const { data: tags, isPending } = useQuery(tagListQuery('', MOST + 1))
  const tagAnchors = useTagAnchors(onLeave)
  if (isPending) return <Skeleton height={24} mt="xl" />
  if (!tags || tags.length === 0) return null
  return (
    <div className={classes.tags}>
      <TagChipList label={t('layout.tags.label')}>
        {tags.slice(0, MOST).map(({ id, name }) => (
          <li key={id}>
            <TagChip href={`/tags/${id}`} {...tagAnchors}>
              {name}
            </TagChip>
          </li>
        ))}
      </TagChipList>
      {tags.length > MOST && (
        <Link to="/tags" className={classes.all ?? ''} onClick={onLeave}>
          {t('tags.all')}
        </Link>
      )}
    </div>
  )
}
