import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** Shown in place of an empty list; `children` are actions. */
export function EmptyState({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <Stack align="center" gap="md" py="xl" px="md" ta="center">
      <Text c="dimmed">{text}</Text>
      {children}
    </Stack>
  )
}
