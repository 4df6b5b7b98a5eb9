import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface NotFoundProps {
  heading: string
  text: string
  /** Where one can go from here. */
  children: ReactNode
}

/** Stands in place of what is not there: says why and leads on. */
export const NotFound = ({ heading, text, children }: NotFoundProps) => (
  <Stack align="flex-start">
    <Title order={1} size="h2" tabIndex={-1}>
      {heading}
    </Title>
    <Text>{text}</Text>
    {children}
  </Stack>
)
