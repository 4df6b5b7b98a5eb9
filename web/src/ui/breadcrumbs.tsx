import { Children, type ReactNode } from 'react'
import { t } from '../messages/main-messages.ts'
import classes from './breadcrumbs.module.css'

interface BreadcrumbsProps {
  /** Links to the screens above, in order. */
  children: ReactNode
  /** This very screen. */
  current: string
}

/** The way here: links to the screens above, then this screen's name. */
export function Breadcrumbs({ children, current }: BreadcrumbsProps) {
  return (
    <nav aria-label={t('items.breadcrumbs')}>
      <ol className={classes.trail}>
        {Children.toArray(children).map((link, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step has no other identity than its place.
          <li key={place} className={classes.step}>
            {link}
          </li>
        ))}
        <li className={classes.step} aria-current="page">
          <span dir="auto">{current}</span>
        </li>
      </ol>
    </nav>
  )
}
