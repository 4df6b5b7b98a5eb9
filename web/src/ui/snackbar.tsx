import { Button, Group, Text } from '@mantine/core'
import { type NotificationData, notifications, notificationsStore } from '@mantine/notifications'
import { t } from '../text/text.ts'
import classes from './snackbar.module.css'

export type SnackbarColour = 'info' | 'success' | 'error'

/** More at once nobody reads. */
export const MOST_MESSAGES = 3

const STAYS_MS = { info: 6_000, success: 5_000, error: 10_000 }

const isError = (message: NotificationData): boolean => message['data-colour'] === 'error'

/** Hides what failed before: something has succeeded since. */
export const hideErrors = (): void =>
  notifications.updateState(notificationsStore, (shown) => shown.filter((message) => !isError(message)))

/** The newest message never waits for its turn: the oldest goes, an error last. */
const makeRoom = (): void =>
  notifications.updateState(notificationsStore, (shown) => {
    if (shown.length < MOST_MESSAGES) return shown
    const oldest = shown.find((message) => !isError(message)) ?? shown[0]
    return shown.filter((message) => message !== oldest)
  })

/**
 * Shows a message at the edge of the page for a while; the same text is not shown twice at once.
 * A success hides the errors before it.
 */
export const showMessage = (text: string, colour: SnackbarColour = 'info'): void => {
  const id = `${colour}:${text}`
  if (colour === 'success') hideErrors()
  if (!notificationsStore.getState().notifications.some((message) => message.id === id)) makeRoom()
  notifications.show({
    id,
    role: colour === 'error' ? 'alert' : 'status',
    message: <Message id={id} text={text} />,
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
