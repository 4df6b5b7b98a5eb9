import type { Sort } from '@kopilka/contract/items.ts'
import { Menu } from '@mantine/core'
import type { ListQuery } from '../api/queries.ts'
import { t } from '../messages/lazy-messages.ts'
import type { MenuButtonLook } from '../ui/menu-button.tsx'
import { OpenedMenu } from '../ui/opened-menu.tsx'

/** Stands for no order of the user's own: the newest first, of a search the best. */
const USUAL = 'usual'

interface OrderMenuProps extends MenuButtonLook {
  query: ListQuery
  onChange: (change: ListQuery) => void
}

/** The order of a list, and whether it shows items without tags only. */
export function OrderMenu({ query: { search, sort, untagged }, onChange, ...look }: OrderMenuProps) {
  const isSearch = search !== undefined && search !== ''
  const orders: Sort[] = isSearch ? ['created', 'updated', 'title'] : ['updated', 'title']
  return (
    <OpenedMenu {...look}>
      <Menu.RadioGroup
        value={sort ?? USUAL}
        onChange={(chosen) => onChange({ sort: orders.find((order) => order === chosen) })}
      >
        <Menu.RadioItem value={USUAL} closeMenuOnClick>
          {t(isSearch ? 'lists.sort.best' : 'lists.sort.created')}
        </Menu.RadioItem>
        {orders.map((order) => (
          <Menu.RadioItem key={order} value={order} closeMenuOnClick>
            {t(`lists.sort.${order}`)}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
      <Menu.Divider />
      <Menu.CheckboxItem
        closeMenuOnClick
        checked={untagged === '1'}
        onChange={(only) => onChange({ untagged: only ? '1' : undefined, tag: undefined })}
      >
        {t('items.untagged')}
      </Menu.CheckboxItem>
    </OpenedMenu>
  )
}
