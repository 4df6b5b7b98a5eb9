import { ActionIcon, type ActionIconProps } from '@mantine/core'
import { type ComponentProps, type ReactNode, Suspense, useState } from 'react'
import type { Lazy } from './lazy.tsx'
import { useLoad } from './use-load.ts'

/** What the button of a menu shows. */
export interface MenuButtonLook {
  label: string
  icon: ReactNode
  size?: 'lg' | 'xl'
  /** It stands for something other than usual. */
  active?: boolean
}

/** A quiet button that opens a menu. */
export const QuietButton = ({
  label,
  icon,
  size = 'lg',
  active = false,
  ...rest
}: MenuButtonLook & ActionIconProps & Omit<ComponentProps<'button'>, keyof ActionIconProps>) => (
  <ActionIcon
    size={size}
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
  const load = useLoad()
  // What is left of the props are the menu's: the compiler does not follow a rest of a generic.
  const { label, icon, size, active } = props as MenuButtonLook
  const open = async () => setLoaded(await load(Menu))
  if (loaded) {
    return (
      <Suspense>
        <Menu {...(props as unknown as MenuButtonLook & Props)} />
      </Suspense>
    )
  }
  return (
    <QuietButton
      {...{ label, icon, ...(size && { size }), ...(active && { active }) }}
      aria-expanded={false}
      onClick={() => void open()}
    />
  )
}
