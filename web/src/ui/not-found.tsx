import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface NotFoundProps {
  heading: string
  text: string
  /** Links or buttons. */
  children: ReactNode
}

/** Shown in place of something missing: the reason, and links. */
export const NotFound = ({ heading, text, children }: NotFoundProps) => (
  <Stack align="flex-start">
    <Title order={1} size="h2" tabIndex={-1}>
      {heading}
    </Title>
    <Text>{text}</Text>
    {children}
  </Stack>
)
