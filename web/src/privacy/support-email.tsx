import { Anchor, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { siteQuery } from '../api/queries.ts'
import { t } from '../messages/messages.ts'

/** The address for questions, as this server's owner has set it; the page is whole but for that while it loads. */
export function SupportEmail() {
  const { data: site, isError, refetch } = useQuery(siteQuery)
  if (site) {
    return (
      <Anchor href={`mailto:${site.support_email}`} underline="always">
        {site.support_email}
      </Anchor>
    )
  }
  if (!isError) return '…'
  return (
    <Button variant="default" size="compact-sm" onClick={() => void refetch()}>
      {t('items.retry')}
    </Button>
  )
}
