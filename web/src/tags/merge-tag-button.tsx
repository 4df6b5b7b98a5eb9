import type { Tag } from '@kopilka/contract/tags.ts'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { cacheTagRemoved, forgetRemoved } from '../api/cache.ts'
import { keys, tagQuery } from '../api/queries.ts'
import { t } from '../messages/main-messages.ts'
import { TagIcon } from '../ui/icons.tsx'
import { lazy } from '../ui/lazy.tsx'

const MergeTagDialog = lazy(() => import('./merge-tags-dialog.tsx'), 'MergeTagDialog')

/** Leaves for the tag that another has become part of. */
export const useLeaveMerged = (id: string) => {
  const queryClient = useQueryClient()
  const router = useRouter()
  return async (into: Tag): Promise<void> => {
    cacheTagRemoved(queryClient, id)
    queryClient.setQueryData(tagQuery(into.id).queryKey, into)
    // Before its form stands the screen of the tag that is gone: that entry is the one to be replaced.
    if (router.latestLocation.state.openedOnItem)
      await new Promise<void>((resolve) => {
        const stop = router.history.subscribe(() => {
          stop()
          resolve()
        })
        router.history.back({ ignoreBlocker: true })
      })
    await router.navigate({ to: '/tags/$id', params: { id: into.id }, replace: true, ignoreBlocker: true })
    forgetRemoved(queryClient, keys.tag(id), keys.tagItems(id))
  }
}

/** Makes a tag part of another one, which a dialog asks for. */
export function MergeTagButton({ tag }: { tag: Tag }) {
  const [opened, setOpened] = useState<boolean>()
  const leave = useLeaveMerged(tag.id)
  return (
    <>
      <Button
        variant="default"
        leftSection={<TagIcon size={18} />}
        aria-haspopup="dialog"
        onClick={() => setOpened(true)}
      >
        {t('tags.merge')}
      </Button>
      {opened !== undefined && (
        <Suspense>
          <MergeTagDialog tag={tag} opened={opened} onMerged={leave} onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </>
  )
}
