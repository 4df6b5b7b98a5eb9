import { EXPORT_FORMATS, type ExportFormat } from '@kopilka/contract/exports.ts'
import { Radio, Stack, Text } from '@mantine/core'
import { useId } from 'react'
import { t } from '../messages/data-messages.ts'

interface FormatChoiceProps {
  value: ExportFormat
  onChange: (format: ExportFormat) => void
  /** Absent: all. */
  formats?: readonly ExportFormat[]
}

/** The format of an export, with a line on what each is for. */
export function FormatChoice({ value, onChange, formats = EXPORT_FORMATS }: FormatChoiceProps) {
  const label = useId()
  return (
    <Stack gap="sm" role="radiogroup" aria-labelledby={label}>
      <Text size="sm" fw={600} id={label}>
        {t('export.format')}
      </Text>
      {formats.map((format) => (
        <Radio
          key={format}
          name={label}
          checked={value === format}
          label={t(`export.${format}`)}
          description={t(`export.${format}.about`)}
          onChange={() => onChange(format)}
        />
      ))}
    </Stack>
  )
}
