import { Skeleton, Stack, VisuallyHidden } from '@mantine/core'
import { t } from '../messages/messages.ts'

/** A list of items that is loading. */
export function ListSkeleton() {
  return (
    <Stack gap="lg" role="status">
      <VisuallyHidden>{t('items.loading')}</VisuallyHidden>
      {[0, 1, 2, 3, 4].map((row) => (
        <Stack key={row} gap="xs" aria-hidden>
          <Skeleton height={18} width={`${70 - ((row * 17) % 40)}%`} />
          <Skeleton height={12} width="90%" />
          <Skeleton height={12} width={120} />
        </Stack>
      ))}
    </Stack>
  )
}

/** An item's text or form that is loading. */
export function PageSkeleton() {
  return (
    <Stack gap="md" role="status">
      <VisuallyHidden>{t('items.loading')}</VisuallyHidden>
      <Skeleton height={28} width="60%" />
      <Skeleton height={12} width={160} />
      <Skeleton height={140} />
    </Stack>
  )
}
