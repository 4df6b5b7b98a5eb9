import { useQueryClient } from '@tanstack/react-query'
import { Link, Outlet, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { t } from '../messages/messages.ts'
import { forgetOperations, undoLast } from '../undo/undoable.ts'
import { goToSearch } from './go-to-search.ts'
import classes from './main-layout.module.css'
import { ProfileFailure } from './profile-failure.tsx'
import { editShown, moveInLists, useShortcuts } from './shortcuts.ts'
import { TopBar } from './top-bar.tsx'
import { useOverlay, usePreloadedOverlays } from './use-overlay.tsx'

/** The frame of every screen that needs sign-in: top bar, side drawer, footer. */
export function MainLayout() {
  const { open, opened, overlays } = useOverlay()
  const router = useRouter()
  const queryClient = useQueryClient()
  usePreloadedOverlays()
  useEffect(() => forgetOperations, [])
  useShortcuts({
    palette: () => void open('palette'),
    help: () => void open('help'),
    search: () => goToSearch(router),
    note: () => void router.navigate({ to: '/notes/add' }),
    link: () => void router.navigate({ to: '/urllinks/add' }),
    undo: () => undoLast(queryClient),
    edit: editShown,
    next: () => moveInLists(1),
    previous: () => moveInLists(-1),
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
