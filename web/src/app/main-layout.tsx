import { ActionIcon, UnstyledButton } from '@mantine/core'
import { Link, Outlet, useRouter, useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { t } from '../text/text.ts'
import { MenuIcon, SearchIcon } from '../ui/icons.tsx'
import { LoadingBar } from '../ui/loading-bar.tsx'
import { ActionsMenu } from './actions-menu.tsx'
import { goToSearch } from './go-to-search.ts'
import classes from './main-layout.module.css'
import { useShortcuts } from './shortcuts.ts'
import { SideDrawer } from './side-drawer.tsx'
import { useWindow } from './use-window.tsx'
import { WordMark } from './word-mark.tsx'

/** The frame of every screen that needs sign-in: top bar, side drawer, footer. */
export function MainLayout() {
  const [drawerOpen, setDrawerOpen] = useState(false)
  const { open, shown } = useWindow()
  const router = useRouter()
  const isLoading = useRouterState({ select: (state) => state.isLoading })
  useShortcuts({
    palette: () => void open('palette'),
    help: () => void open('help'),
    search: () => goToSearch(router),
    note: () => void router.navigate({ to: '/notes/add' }),
    link: () => void router.navigate({ to: '/urllinks/add' }),
  })
  return (
    <div className={classes.page}>
      <a href="#content" className={classes.skip}>
        {t('layout.skip')}
      </a>
      <header className={classes.bar}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="xl"
          aria-label={t('layout.menu.open')}
          aria-expanded={drawerOpen}
          aria-haspopup="dialog"
          onClick={() => setDrawerOpen(true)}
        >
          <MenuIcon size={22} />
        </ActionIcon>
        <WordMark />
        <UnstyledButton
          className={classes.palette ?? ''}
          aria-haspopup="dialog"
          aria-keyshortcuts="Control+K"
          onClick={() => void open('palette')}
        >
          <SearchIcon size={18} />
          <span className={classes.paletteHint}>{t('palette.hint')}</span>
          <span className={classes.paletteKeys} aria-hidden="true">
            Ctrl K
          </span>
        </UnstyledButton>
        <ActionsMenu />
        <div className={classes.progress}>
          <LoadingBar shown={isLoading} label={t('items.loading')} />
        </div>
      </header>
      {shown}
      <SideDrawer opened={drawerOpen} onClose={() => setDrawerOpen(false)} />
      <main id="content" className={classes.content} tabIndex={-1}>
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
