import type { Tag } from '@kopilka/contract/tags.ts'
import { CloseButton, Group, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { tagListQuery, tagQuery } from '../api/queries.ts'
import { passFocusToHeading } from '../lib/focus-heading.ts'
import { t } from '../messages/main-messages.ts'
import { AnchorLink, IconLink } from '../navigation/router-links.tsx'
import { TagLink } from '../navigation/tag-link.tsx'
import { CloseIcon, TagIcon } from '../ui/icons.tsx'
import { showMessage } from '../ui/snackbar.ts'
import classes from './tag-filter.module.css'

const SUGGEST_AFTER_MS = 250
const MOST = 50

/** Whether a name was chosen from what the browser offers; a typed one may become longer. */
const isChoice = (event: Event): boolean =>
  !(event instanceof InputEvent) || event.inputType === 'insertReplacementText'

const folded = (name: string): string => name.trim().toLowerCase()

const named = (tags: readonly Tag[], name: string): Tag | undefined =>
  tags.find((tag) => folded(tag.name) === folded(name))

/** Chooses the tag that a list shows: the browser offers names for what is typed, the whole of a name applies it. */
export function TagPicker({ onPick }: { onPick: (tag: string) => void }) {
  const [typed, setTyped] = useState<string>()
  const [debounced] = useDebouncedValue(typed, SUGGEST_AFTER_MS)
  const id = useId()
  const { data: tags = [] } = useQuery({ ...tagListQuery(debounced, MOST), enabled: debounced !== undefined })
  const queryClient = useQueryClient()
  const pick = (tag: Tag | undefined) => tag && onPick(tag.id)
  /** Of what is typed now: the names on offer may still be those of the text before. */
  const pickTyped = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    if (!typed?.trim()) return
    const found = await queryClient.query(tagListQuery(typed, MOST)).catch(() => undefined)
    // The query has reported a failure; or the screen has been left, or another tag chosen.
    if (!found || !form.isConnected) return
    if (found.length === 0) showMessage(t('tags.merge.unknown'), 'error')
    pick(named(found, typed) ?? found[0])
  }
  return (
    <search ref={passFocusToHeading} className={classes.picker}>
      <form onSubmit={(event) => void pickTyped(event)}>
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
            if (isChoice(nativeEvent)) pick(named(tags, value))
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
    <Group ref={passFocusToHeading} gap="xs" wrap="nowrap" miw={0}>
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
  <Group ref={passFocusToHeading} gap="xs">
    <Text size="sm" c="dimmed">
      {t('items.untagged')}
    </Text>
    <IconLink {...clear} variant="subtle" size="sm" aria-label={t('items.onlyTag.clear')}>
      <CloseIcon size={16} />
    </IconLink>
  </Group>
)
