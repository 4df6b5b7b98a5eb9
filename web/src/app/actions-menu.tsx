import { Menu } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { signOut } from '../api/session.ts'
import { t } from '../messages/lazy-messages.ts'
import { LinkIcon, LogoutIcon, NoteIcon } from '../ui/icons.tsx'
import type { MenuButtonLook } from '../ui/menu-button.tsx'
import { OpenedMenu } from '../ui/opened-menu.tsx'

/** The menu of the top bar: add a note, add a link, sign out. */
export const ActionsMenu = (look: MenuButtonLook) => (
  <OpenedMenu {...look}>
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
  </OpenedMenu>
)
