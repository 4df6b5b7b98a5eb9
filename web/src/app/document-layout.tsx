import { Outlet } from '@tanstack/react-router'
import { t } from '../messages/messages.ts'
import classes from './document-layout.module.css'
import { WordMark } from './word-mark.tsx'

/** The layout of public documents: the word mark above the text. */
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
