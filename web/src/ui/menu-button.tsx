import { ActionIcon, type ActionIconProps } from '@mantine/core'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { t } from '../messages/messages.ts'
import type { Lazy } from './lazy.tsx'
import { showMessage } from './snackbar.ts'

/** What the button of a menu shows. */
export interface MenuButtonLook {
  label: string
  icon: ReactNode
  /** It stands for something other than usual. */
  active?: boolean
}

/** A quiet button that opens a menu. */
export const QuietButton = ({
  label,
  icon,
  active = false,
  ...rest
}: MenuButtonLook & ActionIconProps & Omit<ComponentProps<'button'>, keyof ActionIconProps>) => (
  <ActionIcon
    size="lg"
    {...(active ? { variant: 'light' } : { variant: 'subtle', color: 'gray' })}
    aria-haspopup="menu"
    aria-label={label}
    title={label}
    {...rest}
  >
    {icon}
  </ActionIcon>
)

/** The button of a menu that loads when it is first opened; what else is passed goes to the menu. */
export function MenuButton<Props extends object>({
  Menu,
  ...props
}: MenuButtonLook & Props & { Menu: Lazy<MenuButtonLook & Props> }) {
  const [loaded, setLoaded] = useState(false)
  // What is left of the props are the menu's: the compiler does not follow a rest of a generic.
  if (loaded) return <Menu {...(props as unknown as MenuButtonLook & Props)} />
  const { label, icon, active } = props as MenuButtonLook
  const open = () =>
    Menu.preload().then(
      () => setLoaded(true),
      () => showMessage(t('failure.noAnswer'), 'error'),
    )
  return (
    <QuietButton
      label={label}
      icon={icon}
      aria-expanded={false}
      onClick={() => void open()}
      {...(active && { active })}
    />
  )
}
