import { Paper } from '@mantine/core'
import { Link, Outlet } from '@tanstack/react-router'
import { t } from '../messages/messages.ts'
import classes from './auth-layout.module.css'
import { WordMark } from './word-mark.tsx'

/** The public screens: a card of 400 in the middle. */
export const AuthLayout = () => (
  <div className={classes.page}>
    <header className={classes.brand}>
      <WordMark />
    </header>
    <Paper component="main" withBorder className={classes.card ?? ''}>
      <Outlet />
    </Paper>
    <footer className={classes.footer}>
      <Link to="/privacy">{t('layout.footer.privacy')}</Link>
    </footer>
  </div>
)
