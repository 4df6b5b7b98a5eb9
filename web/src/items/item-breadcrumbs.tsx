import type { ReactNode } from 'react'
import { t } from '../messages/messages.ts'
import { AnchorLink } from '../navigation/router-links.tsx'
import { Breadcrumbs } from '../ui/breadcrumbs.tsx'

/** The way from home to a screen of items or tags; `children` are the links in between. */
export function ItemBreadcrumbs({ children, current }: { children?: ReactNode; current: string }) {
  return (
    <Breadcrumbs current={current}>
      <AnchorLink to="/home">{t('title.home')}</AnchorLink>
      {children}
    </Breadcrumbs>
  )
}
