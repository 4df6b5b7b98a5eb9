import { TextInput, type TextInputProps } from '@mantine/core'

/** An email, typed. No input of the type "email": in Chromium that turns пример.рф into xn--e1afmkfd.xn--p1ai. */
export const EmailField = (props: TextInputProps) => (
  <TextInput
    inputMode="email"
    autoComplete="username"
    autoCapitalize="none"
    spellCheck={false}
    required
    {...props}
  />
)
