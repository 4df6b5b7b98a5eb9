import { Menu } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { signOut } from '../api/session.ts'
import { t } from '../messages/messages.ts'
import { LinkIcon, LogoutIcon, NoteIcon } from '../ui/icons.tsx'
import { ActionsButton } from './actions-button.tsx'

/** The menu of the top bar: add a note, add a link, sign out. */
export function ActionsMenu() {
  const [opened, setOpened] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  // It replaces the button that was pressed to load it.
  useEffect(() => {
    button.current?.focus()
    setOpened(true)
  }, [])
  return (
    <Menu
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      width={220}
      withinPortal={false}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <ActionsButton ref={button} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<NoteIcon size={18} />}
          renderRoot={(props) => <Link to="/notes/add" {...props} />}
        >
          {t('layout.actions.newNote')}
        </Menu.Item>
        <Menu.Item
          leftSection={<LinkIcon size={18} />}
          renderRoot={(props) => <Link to="/urllinks/add" {...props} />}
        >
          {t('layout.actions.newLink')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<LogoutIcon size={18} />} onClick={signOut}>
          {t('layout.actions.logout')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
