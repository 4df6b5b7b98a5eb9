import type { QueryClient } from '@tanstack/react-query'
import { createRoute, createRouter, type RegisteredRouter, redirect } from '@tanstack/react-router'
import { latestQuery, searchQuery, TAG_ROWS, tagItemsQuery, tagListQuery, tagQuery } from '../api/queries.ts'
import { isSignedIn } from '../api/session.ts'
import { linkKind } from '../items/link-kind.ts'
import { noteKind } from '../items/note-kind.ts'
import { placeAfterLogin } from '../lib/place-after-login.ts'
import { lazy } from '../ui/lazy.tsx'
import { CrashPage, failureScreen } from './crash-page.tsx'
import { itemRoutes, QUIET, start } from './item-routes.tsx'
import { authLayout, documentLayout, main, root } from './layout-routes.ts'
import {
  parseSearch,
  readGivenSearch,
  readLoginSearch,
  readPagedSearch,
  readPasswordConfirmSearch,
  readSearch,
  readTagListSearch,
  stringifySearch,
} from './search-params.ts'

const index = createRoute({
  getParentRoute: () => main,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/home', replace: true })
  },
})
const home = createRoute({
  getParentRoute: () => main,
  path: '/home',
  validateSearch: readSearch,
  staticData: { title: 'title.home' },
  loaderDeps: ({ search }) => search,
  // Not awaited: the search field works while the items load.
  loader: ({ context: { queryClient }, deps: { search, exact }, preload }) => {
    const quiet = preload && QUIET
    const loading =
      search === undefined
        ? queryClient.query({ ...latestQuery, ...quiet })
        : queryClient.query({ ...searchQuery(search, exact), ...quiet })
    loading.catch(() => undefined)
  },
  component: lazy(() => import('../home/home-page.tsx'), 'HomePage'),
})
const profile = createRoute({
  getParentRoute: () => main,
  path: '/profile',
  staticData: { title: 'title.profile' },
  component: lazy(() => import('../accounts/profile-page.tsx'), 'ProfilePage'),
})

const operations = createRoute({
  getParentRoute: () => main,
  path: '/profile/history',
  validateSearch: readPagedSearch,
  staticData: { title: 'title.operations' },
  loaderDeps: ({ search: { page = 1 } }) => ({ page }),
  loader: ({ context: { queryClient }, deps, preload }) =>
    start(async () => {
      const { operationsQuery } = await import('../api/history-queries.ts')
      return queryClient.query({ ...operationsQuery(deps), ...(preload && QUIET) })
    }),
  component: lazy(() => import('../history/operations-page.tsx'), 'OperationsPage'),
})
const data = createRoute({
  getParentRoute: () => main,
  path: '/profile/data',
  staticData: { title: 'title.data' },
  loader: ({ context: { queryClient }, preload }) =>
    start(async () => {
      const { importsQuery } = await import('../api/import-queries.ts')
      return queryClient.query({ ...importsQuery, ...(preload && QUIET) })
    }),
  component: lazy(() => import('../data/data-page.tsx'), 'DataPage'),
})
const programs = createRoute({
  getParentRoute: () => main,
  path: '/profile/programs',
  staticData: { title: 'title.programs' },
  loader: ({ context: { queryClient }, preload }) =>
    start(async () => {
      const { tokensQuery } = await import('../api/token-queries.ts')
      return queryClient.query({ ...tokensQuery, ...(preload && QUIET) })
    }),
  component: lazy(() => import('../programs/programs-page.tsx'), 'ProgramsPage'),
})
const duplicates = createRoute({
  getParentRoute: () => main,
  path: '/profile/duplicates',
  validateSearch: readPagedSearch,
  staticData: { title: 'title.duplicates' },
  loaderDeps: ({ search: { page = 1 } }) => ({ page }),
  loader: ({ context: { queryClient }, deps, preload }) =>
    start(async () => {
      const { duplicatesQuery } = await import('../api/history-queries.ts')
      return queryClient.query({ ...duplicatesQuery(deps), ...(preload && QUIET) })
    }),
  component: lazy(() => import('../items/duplicates-page.tsx'), 'DuplicatesPage'),
})
const trash = createRoute({
  getParentRoute: () => main,
  path: '/trash',
  validateSearch: readPagedSearch,
  staticData: { title: 'title.trash' },
  loaderDeps: ({ search: { page = 1, search } }) => ({ page, search }),
  loader: ({ context: { queryClient }, deps, preload }) =>
    start(async () => {
      const { trashQuery } = await import('../api/history-queries.ts')
      return queryClient.query({ ...trashQuery(deps), ...(preload && QUIET) })
    }),
  component: lazy(() => import('../trash/trash-page.tsx'), 'TrashPage'),
})

const addGiven = createRoute({
  getParentRoute: () => main,
  path: '/add',
  validateSearch: readGivenSearch,
  staticData: { title: 'items.save' },
  component: lazy(() => import('../items/add-page.tsx'), 'AddGivenPage'),
})
const notes = itemRoutes(noteKind, '/notes/edit')
const links = itemRoutes(linkKind, '/urllinks/edit')

