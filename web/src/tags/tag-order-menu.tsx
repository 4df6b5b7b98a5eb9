import { Menu } from '@mantine/core'
import { t } from '../messages/lazy-messages.ts'
import type { MenuButtonLook } from '../ui/menu-button.tsx'
import { OpenedMenu } from '../ui/opened-menu.tsx'

interface TagOrderMenuProps extends MenuButtonLook {
  byCount: boolean
  onChange: (byCount: boolean) => void
}

/** The order of the list of tags. */
export const TagOrderMenu = ({ byCount, onChange, ...look }: TagOrderMenuProps) => (
  <OpenedMenu {...look}>
    <Menu.RadioGroup value={byCount ? 'count' : 'name'} onChange={(chosen) => onChange(chosen === 'count')}>
      <Menu.RadioItem value="name" closeMenuOnClick>
        {t('tags.sort.name')}
      </Menu.RadioItem>
      <Menu.RadioItem value="count" closeMenuOnClick>
        {t('tags.sort.count')}
      </Menu.RadioItem>
    </Menu.RadioGroup>
  </OpenedMenu>
)
