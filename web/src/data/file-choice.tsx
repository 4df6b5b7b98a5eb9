import { Button, FileButton, Group, Text } from '@mantine/core'
import { useRef } from 'react'
import { t } from '../messages/data-messages.ts'
import { UploadIcon } from '../ui/icons.tsx'

/** Chooses the file to import. */
export function FileChoice({ onFile }: { onFile: (file: File) => void }) {
  /** Forgets the chosen file: of the same one, chosen again, the browser would say nothing. */
  const reset = useRef<() => void>(null)
  const choose = (file: File | null) => {
    reset.current?.()
    if (file) onFile(file)
  }
  return (
    <Group gap="md">
      <FileButton resetRef={reset} onChange={choose}>
        {(props) => (
          <Button {...props} leftSection={<UploadIcon size={18} />}>
            {t('import.choose')}
          </Button>
        )}
      </FileButton>
      <Text size="sm" c="dimmed" flex={1} miw={200} visibleFrom="xs">
        {t('import.drop')}
      </Text>
    </Group>
  )
}
