import { Paper, Stack, Title } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { CallFailure } from '../api/failure.ts'
import { tagQuery } from '../api/queries.ts'
import { t } from '../messages/main-messages.ts'
import { PageSkeleton } from '../ui/skeletons.tsx'
import { usePageTitle } from '../ui/use-page-title.ts'
import { TagFailure } from './tag-failure.tsx'
import { TagForm } from './tag-form.tsx'

const Frame = ({ children }: { children: ReactNode }) => (
  <Paper withBorder p={{ base: 'md', xs: 'lg' }} maw={600} mx="auto">
    <Stack gap="md">
      <Title order={1} size="h2" tabIndex={-1}>
        {t('title.tagEdit')}
      </Title>
      {children}
    </Stack>
  </Paper>
)

export const EditTagPending = () => (
  <Frame>
    <PageSkeleton />
  </Frame>
)

export function EditTagFailure({ failure }: { failure: CallFailure }) {
  const router = useRouter()
  return (
    <Frame>
      <TagFailure failure={failure} onRetry={() => void router.invalidate()} />
    </Frame>
  )
}

/** Renames a tag. */
export function EditTagPage() {
  const { id } = useParams({ from: '/main/tags/$id/edit' })
  const { data: tag } = useSuspenseQuery(tagQuery(id))
  usePageTitle(t('tags.editing', { name: tag.name }))
  return (
    <Frame>
      <TagForm key={id} tag={tag} />
    </Frame>
  )
}
