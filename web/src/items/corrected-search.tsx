import { Text } from '@mantine/core'
import type { ListQuery } from '../api/queries.ts'
import { t } from '../messages/messages.ts'
import { AnchorLink } from '../navigation/router-links.tsx'

interface CorrectedSearchProps {
  /** What was searched for instead. */
  corrected: string
  /** What was typed. */
  typed: string
  /** The place whose search finds what was typed and nothing else. */
  literal: {
    to: '/home' | '/notes' | '/url-links'
    search: ListQuery
  }
}

/** Says that nothing was found as it was typed and what was searched for instead; offers the one as well. */
export function CorrectedSearch({ corrected, typed, literal }: CorrectedSearchProps) {
  return (
    <Text role="status">
      {t('items.corrected', { query: corrected })}{' '}
      <AnchorLink {...literal}>{t('items.corrected.literal', { query: typed })}</AnchorLink>
    </Text>
  )
}
