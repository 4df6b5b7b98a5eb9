import { Button, Code, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { t } from '../messages/messages.ts'
import classes from './crash-page.module.css'
import { PartNotLoaded, reloadOnce } from './lazy-page.ts'

/** Stands in for a screen that crashed. A part that did not load is asked for again first, by one reload. */
export function CrashPage({ error }: { error: unknown }) {
  const [reloading] = useState(() => error instanceof PartNotLoaded && reloadOnce())
  if (reloading) return null
  return (
    <Stack align="center" ta="center" gap="md" p="xl" maw={560} mx="auto" mt="10vh">
      <Title order={1} size="h2">
        {t('app.crash.title')}
      </Title>
      <Text>{t('app.crash.text')}</Text>
      <Button onClick={() => window.location.reload()}>{t('app.crash.reload')}</Button>
      <details className={classes.details}>
        <summary>{t('app.crash.details')}</summary>
        <Code block ta="start">
          {error instanceof Error ? error.message : String(error)}
        </Code>
      </details>
    </Stack>
  )
}
