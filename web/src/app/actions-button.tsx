import { ActionIcon, type ActionIconProps } from '@mantine/core'
import { type ComponentProps, type ComponentType, useState } from 'react'
import { t } from '../messages/messages.ts'
import { MoreIcon } from '../ui/icons.tsx'
import { loadPart, PARTS } from './parts.ts'

/** What opens the menu of actions, as it looks. */
export const ActionsButton = (
  props: ActionIconProps & Omit<ComponentProps<'button'>, keyof ActionIconProps>,
) => (
  <ActionIcon size="xl" variant="subtle" color="gray" aria-label={t('layout.actions.open')} {...props}>
    <MoreIcon size={22} />
  </ActionIcon>
)

/** The menu of actions in its place; before its first use the button alone. */
export function Actions() {
  const [Menu, setMenu] = useState<ComponentType>()
  if (Menu) return <Menu />
  const open = async () => {
    const loaded = await loadPart(PARTS.actions)
    if (loaded) setMenu(() => loaded)
  }
  return <ActionsButton aria-haspopup="menu" aria-expanded={false} onClick={() => void open()} />
}
