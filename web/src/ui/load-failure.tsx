import { Button } from '@mantine/core'
import { useState } from 'react'
import { handFocusOn } from '../lib/focus-heading.ts'
import { t } from '../messages/messages.ts'
import { ErrorAlert } from './error-alert.tsx'

/** A way to try again, where a snackbar has said what failed. */
export const Retry = ({ onRetry }: { onRetry: () => void }) => (
  <Button ref={handFocusOn} variant="default" onClick={onRetry} style={{ alignSelf: 'center' }}>
    {t('items.retry')}
  </Button>
)

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
