import { ActionIcon, Button, type ButtonProps, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import { t } from '../messages/lazy-messages.ts'
import { CloseIcon } from '../ui/icons.tsx'
import { LoadingBar } from '../ui/loading-bar.tsx'
import { select, useSelectedIds } from './selection.ts'
import classes from './selection-bar.module.css'

interface SelectionBarProps {
  /** Replaces the number of what is selected. */
  label?: string | undefined
  busy: boolean
  /** Stands beside the number: a way to select more. */
  more?: ReactNode
  /** What one can do to the selected. */
  children: ReactNode
}

/** Shows how much is selected and what one can do to it. The back button leaves the selection before the screen. */
export function SelectionBar({ label, busy, more, children }: SelectionBarProps) {
  const { size } = useSelectedIds()
  useBlocker({
    shouldBlockFn: ({ action }) => {
      if (action !== 'BACK') return false
      select([])
      return true
    },
    enableBeforeUnload: false,
  })
  return (
    <section aria-label={t('selection.label')} className={classes.bar} data-screen-only>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={t('selection.leave')}
        title={t('selection.leave')}
        aria-keyshortcuts="Escape"
        onClick={() => select([])}
      >
        <CloseIcon size={18} />
      </ActionIcon>
      <Text role="status" span className={classes.count ?? ''}>
        {label ?? t('selection.count', { count: size })}
      </Text>
      {more}
      <div className={classes.actions}>{children}</div>
      <div className={classes.progress}>
        <LoadingBar shown={busy} label={t('selection.busy')} />
      </div>
    </section>
  )
}

/** A button of the bar. */
export const BarButton = (props: ButtonProps & Omit<ComponentProps<'button'>, keyof ButtonProps>) => (
  <Button size="sm" variant="subtle" px="xs" fw={500} {...props} />
)
