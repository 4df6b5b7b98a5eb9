import { Skeleton, Stack, VisuallyHidden } from '@mantine/core'

interface SkeletonProps {
  /** Read out while the real thing is on its way. */
  label: string
}

/** A list of items that is loading. */
export function ListSkeleton({ label }: SkeletonProps) {
  return (
    <Stack gap="lg" role="status">
      <VisuallyHidden>{label}</VisuallyHidden>
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
export function PageSkeleton({ label }: SkeletonProps) {
  return (
    <Stack gap="md" role="status">
      <VisuallyHidden>{label}</VisuallyHidden>
      <Skeleton height={28} width="60%" />
      <Skeleton height={12} width={160} />
      <Skeleton height={140} />
    </Stack>
  )
}
