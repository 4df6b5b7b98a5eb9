import { Text } from '@mantine/core'
import type { ListQuery } from '../api/queries.ts'
import { t } from '../messages/messages.ts'
import { AnchorLink } from '../navigation/router-links.tsx'

interface CorrectedSearchProps {
  /** What was searched for instead. */
  corrected: string
  /** What was typed. */
  typed: string
  /** The same search without corrections. */
  literal: {
    to: '/home' | '/notes' | '/url-links'
    search: ListQuery
  }
}

/** Says which correction of the query was searched for, and offers the literal query. */
export function CorrectedSearch({ corrected, typed, literal }: CorrectedSearchProps) {
  return (
    <Text role="status">
      {t('items.corrected', { query: corrected })}{' '}
      <AnchorLink {...literal}>{t('items.corrected.literal', { query: typed })}</AnchorLink>
    </Text>
  )
}
