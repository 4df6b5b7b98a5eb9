import { Outlet } from '@tanstack/react-router'
import { t } from '../messages/messages.ts'
import classes from './document-layout.module.css'
import { WordMark } from './word-mark.tsx'

/** The frame of public documents: the mark above, room to read. */
export const DocumentLayout = () => (
  <div className={classes.page}>
    <header className={classes.bar}>
      <WordMark />
    </header>
    <main className={classes.content}>
      <Outlet />
    </main>
    <footer className={classes.footer}>
      {t('layout.footer.copyright', { year: String(new Date().getFullYear()) })}
    </footer>
  </div>
)
