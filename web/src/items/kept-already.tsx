import { Paper, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { keptQuery } from '../api/queries.ts'
import { formatDate } from '../lib/format-date.ts'
import { t } from '../messages/main-messages.ts'
import { AnchorLink } from '../navigation/router-links.tsx'
import { wholeAddress } from './given-content.ts'

const CHECK_AFTER_MS = 300

/** The link in which a page is kept already, in whatever spelling of its address; `own` is the link that is edited. */
export const useKept = (text: string, own?: string) => {
  const [debounced] = useDebouncedValue(wholeAddress(text), CHECK_AFTER_MS)
  const { data } = useQuery({ ...keptQuery(debounced ?? ''), enabled: debounced !== undefined })
  if (debounced === undefined || debounced !== wholeAddress(text)) return undefined
  return [data?.found, ...(data?.similar ?? [])].find((link) => link && link.id !== own) ?? undefined
}

/** Says that a page is kept already, and leads there. */
export function KeptAlready({ text, own }: { text: string; own?: string | undefined }) {
  const kept = useKept(text, own)
  return (
    <div role="status">
      {kept && (
        <Paper withBorder p="xs">
          <Text size="sm" span>
            {t('links.kept')}{' '}
            <AnchorLink
              to="/urllinks/$id"
              params={{ id: kept.id }}
              inherit
              dir="auto"
              // The field keeps the focus: a message that goes with it would move the link away from under the press.
              onMouseDown={(event) => event.preventDefault()}
            >
              {kept.title}
            </AnchorLink>{' '}
            ({formatDate(kept.created_at)})
          </Text>
        </Paper>
      )}
    </div>
  )
}
