import { Button, Group, TextInput } from '@mantine/core'
import { copyText } from '../lib/copy-text.ts'
import { t } from '../messages/programs-messages.ts'
import { showMessage } from '../ui/snackbar.ts'

interface CopyFieldProps {
  label: string
  description?: string
  value: string
}

/** A text to take elsewhere: it can be selected, and copied with one press. */
export function CopyField({ label, description, value }: CopyFieldProps) {
  const copy = async () => {
    if (await copyText(value)) showMessage(t('tokens.copied'), 'success')
    else showMessage(t('items.copyFailure'), 'error')
  }
  return (
    <TextInput
      label={label}
      description={description}
      value={value}
      readOnly
      dir="ltr"
      styles={{ wrapper: { flex: 1, minWidth: 0 } }}
      inputContainer={(input) => (
        <Group gap="xs" wrap="nowrap">
          {input}
          <Button variant="default" aria-label={`${t('tokens.copy')}: ${label}`} onClick={() => void copy()}>
            {t('tokens.copy')}
          </Button>
        </Group>
      )}
      onFocus={({ currentTarget }) => currentTarget.select()}
    />
  )
}
