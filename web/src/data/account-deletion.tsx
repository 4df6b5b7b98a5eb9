import { Button, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useId, useState } from 'react'
import { meQuery } from '../api/queries.ts'
import { t } from '../messages/data-messages.ts'
import { TrashIcon } from '../ui/icons.tsx'
import { lazy } from '../ui/lazy.tsx'
import { useLoad } from '../ui/use-load.ts'

const DeletionDialog = lazy(() => import('./deletion-dialog.tsx'), 'DeletionDialog')

/** The way to the end of the account. */
export function AccountDeletion() {
  const heading = useId()
  const { data: me } = useQuery(meQuery)
  const load = useLoad()
  const [opened, setOpened] = useState<boolean>()
  const open = async () => {
    if (await load(DeletionDialog)) setOpened(true)
  }
  return (
    <Paper withBorder component="section" aria-labelledby={heading} p={{ base: 'md', xs: 'lg' }}>
      <Stack gap="md">
        <Title order={2} size="h4" id={heading}>
          {t('deletion.title')}
        </Title>
        <Text size="sm" c="dimmed">
          {t('deletion.about')}
        </Text>
        <Button
          variant="light"
          color="red"
          leftSection={<TrashIcon size={18} />}
          aria-haspopup="dialog"
          style={{ alignSelf: 'start' }}
          disabled={!me}
          onClick={() => void open()}
        >
          {t('deletion.open')}
        </Button>
      </Stack>
      {me && opened !== undefined && (
        <Suspense>
          <DeletionDialog me={me} opened={opened} onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </Paper>
  )
}
