import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { t } from '../text/text.ts'
import classes from './snackbar.module.css'

export type SnackbarColour = 'info' | 'success' | 'error'

const STAYS_MS = { info: 6_000, success: 5_000, error: 10_000 }

/** Shows a message at the edge of the page for a while; the same text is not shown twice at once. */
export const showMessage = (text: string, colour: SnackbarColour = 'info'): void => {
  notifications.show({
    id: `${colour}:${text}`,
    role: colour === 'error' ? 'alert' : 'status',
    message: <Message id={`${colour}:${text}`} text={text} />,
    classNames: { root: classes.root ?? '', body: classes.body ?? '', description: classes.text ?? '' },
    'data-colour': colour,
    autoClose: STAYS_MS[colour],
    withCloseButton: false,
  })
}

const Message = ({ id, text }: { id: string; text: string }) => (
  <Group justify="space-between" wrap="nowrap" gap="sm">
    <Text size="sm">{text}</Text>
    <Button
      variant="transparent"
      size="compact-sm"
      c="inherit"
      flex="none"
      onClick={() => notifications.hide(id)}
    >
      {t('snackbar.close')}
    </Button>
  </Group>
)
