import { Text } from '@mantine/core'
import type { ListQuery } from '../api/queries.ts'
import { passFocusToHeading } from '../lib/focus-heading.ts'
import { t } from '../messages/main-messages.ts'
import { AnchorLink } from '../navigation/router-links.tsx'

interface SearchedInsteadProps {
  /** What a search found in place of what was typed. */
  found: { corrected?: { query: string } | undefined; partial?: true | undefined } | undefined
  /** What was typed. */
  typed: string
  /** The same search without corrections and partial matches. */
  literal: {
    to: '/home' | '/notes' | '/url-links'
    search: ListQuery
  }
}

/** Says that the results are those of a correction, or have some of the words only, and offers the literal query. */
export function SearchedInstead({
  found: { corrected, partial } = {},
  typed,
  literal,
}: SearchedInsteadProps) {
  if (!corrected && !partial) return null
  return (
    <Text ref={passFocusToHeading} role="status">
      {corrected && `${t('items.corrected', corrected)} `}
      {partial && `${t('items.partial')} `}
      <AnchorLink {...literal}>{t('items.corrected.literal', { query: typed })}</AnchorLink>
    </Text>
  )
}
