import { Group, Radio, Stack, Text } from '@mantine/core'
import { useId } from 'react'

interface Choice<Value extends string> {
  value: Value
  label: string
  description?: string
}

interface RadioChoiceProps<Value extends string> {
  label: string
  choices: readonly Choice<Value>[]
  value: Value | undefined
  onChange: (value: Value) => void
  /** Side by side, as far as there is room: for short labels without descriptions. */
  inline?: boolean
}

/** A choice of one of several, each of which may have a description. */
export function RadioChoice<Value extends string>(props: RadioChoiceProps<Value>) {
  const { label, choices, value, onChange, inline = false } = props
  const id = useId()
  const radios = choices.map((choice) => (
    <Radio
      key={choice.value}
      name={id}
      checked={value === choice.value}
      label={choice.label}
      description={choice.description}
      onChange={() => onChange(choice.value)}
    />
  ))
  return (
    <Stack gap="sm" role="radiogroup" aria-labelledby={id}>
      <Text size="sm" fw={600} id={id}>
        {label}
      </Text>
      {inline ? <Group gap="lg">{radios}</Group> : radios}
    </Stack>
  )
}
