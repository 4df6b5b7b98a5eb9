import { Menu } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { t } from '../messages/messages.ts'
import { HistoryIcon } from '../ui/icons.tsx'
import type { MenuButtonLook } from '../ui/menu-button.tsx'
import { OpenedMenu } from '../ui/opened-menu.tsx'
import type { Item, ItemKind } from './item-kind.ts'

interface ItemMenuProps extends MenuButtonLook {
  kind: ItemKind
  item: Item
}

/** What one can do to an item besides. */
export const ItemMenu = ({ kind, item: { id }, ...look }: ItemMenuProps) => (
  <OpenedMenu {...look}>
    <Menu.Item
      leftSection={<HistoryIcon size={18} />}
      renderRoot={(props) => <Link to={kind.paths.versions} params={{ id }} {...props} />}
    >
      {t('title.versions')}
    </Menu.Item>
  </OpenedMenu>
)
