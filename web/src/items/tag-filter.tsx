import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { tagQuery } from '../api/queries.ts'
import { t } from '../messages/messages.ts'
import { AnchorLink, IconLink } from '../navigation/router-links.tsx'
import { TagLink } from '../navigation/tag-link.tsx'
import { CloseIcon } from '../ui/icons.tsx'

interface TagFilterProps {
  /** The tag's id. */
  tag: string
  /** The same list without the tag. */
  clear: { to: '/notes' | '/url-links'; search: { search: string | undefined } }
}

/** Says that a list shows only items with a tag, and offers the others; of a tag without a name only the latter. */
export function TagFilter({ tag, clear }: TagFilterProps) {
  const { data, isPending } = useQuery(tagQuery(tag))
  if (isPending) return null
  if (!data) return <AnchorLink {...clear}>{t('items.onlyTag.clear')}</AnchorLink>
  return (
    <Group gap="xs" wrap="nowrap" miw={0}>
      <Text size="sm" c="dimmed" style={{ flexShrink: 0 }}>
        {t('items.onlyTag')}
      </Text>
      <TagLink to="/tags/$id" params={{ id: tag }}>
        {data.name}
      </TagLink>
      <IconLink {...clear} variant="subtle" size="sm" aria-label={t('items.onlyTag.clear')}>
        <CloseIcon size={16} />
      </IconLink>
    </Group>
  )
}
