import { ActionIcon, type ActionIconProps } from '@mantine/core'
import type { ComponentProps } from 'react'
import { t } from '../messages/messages.ts'
import { MoreIcon } from '../ui/icons.tsx'

/** The button that opens the menu of actions. */
export const ActionsButton = (
  props: ActionIconProps & Omit<ComponentProps<'button'>, keyof ActionIconProps>,
) => (
  <ActionIcon size="xl" variant="subtle" color="gray" aria-label={t('layout.actions.open')} {...props}>
    <MoreIcon size={22} />
  </ActionIcon>
)
