import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** Stands where a list has nothing to show; `children` is what one can do about it. */
export function EmptyState({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <Stack align="center" gap="md" py="xl" px="md" ta="center">
      <Text c="dimmed">{text}</Text>
      {children}
    </Stack>
  )
}
