import { type PasswordInputProps, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { t } from '../messages/accounts-messages.ts'
import { PasswordField } from './password-field.tsx'

/** A password someone chooses: says what a good one is, and warns of one that everybody takes. */
export function NewPasswordField(props: PasswordInputProps & { value: string }) {
  const common = useIsCommon(props.value)
  return (
    <PasswordField
      {...props}
      autoComplete="new-password"
      description={
        <>
          {t('registration.password.hint')}
          <Text component="span" display="block" size="xs" c="var(--text-warning)" role="status">
            {common && t('registration.password.common')}
          </Text>
        </>
      }
      inputWrapperOrder={['label', 'input', 'description', 'error']}
    />
  )
}

/** Whether it is one of the commonest passwords; their list is loaded with the first letter typed. */
const useIsCommon = (password: string): boolean => {
  const [commonest, setCommonest] = useState<ReadonlySet<string>>()
  const wanted = password !== '' && !commonest
  useEffect(() => {
    if (!wanted) return
    // Without the list there is no warning; the rules hold all the same.
    import('./common-passwords.ts').then(
      (loaded) => setCommonest(loaded.COMMON_PASSWORDS),
      () => undefined,
    )
  }, [wanted])
  return commonest?.has(password.toLowerCase()) ?? false
}