const tags = createRoute({
  getParentRoute: () => main,
  path: '/tags',
  validateSearch: readTagListSearch,
  staticData: { title: 'title.tags' },
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps, preload }) => {
    const limit = deps.sort === undefined ? TAG_ROWS + 1 : undefined
    const query = { ...tagListQuery(deps.search, limit), ...(preload && QUIET) }
    context.queryClient.query(query).catch(() => undefined)
  },
  component: lazy(() => import('../tags/tag-list-page.tsx'), 'TagListPage'),
})
const tagPage = () => import('../tags/tag-page.tsx')
const tag = createRoute({
  getParentRoute: () => main,
  path: '/tags/$id',
  staticData: { title: 'title.tag' },
  // The screen shows whichever of the two has loaded: the route itself never fails.
  loader: async ({ context: { queryClient }, params: { id }, preload }) => {
    const quiet = { ...(preload && QUIET), staleTime: 'static' as const }
    await Promise.allSettled([
      queryClient.query({ ...tagQuery(id), ...quiet }),
      queryClient.query({ ...tagItemsQuery(id), ...quiet }),
    ])
  },
  component: lazy(tagPage, 'TagPage'),
  pendingComponent: lazy(tagPage, 'TagPending'),
})
const editTagPage = () => import('../tags/edit-tag-page.tsx')
const tagEdit = createRoute({
  getParentRoute: () => main,
  path: '/tags/$id/edit',
  staticData: { title: 'title.tagEdit' },
  loader: ({ context, params, preload }) =>
    context.queryClient.query({ ...tagQuery(params.id), ...(preload && QUIET) }),
  component: lazy(editTagPage, 'EditTagPage'),
  pendingComponent: lazy(editTagPage, 'EditTagPending'),
  errorComponent: failureScreen(lazy(editTagPage, 'EditTagFailure')),
})
const tagEditNoId = createRoute({
  getParentRoute: () => main,
  path: '/tags/edit',
  staticData: { title: 'title.tagEdit' },
  component: lazy(() => import('../tags/no-id.tsx'), 'NoId'),
})

const auth = createRoute({
  getParentRoute: () => authLayout,
  path: '/auth',
  beforeLoad: () => {
    throw redirect({ to: '/auth/login', replace: true })
  },
})
const login = createRoute({
  getParentRoute: () => authLayout,
  path: '/auth/login',
  validateSearch: readLoginSearch,
  staticData: { title: 'title.login' },
  beforeLoad: ({ search }) => {
    if (isSignedIn()) throw redirect({ href: placeAfterLogin(search.redirect), replace: true })
  },
  component: lazy(() => import('../accounts/login-page.tsx'), 'LoginPage'),
})
const registration = createRoute({
  getParentRoute: () => authLayout,
  path: '/auth/registration',
  staticData: { title: 'title.registration' },
  component: lazy(() => import('../accounts/registration-page.tsx'), 'RegistrationPage'),
})
const passwordReset = createRoute({
  getParentRoute: () => authLayout,
  path: '/auth/password-reset',
  staticData: { title: 'title.passwordReset' },
  component: lazy(() => import('../accounts/password-reset-page.tsx'), 'PasswordResetPage'),
})
const passwordConfirm = createRoute({
  getParentRoute: () => authLayout,
  path: '/auth/password-confirm',
  validateSearch: readPasswordConfirmSearch,
  staticData: { title: 'title.passwordConfirm' },
  component: lazy(() => import('../accounts/password-confirm-page.tsx'), 'PasswordConfirmPage'),
})

const privacy = createRoute({
  getParentRoute: () => documentLayout,
  path: '/privacy',
  staticData: { title: 'title.privacy' },
  component: lazy(() => import('../privacy/privacy-page.tsx'), 'PrivacyPage'),
})

const unknown = createRoute({
  getParentRoute: () => root,
  path: '$',
  beforeLoad: ({ location }) => {
    // The router matches no empty part: '/notes//edit' means '/notes/edit'.
    const single = location.pathname.replace(/\/{2,}/g, '/')
    throw redirect({ href: single === location.pathname ? '/' : single, replace: true })
  },
})

const routeTree = root.addChildren([
  main.addChildren([
    ...[index, home, profile, operations, data, programs, duplicates, addGiven, ...notes, ...links],
    ...[tags, tag, tagEdit, tagEditNoId, trash],
  ]),
  authLayout.addChildren([auth, login, registration, passwordReset, passwordConfirm]),
  documentLayout.addChildren([privacy]),
  unknown,
])

/** The route table of docs/specification.md, section 2, with the screens of docs/behaviour.md; read it top to bottom. */
export const createAppRouter = (queryClient: QueryClient) =>
  createRouter({
    routeTree,
    context: { queryClient },
    parseSearch,
    stringifySearch,
    trailingSlash: 'preserve',
    scrollRestoration: true,
    defaultPreload: 'intent',
    defaultErrorComponent: CrashPage,
    defaultPendingMs: 300,
    // The query client alone caches: the router runs the loaders whenever a screen opens.
    defaultGcTime: 0,
    defaultPreloadStaleTime: 0,
  })

export type AppRouter = RegisteredRouter

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
