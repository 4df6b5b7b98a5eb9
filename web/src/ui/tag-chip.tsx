import type { ComponentProps, ReactNode } from 'react'
import classes from './tag-chip.module.css'

/** A tag's name as a link. */
export function TagChip({ children, className, ...rest }: ComponentProps<'a'>) {
  return (
    <a className={className ? `${classes.chip} ${className}` : classes.chip} {...rest}>
      <span className={classes.name} dir="auto">
        {children}
      </span>
    </a>
  )
}

/** Tag chips side by side; every child is one chip. */
export function TagChipList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={classes.list} aria-label={label}>
      {children}
    </ul>
  )
}
