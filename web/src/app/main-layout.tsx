import { Link, Outlet, useRouter } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { NETWORK } from '../lib/network.ts'
import { t } from '../messages/main-messages.ts'
import '../selection/load-gestures.ts'
import { lazy } from '../ui/lazy.tsx'
import { showMessage } from '../ui/snackbar.ts'
import { setUndoListener } from '../undo/undo-stack.ts'
import { forgetOperations, undoLast } from '../undo/undoable.ts'
import { goToSearch } from './go-to-search.ts'
import classes from './main-layout.module.css'
import { ProfileFailure } from './profile-failure.tsx'
import { editShown, moveInLists, useShortcuts } from './shortcuts.ts'
import { TopBar } from './top-bar.tsx'
import { useGiven } from './use-given.ts'
import { useOverlay, usePreloadedOverlays } from './use-overlay.tsx'

const DropCover = lazy(() => import('../ui/drop-cover.tsx'), 'DropCover')

/** The frame of every screen that needs sign-in: top bar, side drawer, footer. */
export function MainLayout() {
  const router = useRouter()
  const takeFiles = (files: File[]) =>
    void import('./take-files.ts').then(
      ({ takeFiles }) =>
        takeFiles(files, {
          openImports: () => router.navigate({ to: '/profile/data' }),
          openNewNote: () => router.navigate({ to: '/notes/add' }),
        }),
      () => showMessage(t('failure.noResponse'), 'error', { about: NETWORK }),
    )
  const { open, opened, overlays } = useOverlay(takeFiles)
  usePreloadedOverlays()
  useEffect(() => forgetOperations, [])
  useEffect(
    () =>
      setUndoListener(() => {
        // What was not found may be there again; its screen has no query that would be refetched.
        if (router.state.matches.some(({ status }) => status === 'notFound')) void router.invalidate()
      }),
    [router],
  )
  useShortcuts({
    palette: () => void open('palette'),
    help: () => void open('help'),
    search: () => goToSearch(router),
    note: () => void router.navigate({ to: '/notes/add' }),
    link: () => void router.navigate({ to: '/urllinks/add' }),
    add: () => void open('quickAdd'),
    undo: () => undoLast(() => void router.navigate({ to: '/profile/history' })),
    edit: editShown,
    next: () => moveInLists(1),
    previous: () => moveInLists(-1),
  })
  const isOver = useGiven({
    onText: (text) => void open('quickAdd', { text }),
    onFiles: takeFiles,
    takesFiles: () => router.state.location.pathname === '/profile/data',
  })
  return (
    <div className={classes.page}>
      <a href="#content" className={classes.skip}>
        {t('layout.skip')}
      </a>
      <TopBar
        drawerOpen={opened === 'drawer'}
        onDrawer={() => void open('drawer')}
        onPalette={() => void open('palette')}
      />
      {overlays}
      {isOver && (
        <Suspense>
          <DropCover text={t('quickAdd.drop')} />
        </Suspense>
      )}
      <main id="content" className={classes.content} tabIndex={-1}>
        <ProfileFailure />
        <Outlet />
      </main>
      <footer className={classes.footer}>
        <span>{t('layout.footer.copyright', { year: String(new Date().getFullYear()) })}</span>
        <Link to="/privacy">{t('layout.footer.privacy')}</Link>
        <button
          type="button"
          className={classes.help}
          aria-haspopup="dialog"
          onClick={() => void open('help')}
        >
          {t('help.title')}
        </button>
      </footer>
    </div>
  )
}
