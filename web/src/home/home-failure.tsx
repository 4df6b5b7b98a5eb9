import { Alert, Button, Stack } from '@mantine/core'
import { t } from '../text/text.ts'

/** Says what failed and offers to try again. */
export const HomeFailure = ({ message, onRetry }: { message: string; onRetry: () => void }) => (
  <Alert color="red" role="alert">
    <Stack align="start" gap="sm">
      {message}
      <Button variant="default" size="compact-sm" onClick={() => onRetry()}>
        {t('items.retry')}
      </Button>
    </Stack>
  </Alert>
)
