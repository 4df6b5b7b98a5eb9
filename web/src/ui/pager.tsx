import { Pagination } from '@mantine/core'
import { type MouseEvent, useEffect, useRef } from 'react'
import { t } from '../messages/main-messages.ts'
import classes from './pager.module.css'
import { isPlainClick } from './plain-click.ts'

interface PagerProps {
  page: number
  pages: number
  /** The address of a page, so that it can be opened in a new tab or copied. */
  hrefOf: (page: number) => string
  onPage: (page: number) => void
}

interface Paged {
  /** What is shown of the list; undefined before it has loaded. */
  data: unknown
  /** That is of another page still. */
  isPlaceholderData: boolean
  page: number
  pages: number
}

/** Goes to the last page of a list from one past its end. */
export function useLastPage(
  { data, isPlaceholderData, page, pages }: Paged,
  onPage: (last: number) => void,
): void {
  const last = Math.max(pages, 1)
  const isPastTheEnd = data !== undefined && !isPlaceholderData && page > last
  useEffect(() => {
    if (isPastTheEnd) onPage(last)
  })
}

/** On the first or last page a link has no target; if it has the focus it keeps it. */
const DISABLED_LINK = {
  component: 'a',
  role: 'link',
  'aria-disabled': true,
  tabIndex: -1,
  // A link has no such attribute; its looks come from `mod`.
  disabled: false,
  mod: { disabled: true },
  onClick: () => undefined,
}

/** Links to the pages of a list; nothing where there is only one. */
export function Pager({ page, pages, hrefOf, onPage }: PagerProps) {
  const nav = useRef<HTMLElement>(null)
  const chosen = useRef<number>(undefined)
  useEffect(() => {
    // The numbers shift: the link that was followed may have another target by now.
    if (chosen.current === page) nav.current?.querySelector<HTMLElement>('[aria-current="page"]')?.focus()
    chosen.current = undefined
  }, [page])
  if (pages <= 1) return null
  const linkTo = (target: number, onFollow?: () => void) => ({
    component: 'a',
    href: hrefOf(target),
    onClick: (event: MouseEvent) => {
      if (!isPlainClick(event)) return
      event.preventDefault()
      onFollow?.()
      onPage(target)
    },
  })
  const numberOf = (target: number) => ({
    ...linkTo(target, () => {
      chosen.current = target
    }),
    'aria-label': t('pager.page', { page: target }),
  })
  const edges = { first: 1, previous: page - 1, next: page + 1, last: pages }
  return (
    <nav ref={nav} aria-label={t('pager.label')} className={classes.pager}>
      <Pagination
        layout="responsive"
        value={page}
        total={pages}
        withEdges
        getItemProps={numberOf}
        getControlProps={(edge) => {
          const target = edges[edge]
          const reachable = target >= 1 && target <= pages && target !== page
          return { 'aria-label': t(`pager.${edge}`), ...(reachable ? linkTo(target) : DISABLED_LINK) }
        }}
        formatLabel={({ page, totalPages }) => t('pager.position', { page, pages: totalPages })}
      />
    </nav>
  )
}
