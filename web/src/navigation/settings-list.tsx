import { PAGE_SIZE } from '@kopilka/contract/limits.ts'
import { useNavigate, useRouter } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import { ListFrame } from '../ui/list-frame.tsx'
import { Pager, useLastPage } from '../ui/pager.tsx'
import { SettingsPage, type SettingsPageProps } from './settings-page.tsx'

interface SettingsListProps<Result> extends Omit<SettingsPageProps, 'children'> {
  /** The address of the screen, in which the page of the list lives. */
  to: '/profile/history' | '/profile/duplicates'
  page: number
  list: ComponentProps<typeof ListFrame>['list'] & {
    data: { count: number; results: readonly Result[] } | undefined
  }
  /** The sentence for a list without anything in it. */
  empty: string
  children: (results: readonly Result[]) => ReactNode
}

/** A screen of the settings with a list in pages. */
export function SettingsList<Result>({
  to,
  page,
  list,
  empty,
  children,
  ...rest
}: SettingsListProps<Result>) {
  const navigate = useNavigate()
  const router = useRouter()
  const { data } = list
  const pages = Math.ceil((data?.count ?? 0) / PAGE_SIZE)
  const placeOf = (page: number) => ({ to, search: { page: page === 1 ? undefined : page } })
  useLastPage({ ...list, page, pages }, (last) => void navigate({ ...placeOf(last), replace: true }))
  return (
    <SettingsPage {...rest}>
      <ListFrame list={list} empty={data?.count === 0 ? empty : undefined}>
        {data && children(data.results)}
      </ListFrame>
      <Pager
        page={page}
        pages={pages}
        hrefOf={(target) => router.buildLocation(placeOf(target)).href}
        onPage={(target) => void navigate(placeOf(target))}
      />
    </SettingsPage>
  )
}
