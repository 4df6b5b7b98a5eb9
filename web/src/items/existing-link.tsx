import { Paper, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { existingLinkQuery } from '../api/queries.ts'
import { formatDate } from '../lib/format-date.ts'
import { t } from '../messages/main-messages.ts'
import { AnchorLink } from '../navigation/router-links.tsx'
import { wholeAddress } from './given-content.ts'

const CHECK_AFTER_MS = 300

/** The link whose page is saved already, in whatever spelling of its address; `own` is the link that is edited. */
export const useExistingLink = (text: string, own?: string) => {
  const [debounced] = useDebouncedValue(wholeAddress(text), CHECK_AFTER_MS)
  const { data } = useQuery({ ...existingLinkQuery(debounced ?? ''), enabled: debounced !== undefined })
  if (debounced === undefined || debounced !== wholeAddress(text)) return undefined
  return [data?.found, ...(data?.similar ?? [])].find((link) => link && link.id !== own) ?? undefined
}

/** Shows that a page is saved already, with a link to it. */
export function ExistingLink({ text, own }: { text: string; own?: string | undefined }) {
  const existingLink = useExistingLink(text, own)
  return (
    <div role="status">
      {existingLink && (
        <Paper withBorder p="xs">
          <Text size="sm" span>
            {t('links.kept')}{' '}
            <AnchorLink
              to="/urllinks/$id"
              params={{ id: existingLink.id }}
              inherit
              dir="auto"
              // The field keeps the focus: a message that goes with it would move the link away from under the press.
              onMouseDown={(event) => event.preventDefault()}
            >
              {existingLink.title}
            </AnchorLink>{' '}
            ({formatDate(existingLink.created_at)})
          </Text>
        </Paper>
      )}
    </div>
  )
}
