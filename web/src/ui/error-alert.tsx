import { Alert } from '@mantine/core'

interface ErrorAlertProps {
  message: string
  closeLabel: string
  onClose: () => void
}

/** Says what failed, until dismissed. */
export function ErrorAlert({ message, closeLabel, onClose }: ErrorAlertProps) {
  return (
    <Alert color="red" withCloseButton closeButtonLabel={closeLabel} onClose={onClose}>
      {message}
    </Alert>
  )
}
