import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { t } from '../messages/data-messages.ts'
import { LoadingBar } from '../ui/loading-bar.tsx'

interface ProgressReportProps {
  /** What is under way. */
  title: string
  /** How far it is, in words. */
  text: string
  /** How far it is, from 0 to 1; absent where nobody knows. */
  share: number | undefined
  about: string
  /** The stopping itself is under way. */
  stopping?: boolean
  onStop?: () => void
}

/** What is under way, how far it is, and a way to stop it. What a screen reader hears of it is up to the section around. */
export function ProgressReport({ title, text, share, about, stopping = false, onStop }: ProgressReportProps) {
  return (
    <Stack gap="sm">
      <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
        {title}
      </Text>
      {share === undefined ? (
        <LoadingBar shown label={title} />
      ) : (
        <Progress value={Math.round(share * 100)} size="lg" aria-label={title} transitionDuration={200} />
      )}
      <Group justify="space-between" mih={36}>
        <Text size="sm">{text}</Text>
        {onStop && (
          <Button variant="default" size="sm" loading={stopping} onClick={onStop}>
            {t('import.stop')}
          </Button>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        {about}
      </Text>
    </Stack>
  )
}
