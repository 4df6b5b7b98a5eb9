import { Box, Paper, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { failureText } from '../api/failure-text.ts'
import { tagQueries } from '../api/queries.ts'
import { LoadFailure } from '../items/load-failure.tsx'
import { ButtonLink } from '../navigation/router-links.tsx'
import { t } from '../text/text.ts'
import { PageSkeleton } from '../ui/skeletons.tsx'
import { usePageTitle } from '../ui/use-page-title.ts'
import { alsoInSnackbar } from './also-in-snackbar.ts'
import { NoId } from './no-id.tsx'
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
  return (
    <Stack align="flex-start">
      <LoadFailure
        key={errorUpdatedAt}
        text={failureText(error, 'tags.loadFailure')}
        onRetry={() => void refetch()}
      />
      <ButtonLink to="/tags" variant="default">
        {t('tags.toList')}
      </ButtonLink>
    </Stack>
  )
}
