import { Group } from '@mantine/core'
import { passFocusToHeading } from '../lib/focus-heading.ts'
import { t } from '../messages/main-messages.ts'
import { ButtonLink } from '../navigation/router-links.tsx'
import { isRefined, withQuotedTag } from './query-hints.ts'

interface NoResultsProps {
  /** The search without results. */
  search: string
  /** The screen that searches. */
  to: '/home' | '/notes' | '/url-links'
}

/** What to do about a search without results: quotes around a tag of several words, or a new note of that title. */
export function NoResults({ search, to }: NoResultsProps) {
  const quoted = withQuotedTag(search)
  return (
    <Group key={search} ref={passFocusToHeading} justify="center" gap="sm">
      {quoted !== undefined && (
        <ButtonLink to={to} search={{ search: quoted }} variant="light">
          {t('items.search.quoted', { query: quoted })}
        </ButtonLink>
      )}
      {!isRefined(search) && (
        <ButtonLink to="/notes/add" search={{ title: search }} variant="light">
          {t('notes.createTitled', { title: search })}
        </ButtonLink>
      )}
    </Group>
  )
}
