import { Box, Paper, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { tagQueries } from '../api/queries.ts'
import { t } from '../messages/messages.ts'
import { PageSkeleton } from '../ui/skeletons.tsx'
import { usePageTitle } from '../ui/use-page-title.ts'
import { alsoInSnackbar } from './also-in-snackbar.ts'
import { NoId } from './no-id.tsx'
import { TagFailure } from './tag-failure.tsx'
import { TagForm } from './tag-form.tsx'

/** Renames a tag. */
export function EditTagPage() {
  const { id } = useParams({ strict: false })
  if (id === undefined) {
    return (
      <Box maw={600} mx="auto">
        <NoId />
      </Box>
    )
  }
  return (
    <Paper withBorder p={{ base: 'md', xs: 'lg' }} maw={600} mx="auto">
      <Stack gap="md">
        <Title order={1} size="h2" tabIndex={-1}>
          {t('title.tagEdit')}
        </Title>
        <LoadedTag key={id} id={id} />
      </Stack>
    </Paper>
  )
}

function LoadedTag({ id }: { id: string }) {
  const {
    data: tag,
    error,
    errorUpdatedAt,
    isPending,
    refetch,
  } = useQuery({
    ...tagQueries.one(id),
    ...alsoInSnackbar,
  })
  usePageTitle(tag && t('tags.editing', { name: tag.name }))
  if (isPending) return <PageSkeleton label={t('items.loading')} />
  if (tag) return <TagForm tag={tag} />
  return <TagFailure key={errorUpdatedAt} failure={error} onRetry={() => void refetch()} />
}
