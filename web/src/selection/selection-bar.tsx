import { ActionIcon, Button, type ButtonProps, Text } from '@mantine/core'
import { useBlocker, useRouter } from '@tanstack/react-router'
import { type ComponentProps, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { focusHeading } from '../lib/focus-heading.ts'
import { closesOverlayOnBack } from '../lib/keys.ts'
import { t } from '../messages/lazy-messages.ts'
import { ConfirmDialog } from '../navigation/confirm-dialog.tsx'
import { CloseIcon, TrashIcon } from '../ui/icons.tsx'
import { LoadingBar } from '../ui/loading-bar.tsx'
import { select, useSelectedIds } from './selection.ts'
import classes from './selection-bar.module.css'
import { useProgress } from './use-progress.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The entry was made for a selection: it differs in nothing else from the one before. */
    selecting?: true
  }
}

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
  const progress = useProgress(busy)
  const router = useRouter()
  const bar = useRef<HTMLElement>(null)
  useEffect(() => {
    // Nothing can hold back a step to another site: an entry of its own takes the place of that step.
    if (router.history.canGoBack()) return
    const { href } = router.latestLocation
    void router.navigate({ href, state: { selecting: true }, resetScroll: false })
  }, [router])
  useBlocker({
    shouldBlockFn: ({ action }) => {
      if (action !== 'BACK' || closesOverlayOnBack()) return false
      select([])
      return true
    },
    enableBeforeUnload: false,
  })
  useLayoutEffect(
    () => () => {
      // A button that was disabled while its change ran has lost the focus already.
      const { activeElement } = document
      if (activeElement === document.body || bar.current?.contains(activeElement)) focusHeading()
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
      <Text role="status" span className={classes.count ?? ''}>
        {progress ? t('selection.progress', progress) : (label ?? t('selection.count', { count: size }))}
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
  const confirm = () => {
    // The dialog would cover how far the deletion has come.
    setAsking(false)
    onRemove()
  }
  return (
    <>
      <BarButton
        leftSection={<TrashIcon size={18} />}
        color="red"
        disabled={busy}
        data-delete-selected
        aria-keyshortcuts="Delete"
        onClick={() => (question === undefined ? onRemove() : setAsking(true))}
      >
        {label}
      </BarButton>
      <ConfirmDialog
        opened={isAsking}
        title={t('items.deletion.title')}
        text={question ?? ''}
        confirm={label}
        busy={busy}
        onConfirm={confirm}
        onClose={() => setAsking(false)}
      />
    </>
  )
}
