import { ActionIcon } from '@mantine/core'
import { Link, Outlet } from '@tanstack/react-router'
import { useState } from 'react'
import { t } from '../text/text.ts'
import { MenuIcon } from '../ui/icons.tsx'
import { ActionsMenu } from './actions-menu.tsx'
import classes from './main-layout.module.css'
import { SideDrawer } from './side-drawer.tsx'
import { WordMark } from './word-mark.tsx'

/** The frame of every screen that needs sign-in: top bar, side drawer, footer. */
export function MainLayout() {
  const [drawerOpen, setDrawerOpen] = useState(false)
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
        <ActionsMenu />
      </header>
      <SideDrawer opened={drawerOpen} onClose={() => setDrawerOpen(false)} />
      <main id="content" className={classes.content} tabIndex={-1}>
        <Outlet />
      </main>
      <footer className={classes.footer}>
        <span>{t('layout.footer.copyright', { year: String(new Date().getFullYear()) })}</span>
        <Link to="/privacy">{t('layout.footer.privacy')}</Link>
      </footer>
    </div>
  )
}
