import { Pagination } from '@mantine/core'
import type { MouseEvent } from 'react'
import { t } from '../text/text.ts'
import classes from './pager.module.css'
import { isPlainClick } from './plain-click.ts'

interface PagerProps {
  page: number
  pages: number
  /** The address of a page, so that it can be opened in a new tab or copied. */
  hrefOf: (page: number) => string
  onPage: (page: number) => void
}

/** Links to the pages of a list; nothing where there is only one. */
export function Pager({ page, pages, hrefOf, onPage }: PagerProps) {
  if (pages <= 1) return null
  const linkTo = (target: number) => ({
    component: 'a',
    href: hrefOf(target),
    onClick: (event: MouseEvent) => {
      if (!isPlainClick(event)) return
      event.preventDefault()
      onPage(target)
    },
  })
  const edges = { first: 1, previous: page - 1, next: page + 1, last: pages }
  return (
    <nav aria-label={t('pager.label')} className={classes.pager}>
      <Pagination
        layout="responsive"
        value={page}
        total={pages}
        withEdges
        getItemProps={(target) => ({ ...linkTo(target), 'aria-label': t('pager.page', { page: target }) })}
        getControlProps={(edge) => {
          const target = edges[edge]
          // At the end of the road there is nowhere to link to: a disabled button stays.
          const reachable = target >= 1 && target <= pages && target !== page
          return { 'aria-label': t(`pager.${edge}`), ...(reachable ? linkTo(target) : {}) }
        }}
        formatLabel={({ page, totalPages }) => t('pager.position', { page, pages: totalPages })}
      />
    </nav>
  )
}
