import { Button, Stack, Text, Title } from '@mantine/core'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { type ComponentType, useEffect, useState } from 'react'
import { CallFailure } from '../api/failure.ts'
import { t } from '../messages/messages.ts'
import { ChunkLoadError, mayReload } from '../ui/lazy.tsx'
import classes from './crash-page.module.css'

/** Replaces a screen that crashed. A chunk that did not load leads to one reload of the page first. */
export function CrashPage({ error }: { error: unknown }) {
  const [reloads] = useState(() => error instanceof ChunkLoadError && mayReload())
  useEffect(() => {
    // Not before the form that failed is unmounted: it would ask whether to leave.
    if (reloads) window.location.reload()
  }, [reloads])
  if (reloads) return null
  return (
    <Stack align="center" ta="center" gap="md" p="xl" maw={560} mx="auto" mt="10vh">
      <Title order={1} size="h2">
        {t('app.crash.title')}
      </Title>
      <Text>{t('app.crash.text')}</Text>
      <Button onClick={() => window.location.reload()}>{t('app.crash.reload')}</Button>
      <details className={classes.details}>
        <summary>{t('app.crash.details')}</summary>
        <pre>{error instanceof Error ? error.message : String(error)}</pre>
      </details>
    </Stack>
  )
}

/** The `errorComponent` of a route: its own where a call failed, the crash page for anything else. */
export const failureScreen =
  (Failure: ComponentType<{ failure: CallFailure }>) =>
  ({ error }: ErrorComponentProps) =>
    error instanceof CallFailure ? <Failure failure={error} /> : <CrashPage error={error} />
