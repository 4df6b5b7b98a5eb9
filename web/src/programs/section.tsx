import { Paper, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'

/** A part of the screen under a heading of its own. */
export function Section({ title, about, children }: { title: string; about?: string; children: ReactNode }) {
  const heading = useId()
  return (
    <Paper withBorder component="section" aria-labelledby={heading} p={{ base: 'md', xs: 'lg' }}>
      <Stack gap="md">
        <Title order={2} size="h4" id={heading}>
          {title}
        </Title>
        {about !== undefined && (
          <Text size="sm" c="dimmed">
            {about}
          </Text>
        )}
        {children}
      </Stack>
    </Paper>
  )
}
