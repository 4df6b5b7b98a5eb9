import { ActionIcon, Menu } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { signOut } from '../api/session.ts'
import { t } from '../text/text.ts'
import { LinkIcon, LogoutIcon, MoreIcon, NoteIcon } from '../ui/icons.tsx'

/** The menu of the top bar: add a note, add a link, sign out. */
export const ActionsMenu = () => (
  <Menu position="bottom-end" width={220} withinPortal={false} withInitialFocusPlaceholder={false}>
    <Menu.Target>
      <ActionIcon size="xl" variant="subtle" color="gray" aria-label={t('layout.actions.open')}>
        <MoreIcon size={22} />
      </ActionIcon>
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
