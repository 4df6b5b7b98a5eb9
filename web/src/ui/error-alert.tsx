import { Alert, Button } from '@mantine/core'
import { handFocusOn } from '../lib/focus-heading.ts'

interface ErrorAlertProps {
  message: string
  closeLabel: string
  onClose: () => void
  /** Offers to try once more. */
  retry?: { label: string; onRetry: () => void }
}

/** Says what failed, until dismissed. */
export function ErrorAlert({ message, closeLabel, onClose, retry }: ErrorAlertProps) {
  return (
    <Alert ref={handFocusOn} color="red" withCloseButton closeButtonLabel={closeLabel} onClose={onClose}>
      {message}
      {retry && (
        <Button display="block" mt="xs" size="xs" variant="default" onClick={retry.onRetry}>
          {retry.label}
        </Button>
      )}
    </Alert>
  )
}
