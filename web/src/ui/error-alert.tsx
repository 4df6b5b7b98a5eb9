import { Alert, Button } from '@mantine/core'
import { passFocusToHeading } from '../lib/focus-heading.ts'
import { t } from '../messages/messages.ts'

interface ErrorAlertProps {
  message: string
  onClose: () => void
  /** Offers to try once more. */
  onRetry?: (() => void) | undefined
}

/** Says what failed, until dismissed. */
export function ErrorAlert({ message, onClose, onRetry }: ErrorAlertProps) {
  return (
    <Alert
      ref={passFocusToHeading}
      color="red"
      withCloseButton
      closeButtonLabel={t('items.alert.close')}
      onClose={onClose}
    >
      {message}
      {onRetry && (
        <Button display="block" mt="xs" size="xs" variant="default" onClick={onRetry}>
          {t('items.retry')}
        </Button>
      )}
    </Alert>
  )
}
