import { createRoute, notFound, redirect } from '@tanstack/react-router'
import { isMissing } from '../api/failure.ts'
import { itemFormQuery, itemQuery, listQuery } from '../api/queries.ts'
import type { ItemKind } from '../items/item-kind.ts'
import { lazy } from '../ui/lazy.tsx'
import { failureScreen } from './crash-page.tsx'
import { main } from './layout-routes.ts'
import { readAddSearch, readListSearch, readVersionsSearch } from './search-params.ts'

/** Throws the router's not-found in place of a 404. */
const orNotFound = async <Loaded,>(loading: Promise<Loaded>): Promise<Loaded> => {
  try {
    return await loading
  } catch (failure) {
    if (isMissing(failure)) throw notFound({ data: failure })
    throw failure
  }
}

/** Options of a query made by preloading: its failure shows when the screen is opened. */
export const QUIET = { meta: { failure: 'screen' } } as const

/** Loads what a screen need not wait for, by a query of a chunk of its own. The screen says what fails. */
export const start = (loading: () => Promise<unknown>): void => {
  loading().catch(() => undefined)
}

/** The id in an item's address: of which kind's address the compiler does not know inside a generic function. */
const idOf = (params: object): string => (params as { id: string }).id

/** An item that had an id of this browser's is shown under the one that the server has given it. */
const redirectToItem = (
  { value }: { value: { id: string } },
  params: object,
  to: ItemKind['paths']['item' | 'edit'],
): void => {
  if (value.id !== idOf(params)) throw redirect({ to, params: { id: value.id }, replace: true })
}

/** The routes of a kind of item: its list, its items and their forms. */
export const itemRoutes = <const Paths extends ItemKind['paths'], const NoId extends string>(
  kind: ItemKind & { readonly paths: Paths },
  /** The address of the edit form that lacks the id. */
  noId: NoId,
) => {
  const getParentRoute = () => main
  const { paths, textPrefix } = kind
  const detailPage = () => import('../items/detail-page.tsx')
  const editPage = () => import('../items/edit-page.tsx')
  return [
    createRoute({
      getParentRoute,
      path: paths.list as Paths['list'],
      validateSearch: readListSearch,
      staticData: { title: `${textPrefix}.list` },
      loaderDeps: ({ search }) => search,
      // Not awaited: the search field works while the items load.
      loader: ({ context, deps, preload }) => {
        const query = { ...listQuery(kind, deps), ...(preload && QUIET) }
        context.queryClient.query(query).catch(() => undefined)
      },
      component: lazy(() => import('../items/list-page.tsx'), 'ListPage', { kind }),
    }),
    createRoute({
      getParentRoute,
      path: paths.add as Paths['add'],
      validateSearch: readAddSearch,
      staticData: { title: `${textPrefix}.create` },
      component: lazy(() => import('../items/add-page.tsx'), 'AddPage', { kind }),
    }),
    createRoute({
      getParentRoute,
      path: paths.item as Paths['item'],
      staticData: { title: `${textPrefix}.item` },
      loader: async ({ context, params, preload }) => {
        const query = {
          ...itemQuery(kind, idOf(params)),
          ...(preload && QUIET),
          staleTime: 'static' as const,
        }
        redirectToItem(await orNotFound(context.queryClient.query(query)), params, paths.item)
      },
      component: lazy(detailPage, 'DetailPage', { kind }),
      pendingComponent: lazy(detailPage, 'DetailPending', { kind }),
      errorComponent: failureScreen(lazy(detailPage, 'DetailFailure', { kind })),
      notFoundComponent: lazy(detailPage, 'DetailNotFound', { kind }),
    }),
    createRoute({
      getParentRoute,
      path: paths.edit as Paths['edit'],
      staticData: { title: `${textPrefix}.editTitle` },
      loader: async ({ context, params, preload }) => {
        const query = { ...itemFormQuery(kind, idOf(params)), ...(preload && QUIET) }
        redirectToItem(await orNotFound(context.queryClient.query(query)), params, paths.edit)
      },
      component: lazy(editPage, 'EditPage', { kind }),
      pendingComponent: lazy(editPage, 'EditPending'),
      errorComponent: failureScreen(lazy(editPage, 'EditFailure', { kind })),
      notFoundComponent: lazy(editPage, 'EditNotFound', { kind }),
    }),
    createRoute({
      getParentRoute,
      path: paths.versions as Paths['versions'],
      validateSearch: readVersionsSearch,
      staticData: { title: 'title.versions' },
      loader: ({ context: { queryClient }, params, preload }) => {
        // Quiet in any case: where there is no item there are no versions either.
        start(async () => {
          const { versionsQuery } = await import('../api/history-queries.ts')
          return queryClient.query({ ...versionsQuery(kind, idOf(params)), ...QUIET })
        })
        return orNotFound(queryClient.query({ ...itemQuery(kind, idOf(params)), ...(preload && QUIET) }))
      },
      component: lazy(() => import('../history/versions-page.tsx'), 'VersionsPage', { kind }),
      pendingComponent: lazy(detailPage, 'DetailPending', { kind }),
      errorComponent: failureScreen(lazy(detailPage, 'DetailFailure', { kind })),
      notFoundComponent: lazy(detailPage, 'DetailNotFound', { kind }),
    }),
    createRoute({
      getParentRoute,
      path: noId,
      staticData: { title: `${textPrefix}.editTitle` },
      component: lazy(() => import('../items/no-id.tsx'), 'NoId', { kind }),
    }),
  ] as const
}
