import { ActionIcon, Button, type ButtonProps, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { type ComponentProps, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { ProgressSource } from '../api/progress.ts'
import { focusHeading } from '../lib/focus-heading.ts'
import { closesOverlayOnBack } from '../lib/keys.ts'
import { t } from '../messages/lazy-messages.ts'
import { ConfirmDialog } from '../navigation/confirm-dialog.tsx'
import { ProgressText, useProgress } from '../navigation/operation-progress.tsx'
import { useOwnEntry } from '../navigation/use-own-entry.ts'
import { CloseIcon, TrashIcon } from '../ui/icons.tsx'
import { LoadingBar } from '../ui/loading-bar.tsx'
import { select, useSelectedIds } from './selection.ts'
import classes from './selection-bar.module.css'

interface SelectionBarProps {
  /** Replaces the number of what is selected. */
  label?: string | undefined
  busy: boolean
  /** Tells how far the change has come that is under way; absent for one that is an operation. */
  progress?: ProgressSource
  /** Stands beside the number: a way to select more. */
  more?: ReactNode
  /** What one can do to the selected. */
  children: ReactNode
}

/** Shows how much is selected and what one can do to it. The back button leaves the selection before the screen. */
export function SelectionBar({ label, busy, progress: source, more, children }: SelectionBarProps) {
  const { size } = useSelectedIds()
  const progress = useProgress(busy, source)
  const bar = useRef<HTMLElement>(null)
  useOwnEntry(true)
  useBlocker({
    shouldBlockFn: ({ action }) => {
      if (action !== 'BACK' || closesOverlayOnBack()) return false
      select([])
      return true
    },
    enableBeforeUnload: false,
  })
  const pressed = useRef<HTMLElement>(undefined)
  useLayoutEffect(() => {
    const { activeElement } = document
    // The buttons are disabled while the change runs; after one that failed the bar is still there.
    if (!busy && activeElement === document.body) pressed.current?.focus({ preventScroll: true })
    const isOwn = activeElement instanceof HTMLElement && bar.current?.contains(activeElement)
    pressed.current = busy && isOwn ? activeElement : undefined
  }, [busy])
  useLayoutEffect(
    () => () => {
      // A button that was disabled while its change ran has lost the focus already.
      const { activeElement } = document
      if (activeElement === document.body || bar.current?.contains(activeElement)) focusHeading()
    },
    [],
  )
  useEffect(
    () => () => {
      // A window of the bar that had it is gone with the bar.
      if (document.activeElement === document.body) focusHeading()
    },
    [],
  )
  return (
    <section ref={bar} aria-label={t('selection.label')} className={classes.bar} data-screen-only>
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
      <Text span className={classes.count ?? ''}>
        <span role="status">{!progress && (label ?? t('selection.count', { count: size }))}</span>
        <ProgressText progress={progress} />
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
  <Button size="sm" variant="subtle" fw={500} className={classes.action ?? ''} {...props} />
)

interface SelectAllProps {
  count: number
  disabled: boolean
  onSelect: () => void
}

/** The button that selects all that was found. Its press takes it away: the next button gets the focus. */
export const SelectAll = ({ count, disabled, onSelect }: SelectAllProps) => (
  <BarButton
    disabled={disabled}
    onClick={({ currentTarget }) => {
      const buttons = [...(currentTarget.closest('section')?.querySelectorAll('button') ?? [])]
      const next = buttons[buttons.indexOf(currentTarget) + 1]
      if (document.activeElement === currentTarget) next?.focus({ preventScroll: true })
      onSelect()
    }}
  >
    {t('selection.all', { count })}
  </BarButton>
)

interface RemoveSelectedProps {
  label: string
  busy: boolean
  /** Asked first; absent where it can be undone. */
  question?: string | undefined
  onRemove: () => void
}

/** The button that deletes what is selected; the key Delete presses it as well (gestures.ts). */
export function RemoveSelected({ label, busy, question, onRemove }: RemoveSelectedProps) {
  const [isAsking, setAsking] = useState(false)
  /** The question as it was asked, with the `onRemove` of then: what both are about may change behind it. */
  const [asked, setAsked] = useState({ question: '', onRemove })
  const ask = () => {
    if (question === undefined) return onRemove()
    setAsked({ question, onRemove })
    setAsking(true)
  }
  const confirm = () => {
    // The dialog would cover how far the deletion has come.
    setAsking(false)
    asked.onRemove()
  }
  return (
    <>
      <BarButton
        leftSection={<TrashIcon size={18} />}
        color="red"
        disabled={busy}
        data-delete-selected
        aria-keyshortcuts="Delete"
        onClick={ask}
      >
        {label}
      </BarButton>
      <ConfirmDialog
        opened={isAsking}
        title={t('items.deletion.title')}
        text={asked.question}
        confirm={label}
        busy={busy}
        onConfirm={confirm}
        onClose={() => setAsking(false)}
      />
    </>
  )
}
