import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { passFocusToHeading } from '../lib/focus-heading.ts'
import { useReachable } from '../lib/network.ts'
import { t } from '../messages/messages.ts'
import { ErrorAlert } from './error-alert.tsx'

/** A way to try again, where a snackbar has said what failed. Without a server it is tried by itself as well. */
export function Retry({ onRetry }: { onRetry: () => void }) {
  const isReachable = useReachable()
  return (
    <Stack align="center" gap="xs" style={{ alignSelf: 'center' }}>
      {!isReachable && <Text>{t('failure.noNetwork')}</Text>}
      <Button ref={passFocusToHeading} variant="default" onClick={onRetry}>
        {t('items.retry')}
      </Button>
    </Stack>
  )
}

interface LoadFailureProps {
  text: string
  /** Absent where trying again would not help. */
  onRetry?: (() => void) | undefined
}

/** What could not be loaded and a way to try again, which stays when the message is dismissed. */
export function LoadFailure({ text, onRetry }: LoadFailureProps) {
  const [dismissed, setDismissed] = useState(false)
  if (dismissed) return onRetry && <Retry onRetry={onRetry} />
  return <ErrorAlert message={text} onClose={() => setDismissed(true)} onRetry={onRetry} />
}
