import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useState } from 'react'
import { t } from '../messages/messages.ts'

/** A password with a button that shows and hides it. */
export function PasswordField(props: PasswordInputProps) {
  const [visible, setVisible] = useState(false)
  return (
    <PasswordInput
      {...props}
      // Mantine says so of its other fields only.
      aria-invalid={props.error ? true : undefined}
      visible={visible}
      onVisibilityChange={setVisible}
      visibilityToggleButtonProps={{
        'aria-label': visible ? t('password.hide') : t('password.show'),
        'aria-hidden': false,
        // The label says it already.
        'aria-pressed': undefined,
        tabIndex: 0,
      }}
    />
  )
}
