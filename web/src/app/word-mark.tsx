import { Link } from '@tanstack/react-router'
import { t } from '../messages/messages.ts'
import classes from './word-mark.module.css'

/** The product's name with its mark; leads home. */
export const WordMark = () => (
  <Link to="/home" className={classes.mark ?? ''}>
    <svg viewBox="0 0 32 32" className={classes.sign} aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="var(--mantine-color-pine-7)" />
      <path
        d="M10 7v18M11 16.5 20.5 7.5M13.5 14.5 22 25"
        fill="none"
        stroke="#fff"
        strokeWidth="3.4"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
    {t('app.name')}
  </Link>
)
