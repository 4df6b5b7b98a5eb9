import { CloseButton, Group, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { tagListQuery, tagQuery } from '../api/queries.ts'
import { t } from '../messages/messages.ts'
import { AnchorLink, IconLink } from '../navigation/router-links.tsx'
import { TagLink } from '../navigation/tag-link.tsx'
import { CloseIcon, TagIcon } from '../ui/icons.tsx'
import classes from './tag-filter.module.css'

const PAUSE_MS = 250
const MOST = 50

/** Whether a name was chosen from what the browser offers; a typed one may become longer. */
const isChoice = (event: Event): boolean =>
  !(event instanceof InputEvent) || event.inputType === 'insertReplacementText'

const folded = (name: string): string => name.trim().toLowerCase()

/** Chooses the tag that a list shows: the browser offers names for what is typed, the whole of a name applies it. */
export function TagPicker({ onPick }: { onPick: (tag: string) => void }) {
  const [typed, setTyped] = useState<string>()
  const [debounced] = useDebouncedValue(typed, PAUSE_MS)
  const id = useId()
  const { data: tags = [] } = useQuery({ ...tagListQuery(debounced, MOST), enabled: debounced !== undefined })
  const pick = (name: string, orFirst = false) => {
    const tag = tags.find((one) => folded(one.name) === folded(name)) ?? (orFirst ? tags[0] : undefined)
    if (tag) onPick(tag.id)
  }
  return (
    <search className={classes.picker}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          pick(typed ?? '', true)
        }}
      >
        <TextInput
          aria-label={t('items.byTag')}
          placeholder={t('items.byTag.any')}
          list={id}
          autoComplete="off"
          leftSection={<TagIcon size={18} />}
          rightSection={
            typed ? (
              <CloseButton size="sm" aria-label={t('tagsField.clear')} onClick={() => setTyped('')} />
            ) : null
          }
          value={typed ?? ''}
          onFocus={() => setTyped((before) => before ?? '')}
          onChange={({ currentTarget: { value }, nativeEvent }) => {
            setTyped(value)
            if (isChoice(nativeEvent)) pick(value)
          }}
        />
        <datalist id={id}>
          {tags.map((tag) => (
            <option key={tag.id} value={tag.name} />
          ))}
        </datalist>
      </form>
    </search>
  )
}

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

/** Says that a list shows only items without tags, and offers the others. */
export const OnlyUntagged = ({ clear }: Pick<TagFilterProps, 'clear'>) => (
  <Group gap="xs">
    <Text size="sm" c="dimmed">
      {t('items.untagged')}
    </Text>
    <IconLink {...clear} variant="subtle" size="sm" aria-label={t('items.onlyTag.clear')}>
      <CloseIcon size={16} />
    </IconLink>
  </Group>
)
