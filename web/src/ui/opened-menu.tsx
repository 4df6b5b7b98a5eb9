import { Menu } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type MenuButtonLook, QuietButton } from './menu-button.tsx'

/** A menu that opens as soon as it has loaded: it replaces the button that was pressed for that. */
export function OpenedMenu({ children, ...look }: MenuButtonLook & { children: ReactNode }) {
  const [opened, setOpened] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    button.current?.focus()
    setOpened(true)
  }, [])
  return (
    <Menu
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      withinPortal={false}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <QuietButton {...look} ref={button} />
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}
