import { ActionIcon, UnstyledButton } from '@mantine/core'
import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import { useHasWaited } from '../api/waiting.ts'
import { useReachable } from '../lib/network.ts'
import { t } from '../messages/main-messages.ts'
import { MenuIcon, MoreIcon, SearchIcon } from '../ui/icons.tsx'
import { lazy } from '../ui/lazy.tsx'
import { LoadingBar } from '../ui/loading-bar.tsx'
import { MenuButton } from '../ui/menu-button.tsx'
import { withCtrl } from './shortcuts.ts'
import classes from './top-bar.module.css'
import { ActionsMenu } from './use-overlay.tsx'
import type { WaitingChangesProps } from './waiting-dialog.tsx'
import { WordMark } from './word-mark.tsx'

/** Where it does not load the bar says what it knows by itself: nobody has asked for more. */
const loadWaitingChanges = (): Promise<{ WaitingChanges: (props: WaitingChangesProps) => ReactNode }> =>
  import('./load-waiting-changes.ts')
    .then((module) => module.loadWaitingChanges())
    .catch(() => ({ WaitingChanges: ({ network }) => network }))
const WaitingChanges = lazy(loadWaitingChanges, 'WaitingChanges')

interface TopBarProps {
  drawerOpen: boolean
  onDrawer: () => void
  onPalette: () => void
}

/** The sticky top bar: drawer, home, palette and actions, with a progress line while a screen loads. */
export function TopBar({ drawerOpen, onDrawer, onPalette }: TopBarProps) {
  const isLoading = useRouterState({ select: (state) => state.isLoading })
  const hasWaited = useHasWaited()
  const network = !useReachable() && t('layout.noNetwork')
  return (
    <header className={classes.bar} data-top-bar>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="xl"
        aria-label={t('layout.menu.open')}
        aria-expanded={drawerOpen}
        aria-haspopup="dialog"
        onClick={onDrawer}
      >
        <MenuIcon size={22} />
      </ActionIcon>
      <WordMark />
      <span role="status" className={classes.network}>
        {hasWaited ? (
          <Suspense fallback={network}>
            <WaitingChanges network={network} />
          </Suspense>
        ) : (
          network
        )}
      </span>
      <UnstyledButton
        className={classes.palette ?? ''}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K"
        onClick={onPalette}
      >
        <SearchIcon size={18} />
        <span className={classes.hint}>{t('palette.hint')}</span>
        <span className={classes.keys} aria-hidden="true">
          {withCtrl('K').join(' ')}
        </span>
      </UnstyledButton>
      <MenuButton
        label={t('layout.actions.open')}
        icon={<MoreIcon size={22} />}
        size="xl"
        Menu={ActionsMenu}
      />
      <div className={classes.progress}>
        <LoadingBar shown={isLoading} />
      </div>
    </header>
  )
}
