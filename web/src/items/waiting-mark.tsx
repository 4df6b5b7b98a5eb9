import { Text } from '@mantine/core'
import { useWaitsFor } from '../api/waiting.ts'
import { t } from '../messages/main-messages.ts'

/** Says of an item that a change of it waits for the server, or for a decision. */
export function WaitingMark({ id, size }: { id: string; size: 'xs' | 'sm' }) {
  const waitsFor = useWaitsFor(id)
  if (!waitsFor) return null
  return (
    <Text size={size} fw={600} c="var(--text-warning)" span>
      {t(waitsFor === 'server' ? 'items.isWaiting' : 'items.isUndecided')}
    </Text>
  )
}
